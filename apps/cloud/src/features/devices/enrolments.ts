import type { Database } from '../../db/open.ts';

/** What a device says of itself, with dates as dates, and the address it says it from. */
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
  readonly publicIp: string | null;
}

export interface PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
}

/** A device as far as its way in depends on it. */
export interface EnrolledDevice {
  /** Null, like the time of enrolment, for a device that an operator provisioned and that never called. */
  readonly publicKey: { readonly x: string } | null;
  readonly enrolledAt: Date | null;
  readonly activatedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly organizationId: number | null;
  readonly siteId: number | null;
  readonly siteName: string | null;
  readonly region: string | null;
}

/** What calls of devices leave behind. */
export class EnrolmentRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Remembers a proof for as long as it could be sent again. @returns false when it is known already */
  async rememberProof(digest: Buffer, expiresAt: Date): Promise<boolean> {
    const remembered = await this.#db
      .insertInto('device_proofs')
      .values({ hash: digest, expires_at: expiresAt })
      .onConflict((conflict) => conflict.doNothing())
      .returning('hash')
      .executeTakeFirst();
    return remembered !== undefined;
  }

  find(uid: string, db: Database = this.#db): Promise<EnrolledDevice | undefined> {
    return db
      .selectFrom('devices')
      .leftJoin('sites', 'sites.id', 'devices.site_id')
      .select([
        'devices.public_key as publicKey',
        'devices.enrolled_at as enrolledAt',
        'devices.activated_at as activatedAt',
        'devices.revoked_at as revokedAt',
        'devices.organization_id as organizationId',
        'devices.site_id as siteId',
        'sites.name as siteName',
        'sites.region',
      ])
      .where('devices.uid', '=', uid)
      .executeTakeFirst();
  }

  /**
   * Gives a device its key: a new one, or one that waits for its first call.
   *
   * @returns false when it has one already, this or another
   */
  async enrol(tx: Database, uid: string, publicKey: PublicKey, at: Date): Promise<boolean> {
    const key = { public_key: JSON.stringify(publicKey), enrolled_at: at };
    const enrolled = await tx
      .insertInto('devices')
      .values({ uid, ...key })
      .onConflict((conflict) =>
        conflict.column('uid').doUpdateSet(key).where('devices.public_key', 'is', null),
      )
      .returning('uid')
      .executeTakeFirst();
    return enrolled !== undefined;
  }

  /** Stores what a device says; writes nothing when nothing changed. */
  async storeFacts(uid: string, facts: Facts, db: Database = this.#db): Promise<void> {
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
      public_ip: facts.publicIp,
    };
    await db
      .updateTable('devices')
      .set(columns)
      .where('uid', '=', uid)
      .where((eb) => eb.or(FACT_COLUMNS.map((column) => eb(column, 'is distinct from', columns[column]))))
      .execute();
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
  'public_ip',
] as const;
