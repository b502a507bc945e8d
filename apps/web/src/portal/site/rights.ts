import type { OwnOrganization, Site, SiteRole } from '@heliograph/client';

/** What somebody may do with a site. The cloud and the device decide; pages show what would work. */
export interface SiteRights {
  /** Null for those who see it without one: employees of an organization, operators. */
  readonly role: SiteRole | null;
  /** Change settings of the device. */
  readonly mayWrite: boolean;
  /** Name it, invite and remove people. */
  readonly mayManage: boolean;
  /** Make somebody else its owner. */
  readonly mayHandOver: boolean;
  /** See who else reads it, and end that. */
  readonly seesConnections: boolean;
}

interface Reader {
  readonly user: { readonly id: number } | null;
  readonly is_operator: boolean;
  readonly organizations: readonly Pick<OwnOrganization, 'id' | 'role'>[];
}

/** As the policies of the cloud have it: settings and what is private are for the household alone. */
export function rightsOn(site: Pick<Site, 'users' | 'organization'>, reader: Reader): SiteRights {
  const role = site.users.find(({ id }) => id === reader.user?.id)?.role ?? null;
  const isHousehold = role === 'owner' || role === 'admin';
  const employer = reader.organizations.find(({ id }) => id === site.organization?.id);
  const managesOrganization = employer?.role === 'owner' || employer?.role === 'admin';
  return {
    role,
    mayWrite: isHousehold,
    mayManage: isHousehold || managesOrganization || reader.is_operator,
    mayHandOver: role === 'owner' || reader.is_operator,
    seesConnections: isHousehold || reader.is_operator,
  };
}
