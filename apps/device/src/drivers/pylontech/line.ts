import type { Clock } from '@heliograph/kit';
import type { ByteBus } from '../../bus/byte-bus.ts';

/** The bus of the batteries, their timeouts, and the clock of the reading times. */
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

/** At 9600 baud twelve modules take a second and a half for all values; a console is slow with its table. */
export const TIMEOUTS: PylontechTimeouts = { oneMs: 600, allMs: 2_500, consoleMs: 3_000 };
