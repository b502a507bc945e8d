import { ValidationError } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import { UnknownDevice } from '../../common/errors.ts';
import type { Database } from '../../db/open.ts';
import type { Platform } from '../../platform.ts';
import { MISSES_PER_ADDRESS, MISSES_PER_CALLER } from './limits.ts';
import {
  isUnclaimed,
  isVisible,
  organizationFor,
  type Reach,
  reachOf,
  requireActivator,
  requireManaged,
} from './policy.ts';
import { type DeviceRecord, employerRoles, findDevice, isOwnSite } from './rows.ts';

export async function findReach(db: Database, caller: Caller): Promise<Reach> {
  return reachOf(caller, caller.staff ? [] : await employerRoles(db, caller.userId));
}

/** @throws NotFound; TooManyRequests */
export async function requireVisibleDevice(platform: Platform, caller: Caller, uid: string): Promise<void> {
  const reach = await findReach(platform.db, caller);
  await lookUp(platform, caller, uid, (device) => exists(platform.db, reach, device));
}

/** For revoking and restoring. @throws NotFound; Forbidden; TooManyRequests */
export async function requireManagedDevice(platform: Platform, caller: Caller, uid: string): Promise<void> {
  const reach = await findReach(platform.db, caller);
  const { organizationId } = await lookUp(platform, caller, uid, (device) =>
    exists(platform.db, reach, device),
  );
  requireManaged(reach, organizationId);
}

/**
 * @param named the organization that the device is to belong to, if the caller names one
 * @returns the organization for the device
 * @throws NotFound; Forbidden; ValidationError; TooManyRequests
 */
export async function requireActivatable(
  platform: Platform,
  caller: Caller,
  uid: string,
  named?: number | null,
): Promise<number | null> {
  const reach = await findReach(platform.db, caller);
  requireActivator(reach);
  const device = await lookUp(platform, caller, uid, async (known) => {
    return isUnclaimed(known) || (await exists(platform.db, reach, known));
  });
  const { organizationId, siteId, activatedAt } = device;
  if (organizationId !== null || siteId !== null) requireManaged(reach, organizationId);
  if (activatedAt !== null) return null;
  if (organizationId === null) return organizationFor(reach, named);
  if (named !== undefined && named !== null && named !== organizationId) {
    throw new ValidationError({ organization_id: ['is not the one that the device belongs to'] });
  }
  return organizationId;
}

async function exists(db: Database, reach: Reach, device: DeviceRecord): Promise<boolean> {
  if (isVisible(reach, device)) return true;
  return device.siteId !== null && (await isOwnSite(db, reach.sites, device.siteId));
}

/** Only failed look-ups count, so that the limit stops clients that try uids and no owner of many devices. */
async function lookUp(
  { db, limits }: Platform,
  { userId, network }: Caller,
  uid: string,
  isSeen: (device: DeviceRecord) => Promise<boolean>,
): Promise<DeviceRecord> {
  const caller = String(userId);
  // Consumed first and returned on success: concurrent attempts do not evade the limit.
  await limits.consume(MISSES_PER_ADDRESS, network);
  await limits.consume(MISSES_PER_CALLER, caller);
  const device = await findDevice(db, uid);
  if (device === undefined || !(await isSeen(device))) throw new UnknownDevice();
  await limits.reward(MISSES_PER_ADDRESS, network);
  await limits.reward(MISSES_PER_CALLER, caller);
  return device;
}
