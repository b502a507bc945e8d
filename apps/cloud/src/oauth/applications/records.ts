import type { ApplicationScope, Scope } from '@heliograph/contracts';

/** An OAuth client as the authorization server sees it. */
export interface ClientRecord {
  readonly clientId: string;
  /** `confidential` has a secret; `public` runs in a browser and has none; an agent registered itself. */
  readonly kind: 'confidential' | 'public' | 'agent';
  readonly name: string;
  /** Null for an agent. */
  readonly organizationId: number | null;
  readonly organizationName: string | null;
  /** SHA-256 of the secret; null without one. */
  readonly secretHash: Buffer | null;
  readonly redirectUris: readonly string[];
  /** The scopes that it can request. */
  readonly scopes: readonly Scope[];
  /** Further metadata of an agent (RFC 7591). */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** An agent that registers itself. */
export interface NewAgent {
  readonly clientId: string;
  readonly name: string;
  /** The secret itself, of which the digest is stored. Null for one without. */
  readonly secret: string | null;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface ApplicationSettings {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export interface NewApplication extends ApplicationSettings {
  readonly clientId: string;
  readonly organizationId: number;
  readonly scopes: readonly ApplicationScope[];
  /** The account that creates it; null for the operator's command line. */
  readonly createdBy: number | null;
  readonly createdAt: Date;
}

/** An application as its organization sees it. */
export interface ApplicationRecord {
  readonly clientId: string;
  readonly kind: 'confidential' | 'public' | 'agent';
  readonly name: string;
  /** The secret's last characters. */
  readonly secretHint: string | null;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  /** Date of the last consent. */
  readonly lastUsedAt: Date | null;
}
