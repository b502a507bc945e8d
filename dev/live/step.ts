import type { Live } from './live.ts';
import type { CausedLine } from './log-lines.ts';

/** A part of the run: it ends when everything that it began has come to its end. */
export interface Step {
  /** As on the command line. */
  readonly name: string;
  /** A sentence: what is true when it has passed. */
  readonly title: string;
  /** Lines at the level warn and above that it makes programs log until it ends: one or more of each. */
  readonly causes?: readonly CausedLine[];
  run(live: Live): Promise<void>;
}

/** Thrown by a step that needs what this machine does not have. */
export class SkippedStep extends Error {}
