import type { SiteRole } from '@heliograph/contracts';
import { Forbidden, ValidationError } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';

/** The role of an account in an organization that employs it. */
export interface EmployerRole {
  readonly organizationId: number;
  readonly role: SiteRole;
}

/** The devices that exist for a caller, and those that it manages. */
export interface Reach {
  /** Every device there is, seen and managed. */
  readonly everything: boolean;
  /** Ids of organizations with visible devices. */
  readonly seen: readonly number[];
  /** Ids of organizations with devices that the caller activates, revokes and restores, and codes that it creates. */
  readonly managed: readonly number[];
  /** Devices on these sites are visible too. */
  readonly sites: OwnSites;
}

/** The sites that an account owns or is a member of, as far as its token shows them. */
export interface OwnSites {
  readonly userId: number;
  readonly organizationId: number | null;
  readonly siteId: number | null;
}

export interface DeviceOwnership {
  readonly organizationId: number | null;
  readonly siteId: number | null;
}

/**
 * Operators see and manage every device; employees see the devices of their organization, and its owners and admins
 * manage them; every account sees the devices of its own sites. With a token of an organization nothing outside it
 * exists, not even for operators, and with a token of one site nothing but that site's device.
 */
export function reachOf(caller: Caller, roles: readonly EmployerRole[]): Reach {
  const { userId, staff, organizationId, siteId } = caller;
  const sites = { userId, organizationId, siteId };
  if (siteId !== null) return { everything: false, seen: [], managed: [], sites };
  if (staff) {
    const organizations = organizationId === null ? [] : [organizationId];
    return { everything: organizationId === null, seen: organizations, managed: organizations, sites };
  }
  const valid = roles.filter((role) => organizationId === null || role.organizationId === organizationId);
  return {
    everything: false,
    seen: valid.map((role) => role.organizationId),
    managed: valid.filter(({ role }) => role !== 'member').map((role) => role.organizationId),
    sites,
  };
}

/** Whether the device is visible by its organization; it can be visible by its site besides. */
export function isVisible(reach: Reach, { organizationId }: DeviceOwnership): boolean {
  return reach.everything || (organizationId !== null && reach.seen.includes(organizationId));
}

/** @throws Forbidden */
export function requireManaged(reach: Reach, organizationId: number | null): void {
  if (reach.everything || (organizationId !== null && reach.managed.includes(organizationId))) return;
  throw new Forbidden('Only operators and the admins of the organization may do this');
}

/** @throws Forbidden for callers who can activate no device at all */
export function requireActivator(reach: Reach): void {
  if (reach.everything || reach.managed.length > 0) return;
  throw new Forbidden('Only operators and the admins of an organization may activate devices');
}

/** @throws Forbidden also with an operator's token of one organization, which is for that organization alone */
export function requireProvisioner({ everything }: Reach): void {
  if (!everything) throw new Forbidden('Only operators of the service may provision devices');
}

/** An unclaimed device can be activated by every organization that knows its uid. */
export function isUnclaimed({ organizationId, siteId }: DeviceOwnership): boolean {
  return organizationId === null && siteId === null;
}

/**
 * The organization for a device: the named one, else the caller's own.
 *
 * @returns null for none, which only operators can choose
 * @throws Forbidden for one that the caller does not manage; ValidationError when it manages several and names none
 */
export function organizationFor(reach: Reach, named: number | null | undefined): number | null {
  if (named !== null && named !== undefined) {
    requireManaged(reach, named);
    return named;
  }
  if (reach.everything) return null;
  const [own = null, ...others] = reach.managed;
  if (others.length > 0) throw new ValidationError({ organization_id: ["can't be blank"] });
  return own;
}
