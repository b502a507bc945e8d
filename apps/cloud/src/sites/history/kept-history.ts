import {
  type EnergyAnswer,
  HISTORY_TOTAL_NAMES,
  HISTORY_TOTALS,
  type HistoryAnswer,
} from '@heliograph/contracts';
import { type EnergyRequest, energyAnswer } from '@heliograph/contracts/energy-answer';
import { parseLocalTime } from '@heliograph/contracts/times';
import { AppError, BadRequest } from '@heliograph/kit';
import { DAY_MS, localDay, startOfDay } from '@heliograph/kit/local-time';
import type { ReadableEnergy } from '@heliograph/mcp';
import type { Caller } from '../../access/caller.ts';
import type { PermittedSite } from '../../access/site-access.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { agreedAt } from './consent.ts';
import { energySource, firstHourOf } from './energy.ts';
import { PostgresHistoryStore } from './postgres-store.ts';
import type { SiteHistoryStore } from './store.ts';

const QUARTER_MS = 15 * 60_000;

/** Longest time of an answer with means. */
const MAX_DAYS = 31;

/** The cloud has nothing of the site. */
class NoHistory extends AppError {
  constructor(message: string) {
    super(message, { code: 'no_history', status: 409 });
  }
}

/** Energy of a site, as the cloud keeps it. @throws NoHistory; BadRequest about the query */
export async function getSiteEnergy(
  platform: Platform,
  _caller: Caller,
  { site, query: { from, to, step } }: InputOf<'getSiteEnergy'>,
): Promise<EnergyAnswer> {
  const { zone, read } = await readableEnergy(platform, site);
  return read({
    fromMs: parseLocalTime(from, 'from', zone),
    toMs: parseLocalTime(to, 'to', zone),
    step,
  });
}

/** @throws NoHistory */
export async function readableEnergy(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  site: PermittedSite<'read'>,
): Promise<ReadableEnergy> {
  const store = new PostgresHistoryStore(db);
  const { first, last, zone } = await requireExtent(db, store, site);
  const nowMs = clock.now();
  const read = async (request: EnergyRequest): Promise<EnergyAnswer> => {
    const { fromMs, toMs = nowMs, step } = request;
    // Without a beginning it is a year at most, except for years; a step may begin a year before.
    const earliest = fromMs ?? (step === 'year' ? 0 : Math.min(nowMs, toMs) - 400 * DAY_MS);
    const begin = Math.max(first, localDay(earliest, zone) - 366);
    const days = await store.read(site.id, begin, last + 1);
    const [firstDay] = first === begin ? days : await store.read(site.id, first, first + 1);
    return energyAnswer(energySource(days, zone, firstDay && firstHourOf(firstDay), nowMs), request);
  };
  return { zone, nowMs, read };
}

/** Means of a quarter of an hour, as the cloud keeps them. @throws NoHistory; BadRequest about the query */
export async function getSiteHistory(
  { db, clock }: Platform,
  _caller: Caller,
  { site, query: { from, to } }: InputOf<'getSiteHistory'>,
): Promise<HistoryAnswer> {
  const store = new PostgresHistoryStore(db);
  const { zone } = await requireExtent(db, store, site);
  const toMs = parseLocalTime(to, 'to', zone) ?? clock.now();
  const fromMs = parseLocalTime(from, 'from', zone) ?? toMs - DAY_MS;
  if (fromMs >= toMs) throw new BadRequest('from must be before to');
  if (toMs - fromMs > (MAX_DAYS + 1) * DAY_MS) throw new BadRequest(`At most ${MAX_DAYS} days are answered`);
  const days = await store.read(site.id, localDay(fromMs, zone) - 1, localDay(toMs, zone) + 2);
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

async function requireExtent(db: Platform['db'], store: SiteHistoryStore, { id }: PermittedSite<'read'>) {
  if ((await agreedAt(db, id)) === undefined)
    throw new NoHistory('The cloud keeps no history of this site: its owner has not agreed');
  const extent = await store.extent(id);
  if (extent === undefined) throw new NoHistory('The device of this site has not sent its history yet');
  return extent;
}
