import type { MetricValue } from '@heliograph/metrics';
import { type ModbusBus, ModbusException } from '../../bus/modbus-bus.ts';
import { RejectedByHardware } from '../driver.ts';
import { type ReadBackPace, writeVerified } from '../write-verified.ts';
import { decode, encode } from './codec.ts';
import { readAt } from './register-address.ts';
import type { RegisterRow } from './row.ts';

const ALL_ONES = 0xffff;

export interface SettingWrite {
  /** Of one register. */
  readonly row: RegisterRow;
  readonly pace: ReadBackPace;
  /** Function 16 for the one register, for hardware that does not know function 6. */
  readonly alwaysMultiple: boolean;
  readonly value: number | string;
  /** Aborts when the caller no longer waits: a request that was not sent by then is never sent. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes one setting and reads it back. Its register is read right before, because it may hold other settings
 * beside this one; a value that is in force already is not written, because settings live in an EEPROM.
 *
 * @returns the value as the inverter now reports it, which may be one that it chose itself
 * @throws RejectedByHardware when the inverter refuses or keeps its old value
 * @throws LinkDown when nothing was written, WriteUnanswered when the outcome is unknown
 */
export async function writeSetting(
  bus: ModbusBus,
  unitId: number,
  { row, value, signal, pace, alwaysMultiple }: SettingWrite,
): Promise<MetricValue> {
  const { name } = row.quantity;
  const [address = 0] = row.registers;
  const read = async (): Promise<number> => (await readAt(bus, unitId, address, 1))[0] ?? ALL_ONES;

  const before = await mapModbusException(read, `${name} cannot be read, so it was not written`);
  if (before === ALL_ONES && row.type !== 's16') {
    throw new RejectedByHardware(`this inverter does not have ${name}`);
  }
  const raw = encodeOrReject(row, value, before);
  const decoded = (word: number): MetricValue => decode(row, [word]);
  const now = await writeVerified({
    name,
    before,
    alreadyInForce: raw === before,
    isInForce: (word) => decoded(word) === decoded(raw),
    isUnchanged: (word) => decoded(word) === decoded(before),
    send: () =>
      mapModbusException(
        () => bus.write(unitId, address, [raw], { signal, alwaysMultiple }),
        `the inverter refused ${value} for ${name}`,
      ),
    read,
    pace,
    rejection: (word) =>
      new RejectedByHardware(`the inverter kept ${name} at ${decoded(word)} and did not take ${value}`),
  });
  return decoded(now);
}

function encodeOrReject(row: RegisterRow, value: number | string, before: number): number {
  try {
    return encode(row, value, [before])[0] ?? before;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RejectedByHardware(`the inverter cannot hold ${value} for ${row.quantity.name}`, {
      cause: error,
    });
  }
}

/** @throws RejectedByHardware with the description and the reason, in place of a Modbus exception */
async function mapModbusException<T>(request: () => Promise<T>, description: string): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ModbusException)) throw error;
    throw new RejectedByHardware(`${description}: ${error.message}`, { cause: error });
  }
}
