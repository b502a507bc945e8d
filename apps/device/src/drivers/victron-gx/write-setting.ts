import type { MetricValue } from '@heliograph/metrics';
import { LinkDown } from '../../bus/failures.ts';
import { type ModbusBus, ModbusException } from '../../bus/modbus-bus.ts';
import { RejectedByHardware } from '../driver.ts';
import { writeVerified } from '../write-verified.ts';
import { isAbsentError } from './absence.ts';
import { decode, encode } from './codec.ts';
import type { GxRegisterRow } from './row.ts';
import type { SettingAddress } from './units.ts';

/** A GX passes a value on to the device that it is for, which takes a moment to report it. */
const PACE = { readBacks: 5, readBackPauseMs: 200 } as const;

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
  const decoded = (word: number): MetricValue => decode(row, [word]);
  const expected = decoded(raw);
  const now = await writeVerified({
    name,
    before,
    alreadyInForce: expected !== null && expected === decoded(before),
    isInForce: (word) => word === raw || (expected !== null && decoded(word) === expected),
    isUnchanged: (word) => word === before,
    send: () =>
      mapModbusException(
        () => bus.write(unitId, row.register, [raw], { signal }),
        `the GX refused ${value} for ${name}`,
      ),
    read,
    pace: PACE,
    rejection: (word) =>
      new RejectedByHardware(
        `the GX kept ${name} at ${decoded(word) ?? 'an unknown value'} and did not take ${value}`,
      ),
  });
  // The register holds the written count, although it may also mean something else.
  return now === raw && expected === null ? value : decoded(now);
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
