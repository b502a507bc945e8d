import type { MetricValue } from '@heliograph/metrics';
import { type ModbusBus, ModbusException } from '../../bus/modbus-bus.ts';
import { RejectedByHardware } from '../driver.ts';
import { writeVerified } from '../write-verified.ts';
import { decode, encode } from './codec.ts';
import type { DeyeRegisterRow, Profile } from './row.ts';

/** The inverter takes a moment until it reports a new value. */
const PACE = { readBacks: 5, readBackPauseMs: 250 } as const;

const ALL_ONES = 0xffff;

export interface DeyeSettingWrite {
  readonly row: DeyeRegisterRow;
  readonly profile: Profile;
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
  { row, profile, value, signal }: DeyeSettingWrite,
): Promise<MetricValue> {
  const { name } = row.quantity;
  const [address = 0] = row.registers;
  const read = async (): Promise<number> => (await bus.read(unitId, address, 1))[0] ?? ALL_ONES;

  const before = await mapModbusException(read, `${name} cannot be read, so it was not written`);
  if (before === ALL_ONES && row.type !== 's16') {
    throw new RejectedByHardware(`this inverter does not have ${name}`);
  }
  const raw = encodeOrReject(row, profile, value, before);
  const decoded = (word: number): MetricValue => decode(row, [word], profile);
  const now = await writeVerified({
    name,
    before,
    alreadyInForce: raw === before,
    isInForce: (word) => decoded(word) === decoded(raw),
    isUnchanged: (word) => decoded(word) === decoded(before),
    send: () =>
      mapModbusException(
        () => bus.write(unitId, address, [raw], { signal, alwaysMultiple: true }),
        `the inverter refused ${value} for ${name}`,
      ),
    read,
    pace: PACE,
    rejection: (word) =>
      new RejectedByHardware(`the inverter kept ${name} at ${decoded(word)} and did not take ${value}`),
  });
  return decoded(now);
}

function encodeOrReject(
  row: DeyeRegisterRow,
  profile: Profile,
  value: number | string,
  before: number,
): number {
  try {
    return encode(row, value, profile, [before])[0] ?? before;
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
