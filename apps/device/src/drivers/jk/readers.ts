import type { ByteBus } from '../../bus/byte-bus.ts';
import type { BatteryReader } from '../battery-hardware.ts';
import type { Entry } from '../entries.ts';
import { RequestRefused } from '../frame-errors.ts';
import { paceOf } from '../request-pace.ts';
import { pbEntries } from './pb-answer.ts';
import { encodePbRequest, pbRule, type RecordKind, recordOf } from './pb-frame.ts';
import { uartEntries } from './uart-answer.ts';
import { answerData, READ_ALL_REQUEST, uartRule } from './uart-frame.ts';

/** In milliseconds. */
export interface JkTimes {
  /** The least time between two requests; a BMS does not answer sooner ones. */
  readonly gapMs: number;
  readonly timeoutMs: number;
}

/** The classic protocol sends everything in one answer. */
export function uartReader(bus: ByteBus, { gapMs, timeoutMs }: JkTimes): BatteryReader {
  const rule = uartRule(uartEntries, timeoutMs);
  const status = async (): Promise<readonly Entry[]> =>
    uartEntries(answerData(await paceOf(bus).run(gapMs, () => bus.read(READ_ALL_REQUEST, rule))));
  return { status, slow: [] };
}

/**
 * The JK-PB protocol has records of status, settings and identity; the latter two are read in turn.
 *
 * @param unit as set by the switches of the BMS, 1 to 15
 */
export function pbReader(bus: ByteBus, unit: number, { gapMs, timeoutMs }: JkTimes): BatteryReader {
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
