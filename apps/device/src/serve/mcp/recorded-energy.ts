import { defineMetric, quantities } from '@heliograph/metrics';
import type { RecordedStep } from '../../energy/energy-backfill.ts';
import { FLOWS, POWERS } from '../../energy/flows.ts';
import { COUNTERS, type Counter } from '../../energy/hours/hour-ledger.ts';
import type { HistorySource } from '../../history/history.ts';
import { countedEnergy } from './counted-energy.ts';
import { readTopicHistory } from './topic-history.ts';

/** Hours of every zone begin at a multiple of it, in milliseconds. */
const STEP_MS = 5 * 60_000;

const POWER_TOPICS = POWERS.map((power) => topicOf(power));

/**
 * The energy that the counters of the home counted, by their history: in steps of five minutes, or of an hour where only those are
 * kept.
 *
 * @throws what the history throws
 */
export async function recordedEnergy(
  history: Pick<HistorySource, 'read'>,
  fromMs: number,
  toMs: number,
): Promise<readonly RecordedStep[]> {
  const steps = new Map<
    number,
    { lengthMs: number; isCovered: boolean; kwh: Partial<Record<Counter, number>> }
  >();
  const stepAt = (atMs: number, lengthMs: number) => {
    const step = steps.get(atMs) ?? { lengthMs, isCovered: false, kwh: {} };
    steps.set(atMs, step);
    return step;
  };
  const range = { fromMs, toMs };
  for (const [i, { quantity }] of FLOWS.entries()) {
    const series = await readTopicHistory(history, topicOf(quantity.name), range, STEP_MS);
    const counter = COUNTERS[i];
    if (series === undefined || counter === undefined) continue;
    for (const { atMs, kwh } of countedEnergy(series)) stepAt(atMs, series.stepMs).kwh[counter] = kwh;
  }
  for (const topic of POWER_TOPICS) {
    const series = await readTopicHistory(history, topic, range, STEP_MS);
    for (const { atMs } of series?.steps ?? []) stepAt(atMs, series?.stepMs ?? STEP_MS).isCovered = true;
  }
  return [...steps]
    .map(([atMs, step]) => ({ atMs, ...step }))
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    .toSorted((a, b) => a.atMs - b.atMs);
}

function topicOf(name: string): string {
  return defineMetric('totals', null, quantities.periodEnergy(name)).topic;
}
