import { type Scope, SITE_PERMISSIONS, type SitePermission, type SiteRole } from '@heliograph/contracts';
import { Forbidden } from '@heliograph/kit';
import type { TokenKind } from '../common/secrets/opaque-token.ts';

/** The account behind a token, and what the token limits it to. */
export interface SiteCaller {
  readonly userId: number;
  /** The operator's console works on the database itself and has no token. */
  readonly kind: TokenKind | 'console';
  readonly scopes: ReadonlySet<Scope>;
  /** Whether the account operates the service. */
  readonly staff: boolean;
  /** The organization that the token belongs to, or that the session was signed in against. */
  readonly organizationId: number | null;
  /** The one site of a grant with `sites:read_single`. */
  readonly siteId: number | null;
}

/** The relation of an account and its token to a site. */
export interface SiteRelation {
  readonly id: number;
  /** The organization that looks after the site. */
  readonly organizationId: number | null;
  /** The account's own role on the site. */
  readonly role: SiteRole | null;
  /** The account's role as an employee of the site's organization. */
  readonly employeeRole: SiteRole | null;
  /** Whether the site is shared with the organization of the token. */
  readonly isSharedWithToken: boolean;
  /** Whether the site is shared with an organization that employs the account. */
  readonly isSharedWithEmployer: boolean;
}

const OWN_TOKENS: ReadonlySet<SiteCaller['kind']> = new Set(['api', 'session', 'console']);

const NOTHING: ReadonlySet<SitePermission> = new Set();

/**
 * The only decision about a caller's permissions on a site. The cloud's operations, the tools for agents and the pages
 * use it, and a site token carries its result to the proxy and the device. Revoked tokens and tokens of revoked grants
 * are refused before, at authentication, and again when a site token is issued.
 */
export function sitePermissions(caller: SiteCaller, site: SiteRelation): ReadonlySet<SitePermission> {
  if (!seesSite(caller, site)) return NOTHING;

  const isConsole = caller.kind === 'console';
  const mayRead = isConsole || readsSites(caller);
  const mayChange = isConsole || caller.scopes.has('sites:write_all');
  const mayRecover = isConsole || caller.scopes.has('sites:recover_all');
  // A shared site is read-only for tokens of the organization, whatever the person's role on the site.
  const isShare = isReadOnlyShare(caller, site);
  const isFirstHand = isOwnToken(caller) && !isShare;

  const isHousehold = site.role === 'owner' || site.role === 'admin';
  const isInstaller = site.employeeRole === 'owner' || site.employeeRole === 'admin';
  const isOperator = caller.staff && !isShare;
  const looksAfterSite = isHousehold || isInstaller || isOperator;

  const rules: Readonly<Record<SitePermission, boolean>> = {
    read: mayRead,
    audit: mayRead && isFirstHand && looksAfterSite,
    connections: mayRead && isFirstHand && (isHousehold || isOperator),
    share: mayRead && caller.kind === 'oauth' && !isShare && isHousehold,
    write: mayRead && mayChange && isFirstHand && isHousehold,
    configure: mayRead && mayChange && isFirstHand && isHousehold,
    consent: mayRecover && isFirstHand && isHousehold,
    support: mayRecover && isFirstHand && (site.employeeRole !== null || isOperator),
    manage: mayChange && isFirstHand && looksAfterSite,
    // Installers and operators do not write, so they give no role that does.
    grant: mayChange && isFirstHand && (isHousehold || isConsole),
    own: mayChange && isFirstHand && (site.role === 'owner' || isOperator),
    leave: mayChange && isFirstHand,
  };
  return new Set(SITE_PERMISSIONS.filter((permission) => rules[permission]));
}

/** Whether a site exists for a caller; `visibleTo` is the same rule in SQL. */
export function seesSite(caller: SiteCaller, site: SiteRelation): boolean {
  const only = singleSiteOf(caller);
  if (only !== undefined && only !== site.id) return false;
  const isInOrganization =
    caller.organizationId === null || caller.organizationId === site.organizationId || site.isSharedWithToken;
  if (!isInOrganization) return false;
  return caller.staff || site.role !== null || site.employeeRole !== null || site.isSharedWithEmployer;
}

/** The only site that a token reads; null for such a token without a site, undefined for every other token. */
export function singleSiteOf({ siteId, scopes }: SiteCaller): number | null | undefined {
  const readsOne = scopes.has('sites:read_single') && !scopes.has('sites:read_all');
  return readsOne || siteId !== null ? siteId : undefined;
}

/** Whether a token is one of the account itself, not of a third party. */
export function isOwnToken({ kind }: Pick<SiteCaller, 'kind'>): boolean {
  return OWN_TOKENS.has(kind);
}

/** Whether a token reads sites at all. */
export function readsSites({ scopes }: Pick<SiteCaller, 'scopes'>): boolean {
  return scopes.has('sites:read_all') || scopes.has('sites:read_single');
}

/** A token of an organization sees a site that is not that organization's own only because it was shared. */
function isReadOnlyShare({ organizationId }: SiteCaller, site: SiteRelation): boolean {
  return organizationId !== null && organizationId !== site.organizationId;
}

/** Why a permission is not there, for the caller to read. */
const REFUSALS: Readonly<Record<SitePermission, string>> = {
  read: 'The token may not read sites',
  audit: 'Only owners and admins of the site may do this',
  connections: 'Only owners and admins of the site may do this',
  share: 'Only owners and admins of the site may share it with an organization',
  write: 'Only owners and admins of the site may change its settings',
  configure: 'Only owners and admins of the site may configure its device',
  consent: 'Only owners and admins of the site may let support in',
  support: "Only employees of the site's organization and operators of the service may ask for access",
  manage: 'Only owners and admins of the site may do this',
  grant:
    'Only people with the role of an owner or admin on the site itself may give or take roles that write',
  own: 'Only the owner of the site may hand it over',
  leave: 'The token may not change who has a role on the site',
};

/** @throws Forbidden */
export function requirePermission(
  permissions: ReadonlySet<SitePermission>,
  permission: SitePermission,
): void {
  if (!permissions.has(permission)) throw new Forbidden(REFUSALS[permission]);
}
