import type { EnergyCounterName } from '@heliograph/contracts';
import type { CounterTopics } from '../../poll/counters/counter-topics.ts';
import type { HistorySource } from '../history.ts';

/** How far from a moment a reading may be: a solar inverter sleeps at night, and its counters stand still meanwhile. */
const NEAR_MS = 24 * 60 * 60 * 1000;

/** How long after the beginning the first reading may be, where none is before: a device that was just installed. */
const BEGUN_WITHIN_MS = 60 * 60 * 1000;

/** As fine as roll-ups are kept for weeks. */
const STEP_MS = 5 * 60 * 1000;

/**
 * The energy of a time by the counters of the hardware. An energy is absent where one of its counters has no reading near
 * the beginning or the end, or went down.
 *
 * @param topics the counters of each energy
 * @param fromMs in milliseconds since the epoch, as `toMs`
 * @returns in kWh
 */
export async function countedEnergy(
  history: Pick<HistorySource, 'read'>,
  topics: CounterTopics,
  fromMs: number,
  toMs: number,
): Promise<ReadonlyMap<EnergyCounterName, number>> {
  const all = new Set([...topics.values()].flat());
  if (all.size === 0) return new Map();
  const matches = (topic: string): boolean => all.has(topic);
  const around = await history.read({
    matches,
    fromMs: fromMs - NEAR_MS,
    toMs: Math.min(fromMs + BEGUN_WITHIN_MS, toMs),
    stepMs: STEP_MS,
  });
  const ending = await history.read({ matches, fromMs: toMs - NEAR_MS, toMs, stepMs: STEP_MS });
  const first = new Map(around.series.map(({ topic, ...curve }) => [topic, valueAt(curve, fromMs)]));
  const last = new Map(ending.series.map(({ topic, last: values }) => [topic, lastOf(values)]));
  const counted = new Map<EnergyCounterName, number>();
  for (const [energy, counters] of topics) {
    const rises = counters.map((topic) => (last.get(topic) ?? Number.NaN) - (first.get(topic) ?? Number.NaN));
    if (rises.every((rise) => rise >= 0))
      counted.set(
        energy,
        rises.reduce((sum, rise) => sum + rise, 0),
      );
  }
  return counted;
}

interface CounterCurve {
  /** In seconds since the epoch. */
  readonly times: readonly number[];
  readonly min: readonly (number | null)[];
  readonly last: readonly (number | null)[];
}

/** The last value before a moment, or the first one after it. */
function valueAt({ times, min, last }: CounterCurve, atMs: number): number | undefined {
  const after = times.findIndex((time) => time * 1000 >= atMs);
  const split = after === -1 ? times.length : after;
  return lastOf(last.slice(0, split)) ?? min.slice(split).find((value) => value !== null) ?? undefined;
}

function lastOf(values: readonly (number | null)[]): number | undefined {
  return values.findLast((value) => value !== null) ?? undefined;
}
