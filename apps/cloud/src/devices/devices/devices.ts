import type { DeviceSummary, ListedDevice } from '@heliograph/contracts';
import { actorOf, type Caller } from '../../access/caller.ts';
import { pageFrom } from '../../db/page.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { DevicePlatform } from '../platform.ts';
import { findReach, requireActivatable, requireManagedDevice, requireVisibleDevice } from './access.ts';
import { activate, provision, restore, revoke, showDevice } from './lifecycle.ts';
import { requireProvisioner } from './policy.ts';
import { presentListed } from './present.ts';
import { listRows } from './rows.ts';

/** A page by uid; a limit above the largest page is served as the largest page. */
export async function listDevices(
  { db, proxies }: DevicePlatform,
  caller: Caller,
  { query }: InputOf<'listDevices'>,
): Promise<ListedDevice[]> {
  const reach = await findReach(db, caller);
  const filter = { prefix: query.q?.trim() ?? '', state: query.state };
  const [devices, directory] = await Promise.all([
    listRows(db, reach, filter, pageFrom(query)),
    proxies.directory(),
  ]);
  return devices.map((device) => presentListed(device, directory, reach, caller.locale));
}

/** @throws NotFound; TooManyRequests */
export async function getDevice(
  platform: DevicePlatform,
  caller: Caller,
  { params: { uid } }: InputOf<'getDevice'>,
): Promise<DeviceSummary> {
  await requireVisibleDevice(platform, caller, uid);
  return showDevice(platform, uid);
}

/** @throws Forbidden; ValidationError for an invalid uid, and an organization that does not exist */
export async function provisionDevice(
  platform: DevicePlatform,
  caller: Caller,
  { body: { uid, organization_id: organizationId = null, activate = false } }: InputOf<'provisionDevice'>,
): Promise<{ device: DeviceSummary; created: boolean }> {
  requireProvisioner(await findReach(platform.db, caller));
  return provision(platform, actorOf(caller), { uid, organizationId, activate });
}

/** @throws NotFound; Forbidden; ValidationError; TooManyRequests */
export async function activateDevice(
  platform: DevicePlatform,
  caller: Caller,
  { params: { uid }, body }: InputOf<'activateDevice'>,
): Promise<DeviceSummary> {
  const organizationId = await requireActivatable(platform, caller, uid, body.organization_id);
  return activate(platform, actorOf(caller), uid, organizationId);
}

/** @throws NotFound; Forbidden; TooManyRequests */
export async function revokeDevice(
  platform: DevicePlatform,
  caller: Caller,
  { params: { uid } }: InputOf<'revokeDevice'>,
): Promise<DeviceSummary> {
  await requireManagedDevice(platform, caller, uid);
  return revoke(platform, actorOf(caller), uid);
}

/** @throws NotFound; Forbidden; TooManyRequests */
export async function restoreDevice(
  platform: DevicePlatform,
  caller: Caller,
  { params: { uid } }: InputOf<'restoreDevice'>,
): Promise<DeviceSummary> {
  await requireManagedDevice(platform, caller, uid);
  return restore(platform, actorOf(caller), uid);
}
