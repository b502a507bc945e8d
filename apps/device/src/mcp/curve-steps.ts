import { BadRequest } from '@heliograph/kit';
import type { StepName } from '@heliograph/mcp';
import { DAY_MS, localDay, startOfDay } from '../local-time.ts';
import { type CalendarUnit, firstDay, nextDay } from './calendar-days.ts';
import type { Span } from './time-words.ts';

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
  span: Span,
  asked: StepName | undefined,
  most: number,
  finestMs: number,
  zone: string,
): Steps {
  const fitting = STEPS.filter(({ ms }) => ms >= Math.min(finestMs, 6 * HOUR_MS)).flatMap((step) => {
    const startsMs = startsOf(step, span, most, zone);
    return startsMs === undefined ? [] : [{ step, startsMs }];
  });
  const [finest] = fitting;
  if (finest === undefined) throw new BadRequest('That is too long for a curve: ask for a shorter time.');
  if (asked === undefined) return finest;
  const wanted = STEPS.findIndex(({ name }) => name === asked);
  if (
    wanted < STEPS.indexOf(finest.step) &&
    startsOf(STEPS[wanted] ?? finest.step, span, most, zone) === undefined
  ) {
    throw new BadRequest(
      `In steps of ${asked} this would be more than ${most} points a topic: take step ${finest.step.name} or a longer ` +
        'one, a shorter time, or fewer topics.',
    );
  }
  return fitting.find(({ step }) => STEPS.indexOf(step) >= wanted) ?? finest;
}

/** @returns undefined when there are more than `most` */
function startsOf(
  step: CurveStep,
  { fromMs, toMs }: Span,
  most: number,
  zone: string,
): readonly number[] | undefined {
  if ((toMs - fromMs) / step.ms > most + 2) return undefined;
  const starts = [fromMs];
  for (let next = firstAfter(fromMs, step, zone); next < toMs; next = firstAfter(next, step, zone)) {
    starts.push(next);
    if (starts.length > most) return undefined;
  }
  return starts;
}

/** Hours and minutes are counted from local midnight on. */
function firstAfter(atMs: number, { ms, unit }: CurveStep, zone: string): number {
  const day = localDay(atMs, zone);
  if (unit === undefined) {
    const midnight = startOfDay(day, zone);
    const next = midnight + (Math.floor((atMs - midnight) / ms) + 1) * ms;
    // A day of 23 or 25 hours is no multiple of three hours: the next one begins with its own midnight.
    return Math.min(next, startOfDay(day + 1, zone));
  }
  let next = nextDay(firstDay(day, unit), unit);
  // Where a zone left out a date, the next one begins at the same moment.
  while (startOfDay(next, zone) <= atMs) next = nextDay(next, unit);
  return startOfDay(next, zone);
}
