import type { Clock } from '@heliograph/kit';
import type { ByteBus } from '../../bus/byte-bus.ts';

/** What batteries are behind, how long they may take, and the clock that tells when they were read. */
export interface PylontechLine {
  readonly bus: ByteBus;
  readonly timeouts: PylontechTimeouts;
  readonly clock: Clock;
}

/** For an answer of one module, of all of a group, and for a command on the console; in milliseconds. */
export interface PylontechTimeouts {
  readonly oneMs: number;
  readonly allMs: number;
  readonly consoleMs: number;
}

/** At 9600 baud twelve modules take a second and a half to tell all; a console takes its time over its table. */
export const TIMEOUTS: PylontechTimeouts = { oneMs: 600, allMs: 2_500, consoleMs: 3_000 };
