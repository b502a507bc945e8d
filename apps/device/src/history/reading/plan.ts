import { BadRequest } from '@heliograph/kit';
import { FIVE_MINUTES, HOURS, type Resolution } from '../resolution.ts';

/** Which part of the past is asked for, and how fine. Times in milliseconds since the epoch. */
export interface HistoryRequest {
  readonly matches: (topic: string) => boolean;
  /** A day before the end when left out. */
  readonly fromMs?: number;
  /** The end of this second when left out. */
  readonly toMs?: number;
  /** A step that fits a screen when left out. */
  readonly stepMs?: number;
  /** Aborts when the client has gone. */
  readonly signal?: AbortSignal;
}

/** The range, step and source that answer a request. */
export interface HistoryPlan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
  readonly source: Resolution;
}

/** The most points of an answer, all topics together. */
export const MAX_POINTS = 50_000;

/** Points of a topic that a screen can show. */
export const POINTS_OF_A_CURVE = 1_000;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The steps that are taken when none is asked for. */
const STEPS_MS: readonly number[] = [
  ...[1, 2, 5, 10, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 7, 30, 365].map((days) => days * DAY_MS),
];

/** From the coarsest on, and what the steps made of it are multiples of. */
const SOURCES: readonly { readonly source: Resolution; readonly unitMs: number }[] = [
  { source: 'hours', unitMs: HOURS.bucketMs },
  { source: 'five_minutes', unitMs: FIVE_MINUTES.bucketMs },
  { source: 'readings', unitMs: SECOND_MS },
];

/**
 * Decides what an answer is made of: the coarsest source that the step is a multiple of, since the finer ones give
 * the same, and a coarser one than asked for where the finer is no longer kept. The step then is what that has.
 *
 * @param topics how many topics are asked for
 * @param completeSince since when a source is whole, in milliseconds since the epoch
 * @throws BadRequest when it is no stretch of time, or too many points
 */
export function planOf(
  request: HistoryRequest,
  topics: number,
  nowMs: number,
  completeSince: (source: Resolution) => number,
): HistoryPlan {
  const toMs = request.toMs ?? floorTo(nowMs, SECOND_MS) + SECOND_MS;
  const fromMs = request.fromMs ?? toMs - DAY_MS;
  if (fromMs >= toMs) throw new BadRequest('from must be before to');
  const wantedMs = request.stepMs ?? usualStep(toMs - fromMs, topics);
  const { source, unitMs } = sourceOf(wantedMs, fromMs, completeSince);
  const stepMs = Math.ceil(wantedMs / unitMs) * unitMs;
  // Without a `from` of the client, steps are aligned so that they stay in place while time goes on.
  const firstMs = floorTo(fromMs, request.fromMs === undefined ? stepMs : unitMs);
  const points = topics * Math.ceil((toMs - firstMs) / stepMs);
  if (points > MAX_POINTS) {
    throw new BadRequest(
      `${topics} topic${topics === 1 ? '' : 's'} in steps of ${stepMs / SECOND_MS} s would be ${points} points; at most ${MAX_POINTS} are ` +
        'answered: ask for a larger step, a shorter time or fewer topics',
    );
  }
  return { fromMs: firstMs, toMs, stepMs, source };
}

function usualStep(rangeMs: number, topics: number): number {
  const points = Math.max(1, Math.min(POINTS_OF_A_CURVE, Math.floor(MAX_POINTS / Math.max(1, topics)) - 1));
  const fits = STEPS_MS.find((stepMs) => rangeMs / stepMs <= points);
  return fits ?? Math.ceil(rangeMs / points / DAY_MS) * DAY_MS;
}

function sourceOf(stepMs: number, fromMs: number, completeSince: (source: Resolution) => number) {
  const [coarsest] = SOURCES;
  const whole = SOURCES.filter(({ source }) => completeSince(source) <= fromMs);
  const finest = whole.at(-1) ?? coarsest;
  // Days begin at half past or a quarter to an hour of UTC in some zones: hours would begin them too early.
  const oddMs = fromMs % FIVE_MINUTES.bucketMs === 0 ? fromMs % HOURS.bucketMs : 0;
  const found = whole.find(({ unitMs }) => stepMs >= unitMs && stepMs % unitMs === 0 && oddMs % unitMs === 0);
  return found ?? finest ?? { source: 'hours' as const, unitMs: HOURS.bucketMs };
}

function floorTo(timeMs: number, unitMs: number): number {
  return Math.floor(timeMs / unitMs) * unitMs;
}
