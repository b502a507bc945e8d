import type { StepName, TimeRange } from '@heliograph/mcp';
import { DAY_MS, localTime } from '../../common/local-time.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Up to these times an answer is made of single minutes, and of five minutes, each; beyond of hours. */
const MINUTES_UP_TO_MS = 3 * HOUR_MS;
const FIVE_MINUTES_UP_TO_MS = 31 * DAY_MS;

/** Curves of these steps are drawn from finer readings, however long they are. */
const BELOW_AN_HOUR: readonly (StepName | undefined)[] = ['1m', '5m', '15m', '30m'];

/**
 * Which readings an answer is made of: fine enough for what is asked, and no finer, since each is decoded.
 *
 * @returns the span in whole steps, except for its end where that is now, and the steps' length in milliseconds
 */
export function chooseResolution(
  { fromMs, toMs }: TimeRange,
  sinceMs: number,
  nowMs: number,
  step: StepName | undefined,
  zone: string,
): { readonly span: TimeRange; readonly stepMs: number } {
  const knownFromMs = Math.max(fromMs, sinceMs);
  const stepMs = stepFor(toMs - knownFromMs, step);
  const from = floorTo(knownFromMs, stepMs, zone);
  const floor = floorTo(toMs, stepMs, zone);
  const end = floor < toMs ? floor + stepMs : toMs;
  return { span: { fromMs: from, toMs: Math.min(end, Math.max(nowMs, toMs)) }, stepMs };
}

function stepFor(rangeMs: number, step: StepName | undefined): number {
  if (rangeMs <= MINUTES_UP_TO_MS && (step === undefined || step === '1m')) return MINUTE_MS;
  if (rangeMs <= FIVE_MINUTES_UP_TO_MS || BELOW_AN_HOUR.includes(step)) return 5 * MINUTE_MS;
  return HOUR_MS;
}

/** Hours begin with those of the site: in zones at half past of UTC they are other ones. */
function floorTo(atMs: number, stepMs: number, zone: string): number {
  return atMs - (localTime(atMs, zone) % stepMs);
}
