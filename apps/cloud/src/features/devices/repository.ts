import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

/** What a device says of itself, with dates as dates. */
export interface Facts {
  readonly arch: string;
  readonly board: string | null;
  readonly version: string;
  readonly buildDate: Date | null;
  readonly localIp: string | null;
  readonly inverter: string | null;
  readonly inverterCount: number;
  readonly battery: string | null;
  readonly batteryCount: number;
}

export interface PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
}

export interface DeviceRecord {
  /** Null, like the time of enrolment, for a device that an operator provisioned and that never called. */
  readonly publicKey: { readonly x: string } | null;
  readonly enrolledAt: Date | null;
  readonly activatedAt: Date | null;
  readonly siteId: number | null;
  readonly siteName: string | null;
  readonly region: string | null;
}

export interface Enrolment {
  readonly uid: string;
  readonly publicKey: PublicKey;
  readonly facts: Facts;
  readonly at: Date;
  /** Activates the device too, unless it is already. */
  readonly activate: boolean;
}

const FACT_COLUMNS = [
  'arch',
  'board',
  'version',
  'build_date',
  'local_ip',
  'inverter',
  'inverter_count',
  'battery',
  'battery_count',
] as const;

export class DeviceRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Adds a device, or stores its newest facts; writes nothing when nothing changed. */
  async enrol({ uid, publicKey, facts, at, activate }: Enrolment): Promise<void> {
    const columns = {
      arch: facts.arch,
      board: facts.board,
      version: facts.version,
      build_date: facts.buildDate,
      local_ip: facts.localIp,
      inverter: facts.inverter,
      inverter_count: facts.inverterCount,
      battery: facts.battery,
      battery_count: facts.batteryCount,
    };
    const stored = sql.join(FACT_COLUMNS.map((column) => sql.ref(`devices.${column}`)));
    const given = sql.join(FACT_COLUMNS.map((column) => sql.ref(`excluded.${column}`)));
    await this.#db
      .insertInto('devices')
      .values({
        uid,
        public_key: JSON.stringify(publicKey),
        enrolled_at: at,
        activated_at: activate ? at : null,
        ...columns,
      })
      .onConflict((conflict) =>
        conflict
          .column('uid')
          .doUpdateSet({
            ...columns,
            public_key: sql`coalesce(devices.public_key, excluded.public_key)`,
            enrolled_at: sql`coalesce(devices.enrolled_at, excluded.enrolled_at)`,
            activated_at: sql`coalesce(devices.activated_at, excluded.activated_at)`,
          })
          .where(
            sql<boolean>`(${stored}) is distinct from (${given})
              or devices.public_key is null
              or (devices.activated_at is null and excluded.activated_at is not null)`,
          ),
      )
      .execute();
  }

  find(uid: string): Promise<DeviceRecord | undefined> {
    return this.#db
      .selectFrom('devices')
      .leftJoin('sites', 'sites.id', 'devices.site_id')
      .select([
        'devices.public_key as publicKey',
        'devices.enrolled_at as enrolledAt',
        'devices.activated_at as activatedAt',
        'devices.site_id as siteId',
        'sites.name as siteName',
        'sites.region',
      ])
      .where('devices.uid', '=', uid)
      .executeTakeFirst();
  }

  /** Remembers which proxy a device was told to dial. */
  async assign(uid: string, proxyName: string): Promise<void> {
    await this.#db
      .updateTable('devices')
      .set({ assigned_proxy: proxyName })
      .where('uid', '=', uid)
      .where('assigned_proxy', 'is distinct from', proxyName)
      .execute();
  }

  /**
   * Marks devices as online on a proxy. A row is written only when it changes, or when its `last_seen_at` is
   * older than `staleBefore`.
   *
   * A device that is online on the proxy it was last told to dial stays there: the other proxy that still
   * lists it holds the dead end of an older connection. Rows are locked in the order of their key, so that
   * two proxies announcing the same devices cannot wait for each other.
   */
  async markOnline(proxyName: string, uids: readonly string[], at: Date, staleBefore: Date): Promise<void> {
    await sql`
      with due as (
        select uid from devices
        where uid = any(${uids}::text[])
          and (
            (online and proxy_name = ${proxyName} and last_seen_at < ${staleBefore})
            or not online
            or (proxy_name is distinct from ${proxyName} and assigned_proxy is distinct from proxy_name)
          )
        order by uid for update
      )
      update devices set online = true, proxy_name = ${proxyName}, last_seen_at = ${at}
      from due where devices.uid = due.uid`.execute(this.#db);
  }

  /** Marks as offline what was online on a proxy and is not among the listed; `last_seen_at` stays. */
  async markOthersOffline(proxyName: string, uids: readonly string[]): Promise<void> {
    await sql`
      with gone as (
        select uid from devices
        where online and proxy_name = ${proxyName} and uid <> all(${uids}::text[])
        order by uid for update
      )
      update devices set online = false from gone where devices.uid = gone.uid`.execute(this.#db);
  }
}
