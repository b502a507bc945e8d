import type { Scope } from '@heliograph/contracts';
import type { IdentityRecord } from '../identity/claims.ts';

/** A user's consent to a program. */
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

/** State of the OAuth server between requests, found by an id that only the client or browser has. */
export interface AuthorizationRecord {
  readonly payload: Record<string, unknown>;
  readonly consumedAt: Date | null;
}

export interface FoundCode extends AuthorizationRecord {
  readonly grantId: string | null;
  /** The account that gave the grant. */
  readonly account: IdentityRecord | undefined;
  /** The OAuth server's payload; undefined for a grant that is revoked or expired. */
  readonly grant: Record<string, unknown> | undefined;
}

export type CodeExchangeOutcome =
  // The site is that of the token; null for a token of all sites.
  | { readonly outcome: 'issued'; readonly siteId: number | null }
  | { readonly outcome: 'consumed before' }
  | { readonly outcome: 'grant ended' };

export interface NewAuthorizationRecord {
  /** The OAuth server's name of this kind of record, such as `AuthorizationCode`. */
  readonly model: string;
  readonly id: string;
  /** The second id that browser sessions have. */
  readonly uid: string | undefined;
  readonly grantId: string | undefined;
  readonly payload: Readonly<Record<string, unknown>>;
  /** In seconds. */
  readonly lifetimeS: number;
}
