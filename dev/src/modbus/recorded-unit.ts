import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  addressesOf,
  type CompiledCondition,
  type CompiledProfile,
  compileProfile,
  type ProfileSetting,
  planUnit,
  readProfile,
  recordedRegisters,
} from '@heliograph/device/profiles';
import { readRecording } from '@heliograph/device/recording-file';
import { ModbusRefusal, type RegisterBank } from './register-server.ts';

const DRIVERS = join(import.meta.dirname, '../../../apps/device/src/drivers');

/** Input registers are numbered from here on, as in the maps of the drivers. */
const INPUT_START = 0x1_0000;
const ILLEGAL_ADDRESS = 2;

/** One Modbus unit as a profile describes it, with what recordings of such a unit hold. */
export interface RecordedUnit extends RegisterBank {
  /** As delivered. */
  readonly unitId: number;
}

/**
 * Simulates a unit by its recordings. What none of them holds is 0, a setting the least that it can be, and what the
 * profile recognises the hardware by is as it should be. Settings are taken and kept; other registers refuse a write.
 *
 * @param driver the name of a built-in profile
 * @param recordings files in its folder `captures`, without their ending; of the same unit
 * @throws Error when there is no such profile, or a recording holds no registers of it
 */
export async function recordedUnit(driver: string, recordings: readonly string[]): Promise<RecordedUnit> {
  const folder = join(DRIVERS, driver);
  const read = readProfile(await readFile(join(folder, `${driver}.yaml`), 'utf8'));
  if ('mistakes' in read) throw new Error(`${driver}.yaml has mistakes`);
  const { profile } = read;
  const loggedTable = profile.table === undefined ? {} : { loggedTable: profile.table };
  const recorded = new Map<number, number>();
  for (const name of recordings) {
    const recording = await readRecording(join(folder, 'captures', `${name}.json`), async () => '');
    const registers = recordedRegisters({ protocol: driver, ...recording }, loggedTable);
    for (const [address, content] of registers) recorded.set(address, content);
  }
  const compiled = compileProfile(profile);
  const contents = contentsOf(compiled, recorded);
  const writable = new Set(compiled.settings.flatMap(({ row }) => row.registers));
  return {
    unitId: profile.unit ?? 1,
    readRange: (_unit, address, count, table = 'holding') => {
      const first = table === 'input' ? INPUT_START + address : address;
      const values = Array.from({ length: count }, (_, at) => contents.get(first + at));
      return values.every((value) => value !== undefined) ? values : undefined;
    },
    write: (_unit, address, values) => {
      for (const at of values.keys()) {
        if (!writable.has(address + at)) throw new ModbusRefusal(ILLEGAL_ADDRESS);
      }
      for (const [at, value] of values.entries()) contents.set(address + at, value);
    },
  };
}

function contentsOf(compiled: CompiledProfile, recorded: ReadonlyMap<number, number>): Map<number, number> {
  const { spans, identity, readings, settings, profile } = compiled;
  const contents = new Map(spans.flatMap(addressesOf).map((address) => [address, 0]));
  const conditions = [
    ...identity,
    ...[...readings, ...settings].flatMap((reading) =>
      reading.from === 'registers' ? (reading.when ?? []) : [],
    ),
  ];
  for (const { address } of conditions) contents.set(address, fulfilling(address, conditions));
  for (const [at, { row }] of settings.entries()) {
    const [address = 0] = row.registers;
    contents.set(address, (contents.get(address) ?? 0) | leastOf(profile.settings?.[at]));
  }
  for (const [address, content] of recorded) contents.set(address, content);
  for (const address of shadowing(compiled, recorded)) contents.delete(address);
  return contents;
}

/** The content of a register that fulfils the most of its conditions. */
function fulfilling(address: number, conditions: readonly CompiledCondition[]): number {
  const own = conditions.filter((condition) => condition.address === address);
  const candidates = own.flatMap(({ is, from }) => is ?? [from]);
  const fulfilled = (content: number): number =>
    own.filter(({ is, from, to, mask }) => {
      const masked = content & mask;
      return is === undefined ? masked >= from && masked <= to : is.includes(masked);
    }).length;
  return candidates.toSorted((one, other) => fulfilled(other) - fulfilled(one))[0] ?? 0;
}

/** The bits of a setting at the least that it can be. */
function leastOf(setting: ProfileSetting | undefined): number {
  if (setting === undefined) return 0;
  const { type, labels = {}, min = 0, scale = 1 } = setting;
  if (type === 'code') return Number(Object.keys(labels)[0] ?? 0);
  return type === 'u16' ? Math.round(min / scale) : 0;
}

/**
 * Registers that would stand before those of a recorded reading: of several readings of one name the first that the
 * hardware has counts, so the recorded unit had none of them.
 */
function shadowing(compiled: CompiledProfile, recorded: ReadonlyMap<number, number>): ReadonlySet<number> {
  const planned = new Set(planUnit(compiled, recorded).readings.map(({ quantity }) => quantity.name));
  const rows = compiled.readings.filter((reading) => reading.from === 'registers');
  return new Set(
    rows
      .filter(
        ({ quantity, row }) => planned.has(quantity.name) && !row.registers.every((at) => recorded.has(at)),
      )
      .flatMap(({ row }) => row.registers.filter((at) => !recorded.has(at))),
  );
}
