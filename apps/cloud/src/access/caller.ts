import type { Scope } from '@heliograph/contracts';
import { Forbidden } from '@heliograph/kit';
import type { ClientAddress } from '../common/client-address.ts';
import { FreshSignInRequired } from '../common/errors.ts';
import type { Actor } from '../db/audit.ts';
import type { TokenKind } from '../secrets/opaque-token.ts';

/** Who is asking, and from where: the account behind a valid token, and what that token limits it to. */
export interface Caller extends ClientAddress {
  /** For the operator's console the account in whose name something is made; 0, which is nobody, for none. */
  readonly userId: number;
  /** Operators of the service. */
  readonly staff: boolean;
  /** What kind of token it is; the operator's console has none. */
  readonly kind: TokenKind | 'console';
  readonly tokenId: number;
  readonly scopes: ReadonlySet<Scope>;
  /** The organization the token belongs to: nothing outside it exists for the caller. */
  readonly organizationId: number | null;
  /** The one site that `sites:read_single` reads. */
  readonly siteId: number | null;
  /** The organization of the application that an OAuth token was given to. */
  readonly applicationOrganizationId: number | null;
  /** What the user allowed the third party that holds the token; null for a token of the user's own. */
  readonly grantId: string | null;
  /** When the token expires; null when it does not. */
  readonly expiresAt: Date | null;
  /** Of a session: when its person last proved who they are; null for longer ago than is known. */
  readonly authenticatedAt: Date | null;
}

/** An account whose second factor is set up, and the permission to do so. */
export interface Enrollee {
  readonly userId: number;
  readonly actor: Actor;
  /**
   * Digest of the token of a pending sign-in, which permits setting up a first second factor and no more; null in a
   * fresh session.
   */
  readonly pendingSignIn: Buffer | null;
}

/** The operator's command line, as audit records name it. */
export const OPERATOR: Actor = { userId: null, tokenId: null, via: 'admin', address: null };

/** What the service does by itself, as audit records name it. */
export const SERVICE: Actor = { userId: null, tokenId: null, via: 'service', address: null };

/**
 * Whoever works on the database itself, and so may do everything: the operator's command line, which needs no
 * account and no token.
 *
 * @param userId the account in whose name something is made or changed
 */
export function atConsole(userId = 0): Caller {
  return {
    userId,
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

/** The caller as audit records name it. */
export function actorOf({ kind, userId, tokenId, address }: Caller): Actor {
  if (kind === 'console') return OPERATOR;
  return { userId, tokenId, via: 'api', address };
}

/** @throws Forbidden unless the caller's token has at least one of the scopes */
export function requireAnyScope(caller: Caller, scopes: readonly Scope[]): void {
  if (scopes.length === 0 || scopes.some((scope) => caller.scopes.has(scope))) return;
  throw new Forbidden(`The token lacks the scope ${scopes.join(' or ')}`);
}

/**
 * What only the person may do, in a session of their own: an API token must not make others.
 *
 * @throws Forbidden for every other kind of token
 */
export function requireSession({ kind }: Caller): void {
  if (kind !== 'session')
    throw new Forbidden('Sign in to do this: it cannot be done with a token of this kind');
}

/** How long a sign-in is fresh, in milliseconds. */
const FRESH_FOR_MS = 15 * 60 * 1000;

/**
 * What somebody must not do who found a browser open: only a person who has just proved who they are may. Tokens that
 * are no sessions are used by programs, where nobody can be asked.
 *
 * @throws SignInAgain
 */
export function requireFreshSignIn({ kind, authenticatedAt }: Caller, nowMs: number): void {
  if (kind !== 'session') return;
  if (authenticatedAt === null || nowMs - authenticatedAt.getTime() > FRESH_FOR_MS)
    throw new FreshSignInRequired();
}
