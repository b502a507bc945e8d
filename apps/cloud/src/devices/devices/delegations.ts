import {
  API_TOKEN_SCOPES,
  cleanLine,
  type DecidedDelegation,
  type DeviceDelegationSuspension,
  ReportedDelegation,
} from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import { Compile } from 'typebox/schema';
import { findSite } from '../../access/site-access.ts';
import type { SiteCaller } from '../../access/site-permissions.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import { SERVICE, suspendOnDevices } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import { mailedOwner } from '../../db/site-invitations.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import { SUSPENSIONS_PER_DEVICE } from './limits.ts';

const REPORTED = Compile(ReportedDelegation);

/** Delegations of one device; a configuration has 100 connections at most. */
const MAX_DELEGATIONS = 110;

const MAX_ID = 2_147_483_647;

export interface DeviceDelegationsOptions {
  readonly db: Database;
  readonly mail: Pick<MailService, 'enqueue'>;
  readonly limits: Pick<RateLimits, 'tryConsume'>;
  readonly clock: Clock;
}

interface DelegationState {
  /** Null: its author may do so still. */
  readonly loss: Exclude<DeviceDelegationSuspension, 'site' | 'unknown'> | null;
  /** Expiry of the author's API token. */
  readonly until: Date | null;
}

interface MailedSite {
  readonly id: number;
  readonly organizationId: number | null;
  readonly mailedOwnerId: number | null;
}

interface DelegationRow {
  readonly id: string;
  readonly kind: ReportedDelegation['kind'];
  readonly subject: string;
  readonly userId: number | null;
  readonly source: string | null;
  readonly tokenKind: string | null;
  readonly setAt: Date;
  readonly suspendedFor: DelegationState['loss'];
}

/**
 * Decides whether the authors of what devices let others write may do so themselves. A delegation that was suspended stays
 * so until a person makes it again.
 */
export class DeviceDelegations {
  readonly #options: DeviceDelegationsOptions;

  constructor(options: DeviceDelegationsOptions) {
    this.#options = options;
  }

  /**
   * Stores what the device of a site reports, and mails the owner about what is suspended from now on.
   *
   * @param isKnown whether the site has delegations already
   * @returns undefined for a device of a release that reports none
   */
  async report(
    siteId: number,
    reported: unknown,
    isKnown: boolean,
  ): Promise<DecidedDelegation[] | undefined> {
    if (!Array.isArray(reported)) return undefined;
    const valid = reported.slice(0, MAX_DELEGATIONS).filter(isReported);
    if (valid.length === 0 && !isKnown) return [];
    return this.#options.db.transaction().execute(async (tx) => {
      const site = await tx
        .selectFrom('sites')
        .select(['id', 'organization_id as organizationId', mailedOwner.as('mailedOwnerId')])
        .where('id', '=', siteId)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (site === undefined) return [];
      const rows = await storeReported(tx, siteId, valid);
      const at = new Date(this.#options.clock.now());
      const states: (DelegationState & { row: DelegationRow })[] = [];
      for (const row of rows) states.push({ row, ...(await this.#stateOf(tx, siteId, row, at)) });
      await this.#suspend(tx, siteId, states, at);
      await this.#mailSuspended(tx, site, at);
      return states.map(({ row, loss, until }) => ({
        id: row.id,
        set_at: row.setAt.toISOString(),
        suspended: row.suspendedFor ?? loss,
        until: until?.toISOString() ?? null,
      }));
    });
  }

  /** A device that reports others with each call is answered the same, and fills neither the log nor the owner's mailbox. */
  async #suspend(
    tx: Database,
    siteId: number,
    states: readonly (DelegationState & { readonly row: DelegationRow })[],
    at: Date,
  ): Promise<void> {
    const lapsed = states.filter(({ row, loss }) => row.suspendedFor === null && loss !== null);
    const { limits } = this.#options;
    if (lapsed.length === 0 || !(await limits.tryConsume(SUSPENSIONS_PER_DEVICE, String(siteId)))) return;
    for (const { row, loss } of lapsed) {
      const which = sql<SqlBool>`device_delegations.site_id = ${siteId} and device_delegations.id = ${row.id}`;
      if (loss !== null) await suspendOnDevices(tx, SERVICE, which, loss, at);
    }
  }

  /** An owner who has not accepted the site is mailed with a later call. */
  async #mailSuspended(
    tx: Database,
    { id: siteId, organizationId, mailedOwnerId: userId }: MailedSite,
    at: Date,
  ): Promise<void> {
    if (userId === null) return;
    const delegations = await tx
      .updateTable('device_delegations')
      .set({ mailed_at: at })
      .where('site_id', '=', siteId)
      .where('suspended_at', 'is not', null)
      .where('mailed_at', 'is', null)
      .returning(['kind', 'subject'])
      .execute();
    if (delegations.length === 0) return;
    const about = { userId, organizationId, siteId, delegations };
    await this.#options.mail.enqueue(tx, { kind: 'delegationSuspended', ...about });
  }

  async #stateOf(tx: Database, siteId: number, row: DelegationRow, now: Date): Promise<DelegationState> {
    const { userId, source, tokenKind } = row;
    const lost = (loss: DelegationState['loss']): DelegationState => ({ loss, until: null });
    // First, as a device can report any account, and is to learn nothing of those of other homes.
    if (userId === null) return lost('role');
    const person: SiteCaller = {
      userId,
      kind: 'session',
      scopes: new Set(API_TOKEN_SCOPES),
      staff: false,
      organizationId: null,
      siteId: null,
    };
    if (!(await this.#may(tx, siteId, person))) return lost('role');
    if (await isClosing(tx, userId)) return lost('account');
    if (source === null || !isProgram(source, tokenKind)) return { loss: null, until: null };
    const token = await liveApiToken(tx, userId, source, now);
    if (token === undefined) return lost('token');
    const { scopes, organizationId, siteId: only } = token;
    const program = {
      ...person,
      kind: 'api',
      scopes: new Set(scopes),
      organizationId,
      siteId: only,
    } as const;
    return (await this.#may(tx, siteId, program)) ? { loss: null, until: token.expiresAt } : lost('role');
  }

  async #may(tx: Database, siteId: number, caller: SiteCaller): Promise<boolean> {
    const permissions = (await findSite(tx, caller, siteId))?.permissions;
    return permissions?.has('write') === true && permissions.has('configure');
  }
}

/**
 * A session ends by itself, and takes nothing along that its person set up. A credential of an unknown kind, in reports of
 * an earlier release, may have been one.
 */
function isProgram(source: string, tokenKind: string | null): boolean {
  return source.startsWith('grant:') || (tokenKind !== null && tokenKind !== 'session');
}

function isReported(value: unknown): value is ReportedDelegation {
  return REPORTED.Check(value) && value.user_id <= MAX_ID;
}

/** @returns all delegations of the site, which are those of the report */
async function storeReported(
  tx: Database,
  siteId: number,
  reported: readonly ReportedDelegation[],
): Promise<DelegationRow[]> {
  const stored = await selectRows(tx, siteId);
  const isSame = (row: DelegationRow, one: ReportedDelegation) =>
    row.id === one.id && row.setAt.getTime() === Date.parse(one.set_at);
  const gone = stored.filter((row) => !reported.some((one) => isSame(row, one)));
  const added = reported.filter((one) => !stored.some((row) => isSame(row, one)));
  if (gone.length > 0)
    await tx
      .deleteFrom('device_delegations')
      .where('site_id', '=', siteId)
      .where(
        'id',
        'in',
        gone.map(({ id }) => id),
      )
      .execute();
  for (const { id, kind, subject, user_id: userId, source, person, set_at: setAt } of added) {
    // The row of a session is deleted a while after its end.
    const reportedKind = person === undefined ? null : person ? 'session' : 'api';
    await sql`insert into device_delegations (site_id, id, kind, subject, user_id, source, token_kind, set_at)
      values (${siteId}, ${id}, ${kind}, ${cleanLine(subject)},
        (select id from users where id = ${userId}), ${source},
        coalesce((select kind from tokens where 'token:' || id = ${source} and user_id = ${userId}),
          ${reportedKind}), ${new Date(setAt)})
      on conflict do nothing`.execute(tx);
  }
  return gone.length + added.length > 0 ? selectRows(tx, siteId) : stored;
}

function selectRows(tx: Database, siteId: number): Promise<DelegationRow[]> {
  return tx
    .selectFrom('device_delegations')
    .select([
      ...(['id', 'kind', 'subject', 'source'] as const),
      'user_id as userId',
      'token_kind as tokenKind',
      'set_at as setAt',
      'suspended_for as suspendedFor',
    ])
    .where('site_id', '=', siteId)
    .orderBy('id')
    .execute();
}

async function isClosing(tx: Database, userId: number): Promise<boolean> {
  const found = await tx
    .selectFrom('account_deletions')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return found !== undefined;
}

/** @param source such as `token:12` @returns undefined unless it is an API token of the account that is good now */
function liveApiToken(tx: Database, userId: number, source: string, now: Date) {
  const id = Number(/^token:(\d{1,9})$/.exec(source)?.[1] ?? 0);
  return tx
    .selectFrom('tokens')
    .select(['scopes', 'organization_id as organizationId', 'site_id as siteId', 'expires_at as expiresAt'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('kind', '=', 'api')
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst();
}
