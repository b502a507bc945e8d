import { setTimeout as delay } from 'node:timers/promises';
import { LinkDown, WriteUnanswered } from '../bus/failures.ts';
import { ModbusException } from '../bus/modbus-bus.ts';
import type { RejectedByHardware } from './driver.ts';

/**
 * One write of one setting. `State` is what a read of the setting returns: a register, or a decoded value; undefined
 * where the hardware no longer reports it.
 */
export interface VerifiedWrite<State> {
  /** The setting's name, for messages. */
  readonly name: string;
  /** The state read right before. */
  readonly before: State;
  /** Whether the write would change nothing. */
  readonly alreadyInForce: boolean;
  readonly isInForce: (state: State) => boolean;
  /** Whether it still stands for the same value as `before`. */
  readonly isUnchanged: (state: State) => boolean;
  /** Sends the write, once. What it throws passes. */
  readonly send: () => Promise<void>;
  readonly read: () => Promise<State>;
  readonly pace: ReadBackPace;
  /** The error for hardware that kept its old state. */
  readonly rejection: (state: State) => RejectedByHardware;
}

/** How often, and how many milliseconds apart, hardware is read that takes a moment to report a new value. */
export interface ReadBackPace {
  readonly readBacks: number;
  readonly readBackPauseMs: number;
}

/**
 * The rule of every write: a value in force already is not written, because settings live in memory that wears; any
 * other is sent at most once, read back and judged once.
 *
 * @returns the state that the hardware has now; it may be one that the hardware chose itself
 * @throws RejectedByHardware when the hardware kept its old state
 * @throws WriteUnanswered when it was sent and can no longer be read: the outcome is unknown
 */
export async function writeVerified<State>(write: VerifiedWrite<State>): Promise<State> {
  const { name, before, alreadyInForce, isInForce, isUnchanged, send, rejection } = write;
  if (alreadyInForce) return before;
  await send();
  const now = await afterWrite(name, () => readBack(write));
  if (isInForce(now) || !isUnchanged(now)) return now;
  throw rejection(now);
}

/** After a write, lost or refused answers leave the outcome unknown. @throws WriteUnanswered in their place */
export async function afterWrite<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LinkDown) && !(error instanceof ModbusException)) throw error;
    throw new WriteUnanswered(`${name} was written and could not be confirmed: ${error.message}`, {
      cause: error,
    });
  }
}

/** Reads until the value is in force, or the attempts are used up. */
async function readBack<State>({
  name,
  read,
  isInForce,
  pace: { readBacks, readBackPauseMs },
}: VerifiedWrite<State>): Promise<State> {
  for (let attempt = 1; ; attempt++) {
    const now = await read();
    if (now !== undefined && isInForce(now)) return now;
    if (attempt === readBacks) {
      if (now === undefined) throw new LinkDown(`${name} cannot be read any more`);
      return now;
    }
    await delay(readBackPauseMs);
  }
}
