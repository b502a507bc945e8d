import { API_TOKEN_SCOPES, type Locale, type Scope } from '@heliograph/contracts';
import { Forbidden, Unauthorized } from '@heliograph/kit';
import type { ClientAddress } from '../common/client-address.ts';
import { FreshSignInRequired } from '../common/errors.ts';
import type { TokenKind } from '../common/secrets/opaque-token.ts';
import type { Actor } from '../db/audit.ts';

/** The account behind a valid token, what that token limits it to, and the address of the request. */
export interface Caller extends ClientAddress {
  /** For the operator's console the account in whose name something is made; 0 for none. */
  readonly userId: number;
  /** The language of the account, in whose order answers have the names of people. */
  readonly locale: Locale;
  /** Operators of the service. */
  readonly staff: boolean;
  /** The operator's console has no token. */
  readonly kind: TokenKind | 'console';
  readonly tokenId: number;
  readonly scopes: ReadonlySet<Scope>;
  /** The organization the token belongs to: nothing outside it exists for the caller. */
  readonly organizationId: number | null;
  /** The one site that `sites:read_single` reads. */
  readonly siteId: number | null;
  /** The organization of the application that an OAuth token was given to. */
  readonly applicationOrganizationId: number | null;
  /** The grant to the third party that holds the token; null for a token of the user's own. */
  readonly grantId: string | null;
  /** When the token expires; null when it does not. */
  readonly expiresAt: Date | null;
  /** Of a session: when its user last authenticated; null when that is unknown. */
  readonly authenticatedAt: Date | null;
}

/** The actor in audit records of the operator's command line. */
export const OPERATOR: Actor = { userId: null, tokenId: null, via: 'admin', address: null };

/** The actor in audit records of the service's own work. */
export const SERVICE: Actor = { userId: null, tokenId: null, via: 'service', address: null };

/**
 * The operator's command line: it works on the database itself, so it needs no account and no token.
 *
 * @param userId the account in whose name something is made or changed
 */
export function consoleCaller(userId = 0): Caller {
  return {
    userId,
    locale: 'en',
    staff: true,
    kind: 'console',
    tokenId: 0,
    scopes: new Set(),
    organizationId: null,
    siteId: null,
    applicationOrganizationId: null,
    grantId: null,
    expiresAt: null,
    authenticatedAt: null,
    address: null,
    network: null,
  };
}

/** An account as it may read now without a token, for what the service sends it. @param staff whether it is an operator */
export function accountCaller(userId: number, staff: boolean): Caller {
  return { ...consoleCaller(userId), kind: 'api', staff, scopes: new Set(['sites:read_all']) };
}

export function actorOf({ kind, userId, tokenId, address }: Caller): Actor {
  if (kind === 'console') return OPERATOR;
  return { userId, tokenId, via: 'api', address };
}

/** The actor in audit records of an account that acts before it has a token. */
export function actorOfAccount(userId: number, { address }: ClientAddress) {
  return { userId, tokenId: null, via: 'api', address } as const;
}

/** The account that sets up a second factor, and what authorizes it to. */
export interface Enrollee {
  readonly userId: number;
  readonly actor: Actor;
  /**
   * The digest of a pending sign-in's token, which authorizes a first second factor and no more; null in a session
   * with a fresh sign-in.
   */
  readonly pendingSignIn: Buffer | null;
}

/**
 * A resource server in the sense of RFC 8707: the HTTP API, or the MCP server. A third party's token for one of them is
 * refused by the other; `any`: what both may do.
 */
export type Resource = 'api' | 'mcp' | 'any';

/**
 * Tokens of a user's own are valid for every resource, those of third parties for the one they were issued for.
 *
 * @throws Unauthorized
 */
export function requireResource(resource: Resource, kind: TokenKind): void {
  if (resource === 'any') return;
  if (kind === 'oauth' && resource !== 'api') throw new Unauthorized('This token is for the HTTP API');
  if (kind === 'mcp' && resource !== 'mcp')
    throw new Unauthorized('This token is for the MCP server at /mcp');
}

/** The person at a page of the portal, where a session has every scope of an API token that the person could make there. */
export function atPortal(caller: Caller): Caller {
  return caller.kind === 'session' ? { ...caller, scopes: new Set(API_TOKEN_SCOPES) } : caller;
}

/** @throws Forbidden unless the caller's token has at least one of the scopes */
export function requireAnyScope(caller: Caller, scopes: readonly Scope[]): void {
  if (scopes.length === 0 || scopes.some((scope) => caller.scopes.has(scope))) return;
  throw new Forbidden(`The token lacks the scope ${scopes.join(' or ')}`);
}

/**
 * Allows only a session: an API token must not create others.
 *
 * @throws Forbidden for every other kind of token
 */
export function requireSession({ kind }: Caller): void {
  if (kind !== 'session')
    throw new Forbidden('Sign in to do this: it cannot be done with a token of this kind');
}

/**
 * Allows sessions and the API tokens of the account itself.
 *
 * @throws Forbidden for tokens of third parties
 */
export function requireOwnToken({ kind }: Caller): void {
  if (kind === 'oauth' || kind === 'mcp') throw new Forbidden('The token of a third party cannot do this');
}

/** How long a sign-in is fresh, in milliseconds. */
const FRESH_FOR_MS = 15 * 60 * 1000;

/**
 * For acts that no program does in place of a person, such as those at the homes of others. The operator's console passes.
 *
 * @throws Forbidden for tokens; FreshSignInRequired
 */
export function requirePerson(caller: Caller, nowMs: number): void {
  if (caller.kind === 'console') return;
  requireSession(caller);
  requireFreshSignIn(caller, nowMs);
}

/**
 * Guards against a browser that was left open: the user of a session must have authenticated recently. Other tokens
 * pass: programs use them, which cannot authenticate again.
 *
 * @throws FreshSignInRequired
 */
export function requireFreshSignIn({ kind, authenticatedAt }: Caller, nowMs: number): void {
  if (kind !== 'session') return;
  if (authenticatedAt === null || nowMs - authenticatedAt.getTime() > FRESH_FOR_MS)
    throw new FreshSignInRequired();
}
