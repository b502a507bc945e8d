import type { SiteSummary } from '@heliograph/contracts';
import { NotFound, Unprocessable, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller, requireFreshSignIn, requirePerson } from '../../access/caller.ts';
import { sitePermissions } from '../../access/site-permissions.ts';
import { orNotFound, RegistrationCodeRequired, UnknownDevice } from '../../common/errors.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { spendRegistrationCode } from '../../db/registration-codes.ts';
import { mailedOwnerOf } from '../../db/site-invitations.ts';
import { redeemCode } from '../../devices/activation/codes.ts';
import { activateIn } from '../../devices/devices/lifecycle.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { SitePlatform } from '../platform.ts';
import { findRecord } from './records.ts';
import { MISSES_BY_ACCOUNT, MISSES_BY_ADDRESS, typedCode } from './registration.ts';
import { presentSummary } from './summary.ts';

interface DeviceOfReplacement {
  readonly uid: string;
  readonly siteId: number | null;
  readonly formerSiteId: number | null;
  readonly organizationId: number | null;
  readonly activatedAt: Date | null;
  readonly revokedAt: Date | null;
}

/**
 * Gives a site another device, in place of one that broke. The site stays as it is, with its members and tokens. The former
 * device is revoked, the database ends its sessions, and the new one takes over its activation.
 *
 * @throws NotFound also for a device that does not exist for the caller; Forbidden; FreshSignInRequired; Unprocessable for a
 * device that is not activated; RegistrationCodeRequired for one that was released, without a valid code; ValidationError;
 * TooManyRequests
 */
export async function replaceSiteDevice(
  platform: SitePlatform,
  caller: Caller,
  { site: { id: siteId, permissions }, body }: InputOf<'replaceSiteDevice'>,
): Promise<SiteSummary> {
  const { uid } = body;
  const code = typedCode(body.code);
  const { db, proxies, limits, clock } = platform;
  if (permissions.has('grant')) requireFreshSignIn(caller, clock.now());
  else requirePerson(caller, clock.now());
  // Consumed first and returned on success: concurrent attempts do not evade the limit.
  await limits.consume(MISSES_BY_ADDRESS, caller.network);
  await limits.consume(MISSES_BY_ACCOUNT, String(caller.userId));
  const actor = actorOf(caller);
  if (code !== null) await redeemCode(platform, actor, uid, code);
  await db.transaction().execute((tx) => replaceIn(tx, platform, caller, actor, siteId, { uid, code }));
  await limits.reward(MISSES_BY_ADDRESS, caller.network);
  await limits.reward(MISSES_BY_ACCOUNT, String(caller.userId));
  const site = orNotFound(await findRecord(db, caller, siteId));
  return presentSummary(site, sitePermissions(caller, site), await proxies.directory());
}

async function replaceIn(
  tx: Database,
  platform: SitePlatform,
  caller: Caller,
  actor: Actor,
  siteId: number,
  { uid, code }: { readonly uid: string; readonly code: string | null },
): Promise<void> {
  const at = new Date(platform.clock.now());
  // Waits for a change of its owner, which may be another account by then.
  const site = await tx
    .selectFrom('sites')
    .select(['name', 'owner_id as ownerId', 'organization_id as organizationId'])
    .where('id', '=', siteId)
    .forUpdate()
    .executeTakeFirst();
  if (site === undefined || (!caller.staff && site.ownerId !== caller.userId)) throw new NotFound();
  const locked = await lockDevices(tx, siteId, uid);
  const next = locked.find((device) => device.uid === uid);
  const former = locked.find((device) => device.siteId === siteId);
  if (next === undefined || next.revokedAt !== null) throw new UnknownDevice();
  if (next.siteId === siteId) return;
  if (next.siteId !== null) {
    const isOwn = await isOwnedBy(tx, next.siteId, caller.userId);
    if (!isOwn) throw new UnknownDevice();
    throw new ValidationError({ uid: ['is the device of another site of yours: release that site first'] });
  }
  if (next.formerSiteId !== null) {
    const isSpent = code !== null && (await spendRegistrationCode(tx, uid, code, at));
    if (!isSpent) throw new RegistrationCodeRequired(code !== null);
  }
  await activate(tx, platform, actor, next, former);
  if (former !== undefined) {
    await tx
      .updateTable('devices')
      .set({ site_id: null, revoked_at: former.revokedAt ?? at })
      .where('uid', '=', former.uid)
      .execute();
  }
  const organizationId = next.organizationId ?? former?.organizationId ?? null;
  await tx
    .updateTable('devices')
    .set({ site_id: siteId, organization_id: organizationId })
    .where('uid', '=', uid)
    .execute();
  const details = { from: former?.uid ?? null, to: uid };
  const about = { siteId, organizationId: site.organizationId, userId: site.ownerId, deviceUid: uid };
  await recordAudit(tx, actor, at, { action: 'site.device_replaced', ...about, details });
  const userId = await mailedOwnerOf(tx, siteId);
  if (userId === null) return;
  await platform.mail.enqueue(tx, {
    kind: 'deviceReplaced',
    userId,
    organizationId: site.organizationId,
    name: site.name ?? `#${siteId}`,
    at: at.toISOString(),
    address: actor.address,
  });
}

/** As many devices are active as before; one of another organization is that organization's to activate. */
async function activate(
  tx: Database,
  platform: SitePlatform,
  actor: Actor,
  { uid, activatedAt, organizationId }: DeviceOfReplacement,
  former: DeviceOfReplacement | undefined,
): Promise<void> {
  if (activatedAt !== null) return;
  const inherits =
    former !== undefined &&
    former.activatedAt !== null &&
    former.revokedAt === null &&
    (organizationId === null || organizationId === former.organizationId);
  if (!inherits && platform.config.deviceActivation !== 'automatic')
    throw new Unprocessable('The device is not activated yet');
  const cause = inherits
    ? ({ by: 'replacement', organizationId: former.organizationId } as const)
    : ({ by: 'policy' } as const);
  await activateIn(platform, tx, actor, uid, cause);
}

/** In one order, so that two replacements never wait for each other. */
function lockDevices(tx: Database, siteId: number, uid: string): Promise<DeviceOfReplacement[]> {
  return tx
    .selectFrom('devices')
    .select([
      'uid',
      'site_id as siteId',
      'former_site_id as formerSiteId',
      'organization_id as organizationId',
      'activated_at as activatedAt',
      'revoked_at as revokedAt',
    ])
    .where((eb) => eb.or([eb('uid', '=', uid), eb('site_id', '=', siteId)]))
    .orderBy('uid')
    .forUpdate()
    .execute();
}

async function isOwnedBy(tx: Database, siteId: number, userId: number): Promise<boolean> {
  const own = await tx
    .selectFrom('sites')
    .select('id')
    .where('id', '=', siteId)
    .where('owner_id', '=', userId)
    .executeTakeFirst();
  return own !== undefined;
}
