import { setTimeout as delay } from 'node:timers/promises';
import type { MetricValue } from '@heliograph/metrics';
import { LinkDown, WriteUnanswered } from '../../bus/failures.ts';
import { type ModbusBus, ModbusException } from '../../bus/modbus-bus.ts';
import { RejectedByHardware } from '../driver.ts';
import { decode, encode } from './codec.ts';
import type { DeyeRegisterRow, Profile } from './row.ts';

/** The inverter takes a moment until it reports a new value. */
const READ_BACKS = 5;
const READ_BACK_PAUSE_MS = 250;

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
  const expected = decode(row, [raw], profile);
  if (raw === before) return expected;

  await mapModbusException(
    () => bus.write(unitId, address, [raw], { signal, alwaysMultiple: true }),
    `the inverter refused ${value} for ${name}`,
  );
  const now = await readBack(name, async () => decode(row, [await read()], profile), expected);
  if (now === expected || now !== decode(row, [before], profile)) return now;
  throw new RejectedByHardware(`the inverter kept ${name} at ${now} and did not take ${value}`);
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

/**
 * Reads until the inverter reports the expected value, or the attempts are used up.
 *
 * @throws WriteUnanswered when it can no longer be read: a value was written, and the outcome is unknown
 */
async function readBack(
  name: string,
  read: () => Promise<MetricValue>,
  expected: MetricValue,
): Promise<MetricValue> {
  for (let attempt = 1; ; attempt++) {
    try {
      const now = await read();
      if (now === expected || attempt === READ_BACKS) return now;
    } catch (error) {
      if (!(error instanceof LinkDown) && !(error instanceof ModbusException)) throw error;
      throw new WriteUnanswered(`${name} was written and could not be confirmed: ${error.message}`, {
        cause: error,
      });
    }
    await delay(READ_BACK_PAUSE_MS);
  }
}
