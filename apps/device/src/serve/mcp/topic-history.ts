import type { TimeRange } from '@heliograph/mcp';
import type { HistorySource } from '../../history/history.ts';

/** The readings of a short stretch of time, aggregated. */
export interface HistoryStep {
  /** When it begins, in milliseconds since the epoch. */
  readonly atMs: number;
  /** Its end, or where the next begins when no gap is between them: hardware may be read less often. */
  readonly untilMs: number;
  readonly min: number;
  readonly mean: number;
  readonly max: number;
  readonly last: number;
}

/** A counter that was set to another value, which is no energy, in kWh. */
export interface SetCounter {
  readonly atMs: number;
  readonly from: number;
  readonly to: number;
}

/** A new text value, and its time. */
export interface HistoryState {
  readonly atMs: number;
  readonly value: string | null;
}

/** The stored history of a topic. */
export interface TopicHistory {
  readonly name: string;
  readonly unit: string;
  /** How long each step is, in milliseconds: as asked for, or longer where only coarser values are kept. */
  readonly stepMs: number;
  /** When the first step begins, whether or not there are readings of it: not after what was asked for. */
  readonly fromMs: number;
  /** Only those with readings. */
  readonly steps: readonly HistoryStep[];
  /** The last step before them, where there was one not long before. */
  readonly before: HistoryStep | undefined;
  /** When a counter was set, in order; those before the first step included. */
  readonly sets: readonly SetCounter[];
  /** The one that the time began with included. */
  readonly states: readonly HistoryState[];
}

/**
 * How long before the time asked for is read, too, in milliseconds: what a counter counted follows from what it was
 * before. Hardware is read once an hour at least.
 */
const MAX_POLL_MS = 3_600_000;

/** Steps that are read at once, below what the history answers at most. */
const STEP_BATCH_SIZE = 40_000;

/**
 * Reads a topic's past, however long it is.
 *
 * @returns undefined when there is nothing of the topic in this time
 * @throws what the history throws
 */
export async function readTopicHistory(
  history: Pick<HistorySource, 'read'>,
  topic: string,
  { fromMs, toMs }: TimeRange,
  stepMs: number,
): Promise<TopicHistory | undefined> {
  const steps: HistoryStep[] = [];
  const states: HistoryState[] = [];
  const sets: SetCounter[] = [];
  let found: { readonly name: string; readonly unit: string } | undefined;
  let coarsestMs = stepMs;
  for (let at = fromMs - Math.max(stepMs, MAX_POLL_MS); at < toMs; at += STEP_BATCH_SIZE * stepMs) {
    const end = Math.min(toMs, at + STEP_BATCH_SIZE * stepMs);
    const matches = (other: string): boolean => other === topic;
    const answer = await history.read({ matches, fromMs: at, toMs: end, stepMs });
    coarsestMs = Math.max(coarsestMs, answer.step * 1000);
    for (const { name, unit, times, min, mean, max, last, sets: added = [] } of answer.series) {
      found = { name, unit };
      sets.push(...added.map(({ at, from, to }) => ({ atMs: at * 1000, from, to })));
      for (const [i, time] of times.entries()) {
        const [low, middle, high, latest] = [min[i], mean[i], max[i], last[i]];
        if (low == null || middle == null || high == null || latest == null) continue;
        const atMs = time * 1000;
        // A gap is a step of nulls.
        const nextMs = last[i + 1] == null ? undefined : times[i + 1];
        const untilMs = nextMs === undefined ? atMs + answer.step * 1000 : nextMs * 1000;
        steps.push({ atMs, untilMs, min: low, mean: middle, max: high, last: latest });
      }
    }
    for (const { name, times, last } of answer.states) {
      found ??= { name, unit: '' };
      for (const [i, time] of times.entries()) {
        const value = last[i] ?? null;
        // Each part begins with what it was before.
        if (states.length === 0 || states.at(-1)?.value !== value) states.push({ atMs: time * 1000, value });
      }
    }
  }
  if (found === undefined) return undefined;
  const firstMs = Math.floor(fromMs / coarsestMs) * coarsestMs;
  const from = coarsestMs > stepMs ? firstMs : fromMs;
  const topicHistory = {
    ...found,
    stepMs: coarsestMs,
    fromMs: from,
    steps: steps.filter(({ atMs }) => atMs >= from),
    before: steps.findLast(({ atMs }) => atMs < from),
    sets,
    states: statesFrom(states, from),
  };
  return topicHistory.steps.length + topicHistory.states.length === 0 ? undefined : topicHistory;
}

function statesFrom(states: readonly HistoryState[], fromMs: number): readonly HistoryState[] {
  const begun = Math.max(
    0,
    states.findLastIndex(({ atMs }) => atMs <= fromMs),
  );
  return states.slice(begun).map(({ atMs, value }) => ({ atMs: Math.max(atMs, fromMs), value }));
}
