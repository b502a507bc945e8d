const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** From the largest; each is used once two of it have passed, so that the words are never off by much. */
const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

const RELATIVE_TIME = new Intl.RelativeTimeFormat('en');
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** How long ago something was, in words: `2 hours ago`. @param elapsedMs milliseconds since then */
export function ago(elapsedMs: number): string {
  const [unit, lengthMs] = UNITS.find(([, each]) => elapsedMs >= 2 * each) ?? ['second', SECOND_MS];
  if (unit === 'second' && elapsedMs < MINUTE_MS) return 'less than a minute ago';
  return unit === 'second' ? '1 minute ago' : RELATIVE_TIME.format(-Math.floor(elapsedMs / lengthMs), unit);
}

/** A moment as people write it: `21 November 2025 at 18:03 UTC`. @param epochMs milliseconds since the epoch */
export function utc(epochMs: number): string {
  return `${DATE.format(epochMs)} UTC`;
}
