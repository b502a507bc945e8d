import type { Scope } from '@heliograph/contracts';
import type { IdentityRecord } from '../identity/service.ts';

/** What a user allows a program, as it is written down when they consent. */
export interface NewGrant {
  /** The id that the OAuth server gave it. */
  readonly id: string;
  readonly clientId: string;
  /** The program's name as the consent page showed it. */
  readonly clientName: string;
  /** The organization of the application; null for an agent. */
  readonly organizationId: number | null;
  readonly userId: number;
  /** The site that the user chose; null for an agent, which sees what its user sees. */
  readonly siteId: number | null;
  readonly scopes: readonly Scope[];
}

/** An access token that is to be stored. */
export interface NewAccessToken {
  readonly value: string;
  readonly grantId: string;
  /** 'oauth' for the HTTP API, 'mcp' for the MCP server. */
  readonly kind: 'oauth' | 'mcp';
  readonly scopes: readonly Scope[];
  /** In milliseconds. */
  readonly lifetimeMs: number;
}

/** A live access token, without itself. */
export interface AccessTokenRecord {
  readonly userId: number;
  readonly clientId: string;
  readonly grantId: string;
  readonly kind: 'oauth' | 'mcp';
  readonly scopes: readonly Scope[];
  readonly siteId: number | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What the OAuth server leaves behind for a next request, found by an id that only its client or browser has. */
export interface AuthorizationRecord {
  readonly payload: Record<string, unknown>;
  readonly consumedAt: Date | null;
}

/** A code that somebody shows. */
export interface FoundCode extends AuthorizationRecord {
  readonly grantId: string | null;
  /** Whose grant it is. */
  readonly account: IdentityRecord | undefined;
  /** As the OAuth server keeps it; undefined for one that was ended or has expired. */
  readonly grant: Record<string, unknown> | undefined;
}

/** What came of a code that was to be exchanged for a token. */
export type CodeExchangeOutcome =
  // With the site that the token is for, if for one.
  | { readonly outcome: 'issued'; readonly siteId: number | null }
  | { readonly outcome: 'consumed before' }
  | { readonly outcome: 'grant ended' };

export interface NewAuthorizationRecord {
  /** What the OAuth server calls this kind of record, such as `AuthorizationCode`. */
  readonly model: string;
  readonly id: string;
  /** The second id that browser sessions have. */
  readonly uid: string | undefined;
  readonly grantId: string | undefined;
  readonly payload: Readonly<Record<string, unknown>>;
  /** In seconds. */
  readonly lifetimeS: number;
}
