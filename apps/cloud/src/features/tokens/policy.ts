import type { Scope } from '@heliograph/contracts';
import { Forbidden, Unauthorized } from '@heliograph/kit';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Actor } from '../../db/audit.ts';
import type { Schema } from '../../db/schema.ts';
import { SignInAgain } from '../../problems.ts';
import type { TokenKind } from '../../secrets/opaque-token.ts';
import type { Visitor } from '../../visitor.ts';

/** Who is asking, and from where: the account behind a valid token, and what that token limits it to. */
export interface Caller extends Visitor {
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

/**
 * Where bearer tokens are shown: at the HTTP API, or at the MCP server. Each is a resource of its own (RFC 8707), and
 * what a third party was given for one of them is nothing at the other.
 */
export type Resource = 'api' | 'mcp';

/**
 * Tokens of a user's own are good at every resource, those of third parties at the one they were given for.
 *
 * @throws Unauthorized
 */
export function requireResource(resource: Resource, kind: TokenKind): void {
  if (kind === 'oauth' && resource !== 'api') throw new Unauthorized('This token is for the HTTP API');
  if (kind === 'mcp' && resource !== 'mcp')
    throw new Unauthorized('This token is for the MCP server at /mcp');
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
  if (authenticatedAt === null || nowMs - authenticatedAt.getTime() > FRESH_FOR_MS) throw new SignInAgain();
}

/**
 * Whether an account has to have a second factor in a session, as a condition on `users`: it works for an organization
 * that requires one, and the session is of that organization or of none.
 */
export function mustHaveSecondFactor(organizationId: number | null | Expression<number | null>) {
  return (eb: ExpressionBuilder<Schema, 'users'>): Expression<SqlBool> =>
    eb.exists(
      eb
        .selectFrom('organization_members as employers')
        .innerJoin('organizations as employer', 'employer.id', 'employers.organization_id')
        .select('employer.id')
        .whereRef('employers.user_id', '=', 'users.id')
        .where('employer.requires_second_factor', '=', true)
        .where(sql<SqlBool>`(${organizationId}::int is null or employer.id = ${organizationId}::int)`),
    );
}

/**
 * Which accounts may hold tokens of an organization, as a condition on `users`: operators, its employees, its
 * customers, and whoever owns or shares a site of it.
 */
export function mayEnter(organizationId: number) {
  return (eb: ExpressionBuilder<Schema, 'users'>): Expression<SqlBool> => {
    const employee = eb
      .selectFrom('organization_members')
      .select('organization_members.user_id')
      .whereRef('organization_members.user_id', '=', 'users.id')
      .where('organization_members.organization_id', '=', organizationId);
    const siteOwner = eb
      .selectFrom('sites')
      .select('sites.id')
      .whereRef('sites.owner_id', '=', 'users.id')
      .where('sites.organization_id', '=', organizationId);
    const siteMember = eb
      .selectFrom('site_members')
      .innerJoin('sites', 'sites.id', 'site_members.site_id')
      .select('sites.id')
      .whereRef('site_members.user_id', '=', 'users.id')
      .where('sites.organization_id', '=', organizationId);
    return eb.or([
      eb('users.staff', '=', true),
      eb('users.organization_id', '=', organizationId),
      eb.exists(employee),
      eb.exists(siteOwner),
      eb.exists(siteMember),
    ]);
  };
}
