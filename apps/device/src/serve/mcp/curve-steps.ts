import { BadRequest } from '@heliograph/kit';
import type { StepName, TimeRange } from '@heliograph/mcp';
import { type CalendarUnit, firstDay, nextDay } from '../../common/calendar-days.ts';
import { DAY_MS, localDay, startOfDay } from '../../common/local-time.ts';

/** How long the points of a curve are. */
export interface CurveStep {
  readonly name: StepName;
  /** In milliseconds; of a calendar's step the shortest there is. */
  readonly ms: number;
  /** Present where steps follow the calendar, since days and months differ in length. */
  readonly unit?: CalendarUnit;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** From the finest on. */
const STEPS: readonly CurveStep[] = [
  { name: '1m', ms: MINUTE_MS },
  { name: '5m', ms: 5 * MINUTE_MS },
  { name: '15m', ms: 15 * MINUTE_MS },
  { name: '30m', ms: 30 * MINUTE_MS },
  { name: '1h', ms: HOUR_MS },
  { name: '3h', ms: 3 * HOUR_MS },
  { name: '6h', ms: 6 * HOUR_MS },
  { name: '1d', ms: DAY_MS - HOUR_MS, unit: 'day' },
  { name: '1w', ms: 7 * DAY_MS - HOUR_MS, unit: 'week' },
  { name: '1month', ms: 28 * DAY_MS - HOUR_MS, unit: 'month' },
  { name: '1y', ms: 365 * DAY_MS - HOUR_MS, unit: 'year' },
];

export interface Steps {
  readonly step: CurveStep;
  /** When each begins, in milliseconds since the epoch; the first with the span, however much of it is left. */
  readonly startsMs: readonly number[];
}

/**
 * The steps of a curve over a span: what is asked for, or the finest that fits.
 *
 * @param most how many points there may be
 * @param finestMs how fine the readings are that are kept of that time
 * @throws BadRequest when what is asked for does not fit, with what does
 */
export function stepsOf(
  span: TimeRange,
  requested: StepName | undefined,
  most: number,
  finestMs: number,
  zone: string,
): Steps {
  const wanted = STEPS.findIndex(({ name }) => name === (requested ?? '1m'));
  const kept = STEPS.findIndex(({ ms }) => ms >= finestMs);
  const finest = Math.max(wanted, kept);
  for (const [i, step] of STEPS.entries()) {
    const startsMs = i < finest ? undefined : startsOf(step, span, most, zone);
    if (startsMs === undefined) continue;
    if (requested !== undefined && i > finest) throw tooMany(requested, most, step.name);
    return { step, startsMs };
  }
  throw new BadRequest('That is too long for a curve: ask for a shorter time.');
}

function tooMany(requested: StepName, most: number, fitting: StepName): BadRequest {
  return new BadRequest(
    `In steps of ${requested} this would be more than ${most} points a topic: take step ${fitting} or a longer one, a shorter ` +
      'time, or fewer topics.',
  );
}

/** @returns undefined when there are more than `most` */
function startsOf(
  step: CurveStep,
  span: TimeRange,
  most: number,
  zone: string,
): readonly number[] | undefined {
  if ((span.toMs - span.fromMs) / step.ms > most + 2) return undefined;
  const starts = [span.fromMs];
  for (const start of boundaries(step, span, zone)) {
    if (start <= span.fromMs) continue;
    if (starts.push(start) > most) return undefined;
  }
  return starts;
}

/** The starts of steps, the first not after the span's beginning. */
function* boundaries(step: CurveStep, { fromMs, toMs }: TimeRange, zone: string): Generator<number> {
  const { unit = 'day' } = step;
  let day = firstDay(localDay(fromMs, zone), unit);
  for (let start = startOfDay(day, zone); start < toMs; ) {
    day = nextDay(day, unit);
    const end = startOfDay(day, zone);
    // Hours and minutes are counted from midnight on: each day begins with its own, however long the last one was.
    const lengthMs = step.unit === undefined ? step.ms : end - start;
    // A date that a zone left out has no length.
    for (let at = start; at < Math.min(end, toMs); at += lengthMs) yield at;
    start = end;
  }
}
