import { setTimeout as delay } from 'node:timers/promises';
import type { MetricValue } from '@heliograph/metrics';
import { LinkDown, WriteUnanswered } from '../../bus/failures.ts';
import { type ModbusBus, ModbusException } from '../../bus/modbus-bus.ts';
import { RejectedByHardware } from '../driver.ts';
import { isAbsentError } from './absence.ts';
import { decode, encode } from './codec.ts';
import type { GxRegisterRow } from './row.ts';
import type { SettingAddress } from './units.ts';

/** A GX passes a value on to the device that it is for, which takes a moment to report it. */
const READ_BACKS = 5;
const READ_BACK_PAUSE_MS = 200;

/** How far a number may be from a count of the register, for its binary rounding. */
const COUNT_TOLERANCE = 1e-6;

const ILLEGAL_ADDRESS = 2;
const READ_ONLY = 'the GX takes no writes here: its Modbus TCP may be set to read only';

export interface GxSettingWrite {
  readonly address: SettingAddress;
  readonly value: number | string;
  /** Aborts when the caller no longer waits: a request that was not sent by then is never sent. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes one setting and reads it back. A value that is in force already is not written, because settings are stored in
 * memory that wears.
 *
 * @returns the value as the GX now reports it, which may be one that it chose itself
 * @throws RejectedByHardware when the GX refuses or keeps its old value
 * @throws LinkDown when nothing was written, WriteUnanswered when the outcome is unknown
 */
export async function writeSetting(
  bus: ModbusBus,
  { address: { unitId, row }, value, signal }: GxSettingWrite,
): Promise<MetricValue> {
  const { name } = row.quantity;
  const read = async (): Promise<number> => (await bus.read(unitId, row.register, 1))[0] ?? 0;

  const before = await mapModbusException(read, `${name} cannot be read, so it was not written`);
  const raw = encodeOrReject(row, value);
  const expected = decode(row, [raw]);
  if (expected !== null && expected === decode(row, [before])) return expected;

  await mapModbusException(
    () => bus.write(unitId, row.register, [raw], { signal }),
    `the GX refused ${value} for ${name}`,
  );
  const now = await readBack(name, read, (word) => word === raw || isSame(decode(row, [word]), expected));
  // The register holds the written count, although it may also mean something else.
  if (now === raw && expected === null) return value;
  if (now !== before) return decode(row, [now]);
  throw new RejectedByHardware(
    `the GX kept ${name} at ${decode(row, [before]) ?? 'an unknown value'} and did not take ${value}`,
  );
}

function isSame(now: MetricValue, expected: MetricValue): boolean {
  return expected !== null && now === expected;
}

function encodeOrReject(row: GxRegisterRow, value: number | string): number {
  const { name, unit } = row.quantity;
  if (typeof value === 'number' && 'factor' in row && row.factor !== undefined && value >= 0) {
    const counts = value / row.factor;
    if (Math.abs(counts - Math.round(counts)) > COUNT_TOLERANCE) {
      throw new RejectedByHardware(`the GX keeps ${name} in steps of ${row.factor} ${unit}, so not ${value}`);
    }
  }
  try {
    return encode(row, value)[0] ?? 0;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RejectedByHardware(`the GX cannot hold ${value} for ${name}`, { cause: error });
  }
}

/** @throws RejectedByHardware with the description and the reason, in place of an exception of the GX */
async function mapModbusException<T>(request: () => Promise<T>, description: string): Promise<T> {
  try {
    return await request();
  } catch (error) {
    // Behind a gateway that timed out a write may have been carried out: the bus throws WriteUnanswered, which passes.
    if (error instanceof LinkDown && isAbsentError(error)) {
      throw new RejectedByHardware(`${description}: its device is not there, or did not take it`, {
        cause: error,
      });
    }
    if (!(error instanceof ModbusException)) throw error;
    const reason = error.code === ILLEGAL_ADDRESS ? READ_ONLY : error.message;
    throw new RejectedByHardware(`${description}: ${reason}`, { cause: error });
  }
}

/**
 * Reads until the register holds the expected value, or the attempts are used up.
 *
 * @throws WriteUnanswered when it can no longer be read: a value was written, and the outcome is unknown
 */
async function readBack(
  name: string,
  read: () => Promise<number>,
  isExpected: (word: number) => boolean,
): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      const now = await read();
      if (isExpected(now) || attempt === READ_BACKS) return now;
    } catch (error) {
      if (!(error instanceof LinkDown) && !(error instanceof ModbusException)) throw error;
      throw new WriteUnanswered(`${name} was written and could not be confirmed: ${error.message}`, {
        cause: error,
      });
    }
    await delay(READ_BACK_PAUSE_MS);
  }
}
