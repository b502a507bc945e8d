import {
  type DeviceHistoryAnswer,
  type DeviceHistoryBody,
  type EnergyAnswer,
  type EnergyQuery,
  HISTORY_TOTAL_NAMES,
  HISTORY_TOTALS,
  type HistoryAnswer,
  type SetSiteHistoryConsentBody,
  type SiteHistoryConsent,
  type SiteHistoryQuery,
} from '@heliograph/contracts';
import { type EnergyRequest, energyAnswer } from '@heliograph/contracts/energy-answer';
import { parseLocalTime } from '@heliograph/contracts/times';
import { AppError, BadRequest, type Clock, Forbidden, NotFound } from '@heliograph/kit';
import { formatDate } from '@heliograph/kit/calendar-days';
import { DAY_MS, localDay, startOfDay } from '@heliograph/kit/local-time';
import type { ReadableEnergy } from '@heliograph/mcp';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { SiteAccess } from '../../access/site-access.ts';
import type { RateLimits, RateRule } from '../../common/limits/rate-limits.ts';
import { recordAudit } from '../../db/audit.ts';
import { appendEvents } from '../../db/events.ts';
import type { Database } from '../../db/open.ts';
import { runPrepared } from '../../db/prepared-statements.ts';
import { energySource, firstHourOf } from './energy.ts';
import { storeNewest } from './newest.ts';
import { energyOfDay } from './present.ts';
import type { HistoryDay, SiteHistoryStore } from './store.ts';
import { daysOf } from './upload.ts';

export { newestValuesOfSite } from './newest.ts';

/** Four an hour, and 53 weeks once the owner has agreed. */
const UPLOADS_PER_DEVICE: RateRule = {
  name: 'history-device',
  points: 120,
  durationS: 60 * 60,
  perProcess: true,
};

const QUARTER_MS = 15 * 60_000;

/** Longest time of an answer with means. */
const MAX_DAYS = 31;

/** The cloud has nothing of the site. */
class NoHistory extends AppError {
  constructor(message: string) {
    super(message, { code: 'no_history', status: 409 });
  }
}

export interface SiteHistoryOptions {
  readonly db: Database;
  readonly access: SiteAccess;
  readonly store: SiteHistoryStore;
  readonly limits: RateLimits;
  readonly clock: Clock;
}

/** The history of sites that devices send, where their owners agreed. */
export class SiteHistoryService {
  readonly #options: SiteHistoryOptions;

  constructor(options: SiteHistoryOptions) {
    this.#options = options;
  }

  /**
   * Stores what a device sends. It may send the same again.
   *
   * @throws Unprocessable; TooManyRequests
   */
  async receive(siteId: number, uid: string, body: DeviceHistoryBody): Promise<DeviceHistoryAnswer> {
    const { db, store, limits, clock } = this.#options;
    await limits.consume(UPLOADS_PER_DEVICE, uid);
    const nowMs = clock.now();
    const days = daysOf(body, nowMs);
    if (days.length === 0 && body.newest === null) return { agreed_at: isoOf(await agreedAt(db, siteId)) };
    return db.transaction().execute(async (tx) => {
      // A withdrawal waits for the upload, and deletes it; an upload after it stores nothing. Uploads wait for one another.
      const at = await agreedAt(tx, siteId, 'for no key update of consents');
      if (at === undefined) return { agreed_at: null };
      const complete = await store.merge(tx, siteId, days);
      await appendDays(tx, siteId, complete, at, nowMs);
      if (body.newest !== null) await storeNewest(tx, siteId, body.newest, nowMs);
      return { agreed_at: isoOf(at) };
    });
  }

  /** @throws NotFound */
  async consent(caller: Caller, siteId: number): Promise<SiteHistoryConsent> {
    const { db, access } = this.#options;
    const { ownerId } = await access.require(caller, siteId, 'read');
    const found = await db
      .selectFrom('site_history_consents')
      .select(['agreed', 'decided_at as decidedAt'])
      .where('site_id', '=', siteId)
      .where('owner_id', '=', ownerId)
      .executeTakeFirst();
    return { agreed: found?.agreed ?? false, decided_at: found?.decidedAt.toISOString() ?? null };
  }

  /** Withdrawing deletes what is kept. @throws NotFound; Forbidden for others than the owner, operators included */
  async decide(
    caller: Caller,
    siteId: number,
    { agreed }: SetSiteHistoryConsentBody,
  ): Promise<SiteHistoryConsent> {
    const { db, access, store, clock } = this.#options;
    const { ownerId } = await access.require(caller, siteId, 'own');
    if (caller.userId !== ownerId) throw new Forbidden('Only the owner of the site may decide this');
    const decidedAt = new Date(clock.now());
    return db.transaction().execute(async (tx) => {
      // Waits for a change of its owner.
      const site = await tx
        .selectFrom('sites')
        .select(['owner_id as ownerId', 'organization_id as organizationId'])
        .where('id', '=', siteId)
        .forUpdate()
        .executeTakeFirst();
      if (site?.ownerId !== ownerId) throw new NotFound();
      const before = await tx
        .selectFrom('site_history_consents')
        .select(['agreed', 'owner_id as byOwner', 'decided_at as at'])
        .where('site_id', '=', siteId)
        .forUpdate()
        .executeTakeFirst();
      if (before?.byOwner === ownerId && before.agreed === agreed)
        return { agreed, decided_at: before.at.toISOString() };
      const decision = { owner_id: ownerId, agreed, decided_at: decidedAt };
      await tx
        .insertInto('site_history_consents')
        .values({ site_id: siteId, ...decision })
        .onConflict((conflict) => conflict.column('site_id').doUpdateSet(decision))
        .execute();
      if (!agreed) await store.remove(tx, siteId);
      const action = agreed ? 'site.history_agreed' : 'site.history_withdrawn';
      const about = { siteId, organizationId: site.organizationId, userId: ownerId };
      await recordAudit(tx, actorOf(caller), decidedAt, { action, ...about });
      return { agreed, decided_at: decidedAt.toISOString() };
    });
  }

  /** @throws NotFound; NoHistory; BadRequest about the query */
  async energy(caller: Caller, siteId: number, { from, to, step }: EnergyQuery): Promise<EnergyAnswer> {
    const { zone, read } = await this.readableEnergy(caller, siteId);
    return read({
      fromMs: parseLocalTime(from, 'from', zone),
      toMs: parseLocalTime(to, 'to', zone),
      step,
    });
  }

  /** @throws NotFound; NoHistory */
  async readableEnergy(caller: Caller, siteId: number): Promise<ReadableEnergy> {
    const { store, clock } = this.#options;
    const { first, last, zone } = await this.#require(caller, siteId);
    const nowMs = clock.now();
    const read = async (request: EnergyRequest): Promise<EnergyAnswer> => {
      const { fromMs, toMs = nowMs, step } = request;
      // Without a beginning it is a year at most, except for years; a step may begin a year before.
      const earliest = fromMs ?? (step === 'year' ? 0 : Math.min(nowMs, toMs) - 400 * DAY_MS);
      const begin = Math.max(first, localDay(earliest, zone) - 366);
      const days = await store.read(siteId, begin, last + 1);
      const [firstDay] = first === begin ? days : await store.read(siteId, first, first + 1);
      return energyAnswer(energySource(days, zone, firstDay && firstHourOf(firstDay), nowMs), request);
    };
    return { zone, nowMs, read };
  }

  /** @throws NotFound; NoHistory; BadRequest about the query */
  async history(caller: Caller, siteId: number, { from, to }: SiteHistoryQuery): Promise<HistoryAnswer> {
    const { store, clock } = this.#options;
    const { zone } = await this.#require(caller, siteId);
    const toMs = parseLocalTime(to, 'to', zone) ?? clock.now();
    const fromMs = parseLocalTime(from, 'from', zone) ?? toMs - DAY_MS;
    if (fromMs >= toMs) throw new BadRequest('from must be before to');
    if (toMs - fromMs > (MAX_DAYS + 1) * DAY_MS)
      throw new BadRequest(`At most ${MAX_DAYS} days are answered`);
    const days = await store.read(siteId, localDay(fromMs, zone) - 1, localDay(toMs, zone) + 2);
    const series = HISTORY_TOTAL_NAMES.flatMap((name) => {
      const times: number[] = [];
      const mean: (number | null)[] = [];
      for (const { day, zone: zoneOfDay, values } of days) {
        const beginMs = startOfDay(day, zoneOfDay);
        for (const [i, value] of (values.means[name] ?? []).entries()) {
          const atMs = beginMs + i * QUARTER_MS;
          if (atMs < fromMs || atMs >= toMs || (value === null && mean.at(-1) === null)) continue;
          times.push(atMs / 1000);
          mean.push(value);
        }
      }
      const { topic, label, unit } = HISTORY_TOTALS[name];
      const known = { topic, name: label, unit, times, min: mean, mean, max: mean, last: mean };
      return mean.some((value) => value !== null) ? [known] : [];
    });
    return { from: fromMs / 1000, to: toMs / 1000, step: QUARTER_MS / 1000, series, states: [] };
  }

  async #require(caller: Caller, siteId: number) {
    const { db, access, store } = this.#options;
    await access.require(caller, siteId, 'read');
    if ((await agreedAt(db, siteId)) === undefined)
      throw new NoHistory('The cloud keeps no history of this site: its owner has not agreed');
    const extent = await store.extent(siteId);
    if (extent === undefined) throw new NoHistory('The device of this site has not sent its history yet');
    return extent;
  }
}

/** Adds an event for each day that is complete. Days that ended before the owner agreed are the past, no news. */
async function appendDays(
  tx: Database,
  siteId: number,
  days: readonly HistoryDay[],
  agreed: Date,
  nowMs: number,
): Promise<void> {
  const ended = days.filter(({ day, zone }) => startOfDay(day + 1, zone) > agreed.getTime());
  if (ended.length === 0) return;
  const site = await tx
    .selectFrom('sites')
    .select('organization_id as organizationId')
    .where('id', '=', siteId)
    .executeTakeFirstOrThrow();
  const events = ended.map(({ day, zone, values }) => ({
    type: 'energy.day' as const,
    at: new Date(nowMs),
    siteId,
    organizationId: site.organizationId,
    data: { date: formatDate(day), time_zone: zone, ...energyOfDay(values) },
  }));
  await appendEvents(tx, events);
}

/** When the present owner of a site agreed; undefined where they did not. */
async function agreedAt(
  db: Database,
  siteId: number,
  lock: '' | 'for no key update of consents' = '',
): Promise<Date | undefined> {
  const [consent] = await runPrepared<{ at: Date }>(
    db,
    `select consents.decided_at as at from site_history_consents as consents
      join sites on sites.id = consents.site_id and sites.owner_id = consents.owner_id
      where consents.site_id = $1 and consents.agreed ${lock}`,
    [siteId],
  );
  return consent?.at;
}

function isoOf(at: Date | undefined): string | null {
  return at?.toISOString() ?? null;
}
