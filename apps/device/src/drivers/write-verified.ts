import { systemClock, wait } from '@heliograph/kit';
import { LinkDown, WriteUnanswered, WriteWithheld } from '../bus/failures.ts';
import { ModbusException } from '../bus/modbus/modbus-bus.ts';
import { KeptByHardware, type RejectedByHardware } from './driver.ts';

/** When a setting is read back, in milliseconds after its write. The last leaves time for an answer within the deadline. */
export const READ_BACK_AT_MS = [0, 250, 500, 1_000, 2_000, 4_000, 6_000, 7_500] as const;

const LAST_READ_BACK_MS = READ_BACK_AT_MS[READ_BACK_AT_MS.length - 1] ?? 0;

/** The least time for a write and its first read-backs, in milliseconds. */
const MIN_LEFT_MS = 1_000;
/** A write and one read-back, each behind a request of a poll on the same line. */
const REQUESTS_LEFT = 4;

/** Aborts when the caller no longer waits. */
export type WriteSignal = AbortSignal & {
  /** When it aborts at the latest, in monotonic milliseconds. */
  readonly abortsAtMs?: number;
  /** How long the last writes of the unit took to be in force, in milliseconds; 0 where it does not matter. */
  readonly neededMs?: number;
  /** An earlier write of the setting may still come into force: the value is sent although it is the one in force. */
  readonly isContested?: boolean;
};

/** The time source of read-backs, in milliseconds. */
export interface ReadBackTime {
  monotonic(): number;
  /** Ends early when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<unknown>;
}

const SYSTEM_TIME: ReadBackTime = { monotonic: () => systemClock.monotonic(), pause: wait };

const NEVER_ABORTED = new AbortController().signal;

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
  /** Whether a third value is the one that the hardware itself named in its answer; by default it may be passing. */
  readonly isFinal?: (state: State) => boolean;
  /**
   * Sends the write, once. It resolves to the refusal of hardware that may have carried it out all the same. A
   * `WriteUnanswered` is read back, too; any other error is final.
   *
   * @param requireTime to be called right before the first byte; it throws WriteWithheld when too little time is left by then
   */
  readonly send: (requireTime: () => void) => Promise<RejectedByHardware | undefined>;
  readonly read: () => Promise<State>;
  /** The error for hardware that acknowledged the write and kept its old state. */
  readonly rejection: (state: State) => RejectedByHardware;
  /** Aborts when the caller no longer waits: the setting is then read once more, and no later. */
  readonly signal?: WriteSignal | undefined;
  /** How long the read right before took to be answered, in milliseconds; null where it is not known. */
  readonly roundTripMs?: number | null;
  /** The system's when left out. */
  readonly time?: ReadBackTime | undefined;
}

/**
 * The rule of every write: a value in force already is not written, because settings live in memory that wears, unless an
 * earlier write may still come into force; any other is sent at most once, while there is time to read it back, then read back until it is in force or the last
 * read-back was made, and judged once.
 *
 * @returns the state that the hardware has now; it may be one that the hardware chose itself
 * @throws RejectedByHardware when the hardware refused the value, KeptByHardware when it was read back with its old state
 * @throws WriteWithheld when too little time is left to send it
 * @throws WriteUnanswered when it was sent and neither its answer nor a read-back shows its outcome
 */
export async function writeVerified<State>(write: VerifiedWrite<State>): Promise<State> {
  const { before, alreadyInForce, isInForce, isUnchanged, rejection } = write;
  if (alreadyInForce && write.signal?.isContested !== true) return before;
  requireTime(write);
  const failure = await sendOnce(write);
  const now = await readBack(write, failure);
  if (isInForce(now) || !isUnchanged(now)) return now;
  if (failure instanceof WriteUnanswered) throw failure;
  const { message, reason, cause } = failure ?? rejection(now);
  throw new KeptByHardware(message, { reason, ...(cause !== undefined && { cause }) });
}

/** @throws WriteWithheld when the outcome could not be read back in time */
function requireTime<State>({ signal, roundTripMs, time = SYSTEM_TIME }: VerifiedWrite<State>): void {
  const { abortsAtMs = Number.POSITIVE_INFINITY, neededMs = 0 } = signal ?? {};
  const leftMs = abortsAtMs - time.monotonic();
  if (leftMs < Math.max(MIN_LEFT_MS, REQUESTS_LEFT * (roundTripMs ?? 0))) throw tooLate();
  if (leftMs >= neededMs) return;
  throw new WriteWithheld(
    'busy',
    'earlier writes left it less time than this hardware takes to put a value in force',
  );
}

function tooLate(): WriteWithheld {
  return new WriteWithheld('busy', 'its turn on the line did not come in time to read it back');
}

type Failure = RejectedByHardware | WriteUnanswered | undefined;

async function sendOnce<State>(write: VerifiedWrite<State>): Promise<Failure> {
  try {
    return await write.send(() => requireTime(write));
  } catch (error) {
    if (error instanceof WriteUnanswered) return error;
    throw error;
  }
}

/** After a write, lost or refused answers leave the outcome unknown. @throws WriteUnanswered in their place */
export async function afterWrite<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isFailedRequest(error)) throw error;
    throw unconfirmed(name, error);
  }
}

/**
 * Reads until the value is in force, or the last read-back was made. A read is no second write, so one that fails is
 * followed by the next.
 *
 * @throws WriteUnanswered when the last read failed, or the time was over while another state may still have followed
 */
async function readBack<State>(write: VerifiedWrite<State>, failure: Failure): Promise<State> {
  const { name, read, isInForce, isUnchanged, isFinal, signal = NEVER_ABORTED, time = SYSTEM_TIME } = write;
  const isJudged = (state: State): boolean =>
    isInForce(state) || (!isUnchanged(state) && isFinal?.(state) === true);
  const writtenAtMs = time.monotonic();
  const elapsedMs = (): number => time.monotonic() - writtenAtMs;
  for (let next = 0; ; ) {
    const pauseMs = (READ_BACK_AT_MS[next] ?? 0) - elapsedMs();
    if (pauseMs > 0) await time.pause(Math.ceil(pauseMs), signal);
    const isUnfinished = signal.aborted && elapsedMs() < LAST_READ_BACK_MS;
    const isLast = signal.aborted || next === READ_BACK_AT_MS.length - 1;
    const result = await attempt(name, read);
    if ('state' in result && isJudged(result.state)) return result.state;
    if (isLast) {
      if (failure instanceof WriteUnanswered && (isUnfinished || 'error' in result)) throw failure;
      if ('error' in result) throw unconfirmed(name, result.error);
      if (isUnfinished) throw notInForceInTime(name);
      return result.state;
    }
    next += 1;
    // Slow reads have missed some of the moments; the last one is never missed.
    while (next < READ_BACK_AT_MS.length - 1 && (READ_BACK_AT_MS[next] ?? 0) < elapsedMs()) next += 1;
  }
}

type ReadResult<State> = { readonly state: State } | { readonly error: Error };

async function attempt<State>(name: string, read: () => Promise<State>): Promise<ReadResult<State>> {
  try {
    const state = await read();
    return state === undefined ? { error: new LinkDown(`${name} cannot be read any more`) } : { state };
  } catch (error) {
    if (!isFailedRequest(error)) throw error;
    return { error };
  }
}

function isFailedRequest(error: unknown): error is LinkDown | ModbusException {
  return error instanceof LinkDown || error instanceof ModbusException;
}

function unconfirmed(name: string, cause: Error): WriteUnanswered {
  return new WriteUnanswered(`${name} was written and could not be confirmed: ${cause.message}`, {
    cause,
    kind: 'not_read_back',
    reason: 'it was sent and could not be read back',
  });
}

function notInForceInTime(name: string): WriteUnanswered {
  return new WriteUnanswered(`${name} was written and was not in force when the time was over`, {
    kind: 'not_in_time',
    reason: 'it was sent and was not in force in time',
  });
}
