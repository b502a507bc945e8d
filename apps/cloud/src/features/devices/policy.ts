import type { SiteRole } from '@heliograph/contracts';
import { Forbidden, ValidationError } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';

/** That an account works for an organization. */
export interface EmployerRole {
  readonly organizationId: number;
  readonly role: SiteRole;
}

/** Which devices exist for a caller, and which of them it manages. */
export interface Reach {
  /** Every device there is, seen and managed. */
  readonly everything: boolean;
  /** Organizations whose devices the caller sees. */
  readonly seen: readonly number[];
  /** Those of them whose devices it activates, revokes and restores, and whose codes it makes. */
  readonly managed: readonly number[];
  /** Besides, it sees the devices on the sites that it owns or is a member of. */
  readonly sites: OwnSites;
}

/** The sites that an account owns or is a member of, of which its token may show but some. */
export interface OwnSites {
  readonly userId: number;
  readonly organizationId: number | null;
  readonly siteId: number | null;
}

/** Whose a device is, as far as it matters here. */
export interface DeviceOwnership {
  readonly organizationId: number | null;
  readonly siteId: number | null;
}

/**
 * Operators reach every device; whoever works for an organization sees its devices, and its owner and admins
 * manage them; everyone sees the devices of their own sites. With a token of an organization nothing outside it
 * exists, not even for operators, and with a token of one site nothing but that site's device.
 */
export function reachOf(caller: Caller, employments: readonly EmployerRole[]): Reach {
  const { userId, staff, organizationId, siteId } = caller;
  const sites = { userId, organizationId, siteId };
  if (siteId !== null) return { everything: false, seen: [], managed: [], sites };
  if (staff) {
    const organizations = organizationId === null ? [] : [organizationId];
    return { everything: organizationId === null, seen: organizations, managed: organizations, sites };
  }
  const valid = employments.filter(
    (employment) => organizationId === null || employment.organizationId === organizationId,
  );
  return {
    everything: false,
    seen: valid.map((employment) => employment.organizationId),
    managed: valid.filter(({ role }) => role !== 'member').map((employment) => employment.organizationId),
    sites,
  };
}

/** Whether a device is one of an organization that the caller sees; it may be on a site of its own all the same. */
export function isVisible(reach: Reach, { organizationId }: DeviceOwnership): boolean {
  return reach.everything || (organizationId !== null && reach.seen.includes(organizationId));
}

/** @throws Forbidden */
export function requireManaged(reach: Reach, organizationId: number | null): void {
  if (reach.everything || (organizationId !== null && reach.managed.includes(organizationId))) return;
  throw new Forbidden('Only operators and the admins of the organization may do this');
}

/** @throws Forbidden for those who never activate a device, whichever it is */
export function requireActivator(reach: Reach): void {
  if (reach.everything || reach.managed.length > 0) return;
  throw new Forbidden('Only operators and the admins of an organization may activate devices');
}

/** @throws Forbidden also with an operator's token of one organization, which is for that organization alone */
export function requireProvisioner({ everything }: Reach): void {
  if (!everything) throw new Forbidden('Only operators of the service may provision devices');
}

/** A device that is nobody's yet may be activated by every organization that knows its uid. */
export function isUnclaimed({ organizationId, siteId }: DeviceOwnership): boolean {
  return organizationId === null && siteId === null;
}

/**
 * The organization that a device is to belong to: the one that was named, else the caller's own.
 *
 * @returns null for none, which only operators may choose
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
