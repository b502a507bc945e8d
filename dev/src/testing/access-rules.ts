import type { Scope, SitePermission } from '@heliograph/contracts';

/**
 * The permissions of every caller on a site, written by hand. Tests of the cloud, the proxy and the device compare the
 * system with them.
 *
 * token   own: an API token, a session, the operator's console; console: that alone; oauth: of an application; any: these, and an agent's
 * scopes  read: sites:read_all, or sites:read_single for this site; write: sites:write_all; recover: sites:recover_all
 * who     owner, admin, member: the account's own role on the site
 *         installer: owner or admin of the organization that the site belongs to; clerk: another employee of it
 *         partner: employee of an organization that the site is shared with
 *         operator: of the service
 *
 * A token or session of an organization that the site is shared with gives `read` alone, for every account. One of any
 * other organization gives nothing, nor does a token for another site.
 */
const RULES = `
permission   token   scopes      who
read         any     read        owner admin member installer clerk partner operator
audit        own     read        owner admin installer operator
connections  own     read        owner admin operator
share        oauth   read        owner admin
write        own     read+write  owner admin
configure    own     read+write  owner admin
consent      own     recover     owner admin
support      own     recover     installer clerk operator
manage       own     write       owner admin installer operator
grant        own     write       owner admin
grant        console  write      operator
own          own     write       owner operator
leave        own     write       owner admin member installer clerk partner operator
`;

export const ROLES = ['owner', 'admin', 'member', null] as const;
export const EMPLOYMENTS = ['installer', 'clerk', 'partner', null] as const;
/** The organization of a token: none, the site's, one that the site is shared with, another. */
export const TOKEN_ORGANIZATIONS = [null, 'home', 'partner', 'abroad'] as const;

export interface AccessCase {
  readonly role: (typeof ROLES)[number];
  readonly employment: (typeof EMPLOYMENTS)[number];
  readonly operator: boolean;
  readonly kind: 'api' | 'session' | 'oauth' | 'mcp' | 'console';
  readonly scopes: readonly Scope[];
  readonly tokenOrganization: (typeof TOKEN_ORGANIZATIONS)[number];
  /** The one site of a token with `sites:read_single`. */
  readonly onlySite: 'this' | 'other' | null;
}

const [, ...ROWS] = RULES.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s{2,}/));

/** The permissions that the rules give, in their order. */
export function expectedPermissions(given: AccessCase): SitePermission[] {
  const { kind, scopes, tokenOrganization, onlySite } = given;
  if (tokenOrganization === 'abroad' || onlySite === 'other') return [];
  const isOwn = kind === 'api' || kind === 'session' || kind === 'console';
  const relations = relationsOf(given);
  const granted = new Set<string>();
  if (kind === 'console' || scopes.includes('sites:read_all') || scopes.includes('sites:read_single'))
    granted.add('read');
  if (kind === 'console' || scopes.includes('sites:write_all')) granted.add('write');
  if (kind === 'console' || scopes.includes('sites:recover_all')) granted.add('recover');
  const permissions = ROWS.filter(([permission, token = '', needed = '', who = '']) => {
    if (tokenOrganization === 'partner' && permission !== 'read') return false;
    const isKind = token === 'any' || (token === 'own' ? isOwn : kind === token);
    const hasScopes = needed.split('+').every((scope) => granted.has(scope));
    return isKind && hasScopes && who.split(' ').some((relation) => relations.includes(relation));
  }).map(([permission]) => permission as SitePermission);
  return [...new Set(permissions)];
}

function relationsOf({ role, employment, operator, tokenOrganization }: AccessCase): string[] {
  const employer = employment === 'partner' ? 'partner' : 'home';
  const isEmployed = employment !== null && (tokenOrganization === null || tokenOrganization === employer);
  return [role, isEmployed ? employment : null, operator ? 'operator' : null].filter((one) => one !== null);
}
