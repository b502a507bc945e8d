import { createHash } from 'node:crypto';
import type { SiteBackup } from '@heliograph/contracts';
import { NotFound, Unprocessable } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import type { RateRule } from '../../common/limits/rate-limits.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';

/** Backups of one device that stay; older ones go. */
const KEPT = 3;

/** A device stores one a day, and another one when its owner turns backups off and on. */
const UPLOADS_PER_DEVICE: RateRule = { name: 'backup-device', points: 10, durationS: 24 * 60 * 60 };

/** Calls without a valid token. */
const MISSES_PER_ADDRESS: RateRule = { name: 'backup-address', points: 60, durationS: 10 * 60 };

/** The first bytes of every encrypted backup. */
const MAGIC = Buffer.from('HGBACKUP', 'latin1');

/** @throws Unprocessable for bytes that are no encrypted backup; TooManyRequests */
export async function storeBackup(
  { db, limits, clock }: Platform,
  uid: string,
  fetchHash: string,
  bytes: Buffer,
): Promise<void> {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw new Unprocessable('This is no encrypted backup');
  await limits.consume(UPLOADS_PER_DEVICE, uid);
  await db.transaction().execute(async (tx) => {
    const device = await tx
      .selectFrom('devices')
      .select('site_id as siteId')
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirst();
    if (device === undefined || device.siteId === null) throw new NotFound();
    await tx
      .insertInto('device_backups')
      .values({
        device_uid: uid,
        site_id: device.siteId,
        fetch_hash: Buffer.from(fetchHash, 'hex'),
        made_at: new Date(clock.now()),
        size: bytes.length,
        bytes,
      })
      .execute();
    await tx
      .deleteFrom('device_backups')
      .where('device_uid', '=', uid)
      .where('id', 'not in', (eb) =>
        eb
          .selectFrom('device_backups as kept')
          .select('kept.id')
          .where('kept.device_uid', '=', uid)
          .orderBy('kept.id', 'desc')
          .limit(KEPT),
      )
      .execute();
  });
}

export async function removeBackups({ db }: Platform, uid: string): Promise<void> {
  await db.deleteFrom('device_backups').where('device_uid', '=', uid).execute();
}

/**
 * The newest backup for the token that follows from a recovery code.
 *
 * @throws NotFound also for a device that was revoked; TooManyRequests
 */
export async function fetchBackup(
  { db, limits }: Platform,
  token: string,
  { network }: ClientAddress,
): Promise<Buffer> {
  await limits.consume(MISSES_PER_ADDRESS, network);
  const found = await db
    .selectFrom('device_backups')
    .innerJoin('devices', 'devices.uid', 'device_backups.device_uid')
    .select('device_backups.bytes')
    .where('fetch_hash', '=', createHash('sha256').update(token).digest())
    .where('devices.revoked_at', 'is', null)
    .orderBy('device_backups.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) throw new NotFound('There is no backup for this recovery code');
  await limits.reward(MISSES_PER_ADDRESS, network);
  return found.bytes;
}

/** The backups of a site's device, the newest first. */
export async function listSiteBackups(
  { db }: Platform,
  _caller: Caller,
  { site: { id: siteId } }: InputOf<'listSiteBackups'>,
): Promise<SiteBackup[]> {
  const backups = await db
    .selectFrom('device_backups')
    .select(['id', 'device_uid', 'made_at', 'size'])
    .where(sql<SqlBool>`site_id = ${siteId}`)
    .orderBy('id', 'desc')
    .execute();
  return backups.map(({ id, device_uid, made_at, size }) => ({
    id,
    device_uid,
    made_at: made_at.toISOString(),
    size,
  }));
}
