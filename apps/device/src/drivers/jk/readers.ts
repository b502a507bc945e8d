import { setTimeout as delay } from 'node:timers/promises';
import type { ByteBus } from '../../bus/byte-bus.ts';
import type { Entry } from '../entries.ts';
import { RequestRefused } from '../frame-errors.ts';
import type { JkReader } from './hardware.ts';
import { pbEntries } from './pb-answer.ts';
import { encodePbRequest, pbRule, type RecordKind, recordOf } from './pb-frame.ts';
import { uartEntries } from './uart-answer.ts';
import { answerData, READ_ALL_REQUEST, uartRule } from './uart-frame.ts';

/** Keeps requests on a bus apart: a BMS that is asked too soon says nothing at all. */
class Pace {
  #lastSentAt = Number.NEGATIVE_INFINITY;
  #tail: Promise<unknown> = Promise.resolve();

  /** Makes the request once it is its turn and so much time has passed since the one before was sent. */
  run<T>(gapMs: number, request: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(async () => {
      const waitMs = this.#lastSentAt + gapMs - performance.now();
      if (waitMs > 0) await delay(Math.ceil(waitMs));
      this.#lastSentAt = performance.now();
      return request();
    });
    this.#tail = result.catch(() => {});
    return result;
  }
}

const paces = new WeakMap<ByteBus, Pace>();

/** Of the bus, not of one BMS: those on one line count together. */
function paceOf(bus: ByteBus): Pace {
  const pace = paces.get(bus) ?? new Pace();
  paces.set(bus, pace);
  return pace;
}

/** In milliseconds. */
export interface JkTimes {
  /** How far apart requests are sent at least; a BMS that is asked sooner does not answer. */
  readonly gapMs: number;
  readonly timeoutMs: number;
}

/** The classic protocol tells everything at once. */
export function uartReader(bus: ByteBus, { gapMs, timeoutMs }: JkTimes): JkReader {
  const rule = uartRule(uartEntries, timeoutMs);
  const status = async (): Promise<readonly Entry[]> =>
    uartEntries(answerData(await paceOf(bus).run(gapMs, () => bus.read(READ_ALL_REQUEST, rule))));
  return { status, slow: [] };
}

/**
 * The JK-PB protocol tells status, settings and identity apart; the latter two are read in turn.
 *
 * @param unit as set by the switches of the BMS, 1 to 15
 */
export function pbReader(bus: ByteBus, unit: number, { gapMs, timeoutMs }: JkTimes): JkReader {
  const read = async (kind: RecordKind): Promise<readonly Entry[]> => {
    const rule = pbRule(unit, kind, timeoutMs);
    const frame = await paceOf(bus).run(gapMs, () => bus.read(encodePbRequest(unit, kind), rule));
    return pbEntries(recordOf(frame), kind);
  };
  const ifGiven = async (kind: RecordKind): Promise<readonly Entry[]> => {
    try {
      return await read(kind);
    } catch (error) {
      if (error instanceof RequestRefused) return [];
      throw error;
    }
  };
  return {
    status: () => read('status'),
    slow: [
      { unit: 0, read: () => ifGiven('settings') },
      { unit: 0, read: () => ifGiven('info') },
    ],
  };
}
