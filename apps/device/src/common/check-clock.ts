import type { Clock, Logger } from '@heliograph/kit';

/** Shortest lag that is worth a line: a clock that drifted since the last stop is none, in milliseconds. */
export const TOLERANCE_MS = 60_000;

/** Moments that have passed for certain, in milliseconds since the epoch; undefined where there was none. */
export interface PassedMoments {
  readonly release: number;
  readonly last_reading: number | undefined;
}

/** The moments that a clock shows not to have passed yet, and that have. */
export function momentsAhead(nowMs: number, passed: PassedMoments): readonly (readonly [string, number])[] {
  return Object.entries(passed).flatMap(([what, atMs]) =>
    atMs !== undefined && atMs > nowMs + TOLERANCE_MS ? [[what, atMs] as const] : [],
  );
}

/** Warns of a clock that is behind what has passed: energy and history go to the day that it shows. */
export function checkClock(clock: Clock, passed: PassedMoments, logger: Logger): void {
  const nowMs = clock.now();
  const ahead = momentsAhead(nowMs, passed);
  if (ahead.length === 0) return;
  const moments = ahead.map(([what, atMs]) => [what, new Date(atMs).toISOString()] as const);
  logger.warn(
    { clock: new Date(nowMs).toISOString(), ...Object.fromEntries(moments) },
    'the clock is behind: let the device reach a time server, or set it',
  );
}
