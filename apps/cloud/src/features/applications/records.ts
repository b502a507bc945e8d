import type { ApplicationScope, Scope } from '@heliograph/contracts';

/** A program that asks users for access, as the authorization server looks at it. */
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
  /** What it may ask for. */
  readonly scopes: readonly Scope[];
  /** What else an agent told of itself (RFC 7591). */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** An agent that registers itself. */
export interface NewAgent {
  readonly clientId: string;
  readonly name: string;
  /** As it was given to the agent; what is stored is its digest. Null for one without. */
  readonly secret: string | null;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What of an application may change. */
export interface ApplicationSettings {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export interface NewApplication extends ApplicationSettings {
  readonly clientId: string;
  readonly organizationId: number;
  readonly scopes: readonly ApplicationScope[];
  /** The account that makes it; null for the operator's command line. */
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
  /** When somebody last consented to it. */
  readonly lastUsedAt: Date | null;
}
