import { type LocalDay, localDay, startOfDay } from '../../common/local-time.ts';
import type { HistorySource } from '../../history/history.ts';
import { countedEnergy } from './counted-energy.ts';
import { readTopicHistory } from './topic-history.ts';

/** Days of every zone begin at a multiple of it, in milliseconds. */
const STEP_MS = 5 * 60_000;

/**
 * The energy that a counter counted on each local day from a day until now, in kWh, by its history; days without readings are
 * left out.
 *
 * @throws what the history throws
 */
export async function countedDays(
  history: Pick<HistorySource, 'read'>,
  topic: string,
  from: LocalDay,
  nowMs: number,
  zone: string,
): Promise<ReadonlyMap<LocalDay, number>> {
  const days = new Map<LocalDay, number>();
  const series = await readTopicHistory(
    history,
    topic,
    { fromMs: startOfDay(from, zone), toMs: nowMs },
    STEP_MS,
  );
  if (series === undefined) return days;
  for (const { atMs, kwh } of countedEnergy(series)) {
    const day = localDay(atMs, zone);
    days.set(day, (days.get(day) ?? 0) + kwh);
  }
  return days;
}
