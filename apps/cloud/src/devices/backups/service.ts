import { createHash } from 'node:crypto';
import type { SiteBackup } from '@heliograph/contracts';
import { type Clock, NotFound, Unprocessable } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { SiteAccess } from '../../access/site-access.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import type { RateLimits, RateRule } from '../../common/limits/rate-limits.ts';
import type { Database } from '../../db/open.ts';

/** Backups of one device that stay; older ones go. */
const KEPT = 3;

/** A device stores one a day, and another one when its owner turns backups off and on. */
const UPLOADS_PER_DEVICE: RateRule = { name: 'backup-device', points: 10, durationS: 24 * 60 * 60 };

/** Calls without a valid token. */
const MISSES_PER_ADDRESS: RateRule = { name: 'backup-address', points: 60, durationS: 10 * 60 };

export interface DeviceBackupOptions {
  readonly db: Database;
  readonly access: SiteAccess;
  readonly limits: RateLimits;
  readonly clock: Clock;
}

/** Encrypted backups that devices store, and fetch when they are restored. */
export class DeviceBackupService {
  readonly #options: DeviceBackupOptions;

  constructor(options: DeviceBackupOptions) {
    this.#options = options;
  }

  /** @throws Unprocessable for bytes that are no encrypted backup; TooManyRequests */
  async store(uid: string, fetchHash: string, bytes: Buffer): Promise<void> {
    const { db, limits, clock } = this.#options;
    if (!bytes.subarray(0, MAGIC.length).equals(MAGIC))
      throw new Unprocessable('This is no encrypted backup');
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

  async remove(uid: string): Promise<void> {
    await this.#options.db.deleteFrom('device_backups').where('device_uid', '=', uid).execute();
  }

  /**
   * The newest backup for the token that follows from a recovery code.
   *
   * @throws NotFound also for a device that was revoked; TooManyRequests
   */
  async fetch(token: string, { network }: ClientAddress): Promise<Buffer> {
    const { db, limits } = this.#options;
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

  /** @throws NotFound; Forbidden for others than owners and admins of the site */
  async list(caller: Caller, siteId: number): Promise<SiteBackup[]> {
    const { db, access } = this.#options;
    await access.require(caller, siteId, 'connections');
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
}

/** The first bytes of every encrypted backup. */
const MAGIC = Buffer.from('HGBACKUP', 'latin1');
