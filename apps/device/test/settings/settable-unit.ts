import type { Clock } from '@heliograph/kit';
import type { Hardware } from '../../src/drivers/driver.ts';
import type { ReadBackTime } from '../../src/drivers/write-verified.ts';
import type { WriteBehaviour } from './write-behaviours.ts';
import type { WrittenSetting } from './written-settings.ts';

/** How long an answer may take: long enough for a busy machine, short enough for tests of half an answer. */
export const ANSWER_TIMEOUT_MS = 500;

/** Requests that reached a unit. */
export interface ReceivedRequests {
  /** Of reads and writes. */
  readonly count: number;
  /** The writes, without framing. */
  readonly writes: readonly string[];
}

/** Simulated hardware at the end of a real connection, whose reactions to writes are data. */
export interface SettableUnit<Setting extends WrittenSetting = WrittenSetting> {
  /** Puts a setting to its old value, and ends the behaviours before. */
  reset(setting: Setting): void | Promise<void>;
  /** From the next request on; what settings before still take on by themselves goes on. */
  behave(setting: Setting, behaviour: WriteBehaviour): void;
  /** The requests that reached it since the last call. */
  takeRequests(): ReceivedRequests;
  open(clock: Clock, time: ReadBackTime): Promise<Hardware>;
  stop(): Promise<void>;
}
