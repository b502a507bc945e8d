import type { ReleaseChannel } from '@heliograph/kit';
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import { PREPARED } from '../../db/prepared-statements.ts';
import type { Schema } from '../../db/schema.ts';
import { mailedOwner } from '../../db/site-invitations.ts';
import type { ReportedFacts } from './facts.ts';

export interface PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
}

/** The part of a device that decides on the answer to its calls. */
export interface EnrolledDevice {
  /** Null, like the time of enrolment, for a device that an operator provisioned and that never called. */
  readonly publicKey: { readonly x: string } | null;
  readonly enrolledAt: Date | null;
  readonly activatedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly organizationId: number | null;
  readonly siteId: number | null;
  /** The site that the device lost, which has none since; null for others. */
  readonly formerSiteId: number | null;
  readonly siteName: string | null;
  /** Null, like the next, for a device without a site. */
  readonly updateChannel: ReleaseChannel | null;
  readonly automaticUpdates: boolean | null;
  readonly region: string | null;
  readonly online: boolean | null;
  readonly proxyName: string | null;
  readonly lastSeenAt: Date | null;
  readonly assignedProxy: string | null;
  /** Null for a device whose version does not report it. */
  readonly installationId: string | null;
  /** Whether site tokens of its site may be revoked; false: none is. */
  readonly hasRevocations: boolean;
  /** Whether support sessions of its site may be active; false: none is. */
  readonly hasSupport: boolean;
  /** Whether its site has delegations that it reported. */
  readonly hasDelegations: boolean;
}

/** A proof that a device made for one call. */
export interface NewProof {
  readonly digest: Buffer;
  /** The proof could be sent again until then. */
  readonly expiresAt: Date;
}

export interface ProofUse {
  /** False for a proof that was used before. */
  readonly isFresh: boolean;
  readonly device: EnrolledDevice | undefined;
  /** Whether the reported facts differ from the stored ones. */
  readonly hasChanges: boolean;
}

/** Stores the keys, proofs and facts of calling devices. */
export class EnrolmentRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Stores a proof and looks its device up in one statement, as thousands of devices can call within seconds. */
  async useProof(uid: string, { digest, expiresAt }: NewProof, facts: ReportedFacts): Promise<ProofUse> {
    const { isFresh, known, hasChanges, ...device } = await this.#db
      .with('proof', (db) =>
        db
          .insertInto('device_proofs')
          .values({ hash: digest, expires_at: expiresAt })
          .onConflict((conflict) => conflict.doNothing())
          .returning('hash'),
      )
      .selectFrom(sql<{ fresh: boolean }>`(select exists (select from proof) as fresh)`.as('call'))
      .leftJoin('devices', (join) => join.on('devices.uid', '=', uid))
      .leftJoin('sites', 'sites.id', 'devices.site_id')
      .select([...COLUMNS, 'call.fresh as isFresh', 'devices.uid as known'])
      .select((eb) => differs(eb, { ...columnsOf(facts), is_channel_chosen: false }).as('hasChanges'))
      .modifyFront(PREPARED)
      .executeTakeFirstOrThrow();
    return { isFresh, device: known === null ? undefined : device, hasChanges: hasChanges === true };
  }

  find(uid: string, db: Database = this.#db): Promise<EnrolledDevice | undefined> {
    return db
      .selectFrom('devices')
      .leftJoin('sites', 'sites.id', 'devices.site_id')
      .select(COLUMNS)
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

  /**
   * Makes a computer the one of a device. The first to report is so without a change of anything else.
   *
   * @returns `replaced` for one that another has replaced
   */
  async install(
    tx: Database,
    uid: string,
    installation: string,
  ): Promise<'first' | 'same' | 'installed' | 'replaced'> {
    const { present, replaced } = await tx
      .selectFrom('devices')
      .select(['installation_id as present', 'replaced_installations as replaced'])
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (replaced.includes(installation)) return 'replaced';
    if (present === installation) return 'same';
    const former = present === null ? replaced : [...replaced, present].slice(-MAX_REPLACED);
    await tx
      .updateTable('devices')
      .set({ installation_id: installation, replaced_installations: former })
      .where('uid', '=', uid)
      .execute();
    if (present === null) return 'first';
    await sql`select dismiss_device_sessions(${uid})`.execute(tx);
    return 'installed';
  }

  /** The site of a device, and the organization that either belongs to. */
  async ownerOf(tx: Database, uid: string) {
    const { deviceOrganizationId, id, name, mailedOwnerId, organizationId } = await tx
      .selectFrom('devices')
      .leftJoin('sites', 'sites.id', 'devices.site_id')
      .select([
        'devices.organization_id as deviceOrganizationId',
        'sites.id',
        'sites.name',
        mailedOwner.as('mailedOwnerId'),
        'sites.organization_id as organizationId',
      ])
      .where('devices.uid', '=', uid)
      .executeTakeFirstOrThrow();
    return {
      organizationId: deviceOrganizationId ?? organizationId,
      site: id === null ? undefined : { id, name, mailedOwnerId, organizationId },
    };
  }

  /**
   * Writes only changed facts.
   *
   * @param assignedProxy the proxy that the device is to dial; unchanged when left out
   */
  async storeFacts(
    uid: string,
    facts: ReportedFacts,
    assignedProxy?: string,
    db: Database = this.#db,
  ): Promise<void> {
    const columns = {
      ...columnsOf(facts),
      is_channel_chosen: false,
      ...(assignedProxy !== undefined && { assigned_proxy: assignedProxy }),
    };
    await db
      .updateTable('devices')
      // The device learns a choice from the answer to this call, and reports what it makes of it with the next one.
      .set((eb) => ({
        ...columns,
        beta: eb.case().when('is_channel_chosen', '=', true).then(eb.ref('beta')).else(facts.beta).end(),
      }))
      .where('uid', '=', uid)
      .where((eb) => differs(eb, columns))
      .execute();
  }
}

/** Computers that are remembered as replaced, for each device; more are hardly ever restored and kept running. */
const MAX_REPLACED = 20;

const COLUMNS = [
  'devices.public_key as publicKey',
  'devices.enrolled_at as enrolledAt',
  'devices.activated_at as activatedAt',
  'devices.revoked_at as revokedAt',
  'devices.organization_id as organizationId',
  'devices.site_id as siteId',
  'devices.former_site_id as formerSiteId',
  'devices.online',
  'devices.proxy_name as proxyName',
  'devices.last_seen_at as lastSeenAt',
  'devices.assigned_proxy as assignedProxy',
  'devices.installation_id as installationId',
  'sites.name as siteName',
  'sites.update_channel as updateChannel',
  'sites.automatic_updates as automaticUpdates',
  'sites.region',
  sql<boolean>`exists (select from site_token_revocations where site_id = devices.site_id)`.as(
    'hasRevocations',
  ),
  sql<boolean>`exists (select from recovery_sessions
    where site_id = devices.site_id and opened_at is not null and not is_concluded)`.as('hasSupport'),
  sql<boolean>`exists (select from device_delegations where site_id = devices.site_id)`.as('hasDelegations'),
] as const;

function columnsOf(facts: ReportedFacts) {
  return {
    arch: facts.arch,
    board: facts.board,
    version: facts.version,
    build_date: facts.buildDate,
    beta: facts.beta,
    local_ip: facts.localIp,
    inverter: facts.inverter,
    inverter_count: facts.inverterCount,
    inverter_params: JSON.stringify(facts.inverterParams),
    battery: facts.battery,
    battery_count: facts.batteryCount,
    battery_params: JSON.stringify(facts.batteryParams),
    public_ip: facts.publicIp,
    asked_region: facts.requestedRegion,
    support_access: facts.supportAccess,
    hardware_silent_since: facts.hardwareSilentSince,
  };
}

/** Whether any of the columns has another value in the row. */
function differs(eb: Pick<ExpressionBuilder<Schema, 'devices'>, 'or'>, columns: object) {
  return eb.or(
    Object.entries(columns).map(
      ([column, value]) => sql<SqlBool>`${sql.ref(`devices.${column}`)} is distinct from ${value}`,
    ),
  );
}
