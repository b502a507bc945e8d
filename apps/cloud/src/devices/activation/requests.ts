import type {
  ActivationRequest,
  RequestActivationAnswer,
  RequestActivationBody,
  SiteWithToken,
} from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { type Page, pageFrom } from '../../db/page.ts';
import type { InputOf } from '../../http/use-cases.ts';
import { organizationForNewSites } from '../../identity/users/home-organization.ts';
import type { ServerPlatform } from '../../platform.ts';
import { findReach } from '../devices/access.ts';
import { activateIn, activationOf } from '../devices/lifecycle.ts';
import type { Reach } from '../devices/policy.ts';
import { presentDevice } from '../devices/present.ts';
import { findDevices, lockDevice } from '../devices/rows.ts';
import type { DevicePlatform } from '../platform.ts';
import { redeemCode } from './codes.ts';
import { REQUESTS_PER_ADDRESS, REQUESTS_PER_CALLER, REQUESTS_PER_DEVICE } from './limits.ts';
import { requireDecider } from './policy.ts';
import { presentActivated, presentRequest, presentRequested } from './present.ts';

/** Registers an activated device as a site of the caller. */
export type RegisterSite = (
  caller: Caller,
  device: Pick<RequestActivationBody, 'uid' | 'code'>,
) => Promise<SiteWithToken>;

/** Ground of requests for activation by the holders of devices. */
export interface ActivationPlatform extends ServerPlatform, DevicePlatform {
  readonly registerSite: RegisterSite;
}

export type RequestRecord = Awaited<ReturnType<typeof selectRequests>>[number];

/**
 * Registers a device to the caller if it is activated, or can be: with a code, or by the service's policy.
 * Otherwise the request is stored for a decision.
 *
 * @throws NotFound for an unknown uid, and for another account's device; Unprocessable for an invalid code, and for
 * a released device without a registration code; TooManyRequests
 */
export async function requestActivation(
  platform: ActivationPlatform,
  caller: Caller,
  { body }: InputOf<'requestActivation'>,
): Promise<RequestActivationAnswer> {
  const { uid, code = null } = body;
  const { limits } = platform;
  await limits.consume(REQUESTS_PER_ADDRESS, caller.network);
  await limits.consume(REQUESTS_PER_CALLER, String(caller.userId));
  await limits.consume(REQUESTS_PER_DEVICE, `${caller.userId} ${uid}`);
  const state = await activationOf(platform.db, uid);
  if (state === undefined || state === 'revoked') throw new NotFound();
  if (state !== 'activated' && !(await activate(platform, caller, body))) return presentRequested();
  return presentActivated(await platform.registerSite(caller, { uid, code }));
}

/** The requests that the caller can decide on. @throws Forbidden for callers who decide on none */
export async function listActivationRequests(
  { db, proxies }: DevicePlatform,
  caller: Caller,
  { query }: InputOf<'listActivationRequests'>,
): Promise<ActivationRequest[]> {
  const reach = await findReach(db, caller);
  requireDecider(reach);
  const waiting = await selectRequests(db, reach, pageFrom(query));
  const found = await findDevices(
    db,
    waiting.map(({ uid }) => uid),
  );
  const directory = await proxies.directory();
  const devices = new Map(found.map((device) => [device.uid, presentDevice(device, directory)]));
  return waiting.flatMap((request) => {
    const device = devices.get(request.uid);
    return device === undefined ? [] : [presentRequest(request, device, caller.locale)];
  });
}

/**
 * Deletes a request; the device can be requested again.
 *
 * @throws Forbidden for callers who decide on none; NotFound for a request that the caller cannot decide on
 */
export async function declineActivationRequest(
  { db, clock }: DevicePlatform,
  caller: Caller,
  { params: { uid } }: InputOf<'declineActivationRequest'>,
): Promise<void> {
  const reach = await findReach(db, caller);
  requireDecider(reach);
  const { everything, managed } = reach;
  await db.transaction().execute(async (tx) => {
    const removed = await tx
      .deleteFrom('activation_requests as requests')
      .where('requests.uid', '=', uid)
      .$if(!everything, (requests) => requests.where(isOf(managed)))
      .returning(['requests.user_id as userId', 'requests.organization_id as organizationId'])
      .executeTakeFirst();
    const { userId, organizationId } = orNotFound(removed);
    const about = { deviceUid: uid, organizationId, userId };
    const event = { action: 'device.activation_declined', ...about } as const;
    await recordAudit(tx, actorOf(caller), new Date(clock.now()), event);
  });
}

/** @returns whether the device is activated now */
async function activate(
  platform: ActivationPlatform,
  caller: Caller,
  { uid, code, message }: RequestActivationBody,
): Promise<boolean> {
  const actor = actorOf(caller);
  if (typeof code === 'string' && code.trim() !== '') {
    await redeemCode(platform, actor, uid, code);
    return true;
  }
  if (platform.config.deviceActivation === 'automatic') {
    await platform.db.transaction().execute((tx) => activateIn(platform, tx, actor, uid, { by: 'policy' }));
    return true;
  }
  return !(await storeRequest(platform, caller, uid, message ?? ''));
}

/** Stores a request instead of any earlier one for the device. @returns false when it was activated in the meantime */
async function storeRequest(
  { db, clock }: ActivationPlatform,
  caller: Caller,
  uid: string,
  message: string,
): Promise<boolean> {
  const home = await organizationForNewSites(db, caller);
  const at = new Date(clock.now());
  return db.transaction().execute(async (tx) => {
    const device = await lockDevice(tx, uid);
    if (device === undefined || device.revokedAt !== null) throw new NotFound();
    if (device.activatedAt !== null) return false;
    const organizationId = device.organizationId ?? home;
    const request = { user_id: caller.userId, organization_id: organizationId, message, requested_at: at };
    await tx
      .insertInto('activation_requests')
      .values({ uid, ...request })
      .onConflict((conflict) => conflict.column('uid').doUpdateSet(request))
      .execute();
    const event = { action: 'device.activation_requested', deviceUid: uid, organizationId } as const;
    await recordAudit(tx, actorOf(caller), at, event);
    return true;
  });
}

/** Open requests of the managed organizations, the oldest first. */
function selectRequests(db: Database, { everything, managed }: Reach, { offset, limit }: Page) {
  return db
    .selectFrom('activation_requests as requests')
    .innerJoin('users', 'users.id', 'requests.user_id')
    .select([
      'requests.uid',
      'requests.organization_id as organizationId',
      'requests.message',
      'requests.requested_at as requestedAt',
      'users.id as userId',
      'users.email',
      'users.first_name as firstName',
      'users.last_name as lastName',
    ])
    .$if(!everything, (requests) => requests.where(isOf(managed)))
    .orderBy('requests.requested_at')
    .orderBy('requests.uid')
    .offset(offset)
    .limit(limit)
    .execute();
}

function isOf(organizationIds: readonly number[]) {
  return sql<SqlBool>`requests.organization_id = any(${organizationIds}::int[])`;
}
