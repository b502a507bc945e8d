import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RegisterBank, startRegisterServer } from '@heliograph/dev/modbus';
import { LineFaults, rtuUnits, serveLine } from '@heliograph/dev/serial';
import { systemClock, Unprocessable } from '@heliograph/kit';
import { defineMetric } from '@heliograph/metrics';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openModbusBus } from '../../bus/open-bus.ts';
import { parseValue } from '../../settings/parse-value.ts';
import type { Hardware, ModbusFamily } from '../driver.ts';
import { loadFamilies } from '../families/families.ts';
import { addressesOf } from '../modbus/blocks.ts';
import { type CompiledCondition, compileProfile, widthOf } from './compiled-profile.ts';
import type { DriverProfile, ProfileSetting } from './profile-schema.ts';
import { readProfile } from './read-profile.ts';

const DRIVERS = join(import.meta.dirname, '..');
const INPUT_START = 0x1_0000;
const ALL_BITS = 0xffff;

const families = await loadFamilies();
const profiles = [...families.keys()]
  .map((name) => join(DRIVERS, name, `${name}.yaml`))
  .filter((file) => existsSync(file))
  .map((file) => readProfile(readFileSync(file, 'utf8')))
  .flatMap((read) => ('profile' in read ? [read.profile] : []))
  .filter(({ settings = [] }) => settings.length > 0)
  .map((profile) => ({ name: profile.name, profile }));

/** A setting's value and the bits of its register that it is, worked out from the profile alone. */
interface Written {
  readonly value: number | string;
  /** As the hardware reports it. */
  readonly reported: number | string | boolean;
  readonly bits: number;
}

/** A number in so many registers, as they stand one after the other. */
function contentsIn(
  bits: number,
  width: number,
  order: DriverProfile['word_order'] = 'high first',
): readonly number[] {
  const registers = Array.from(
    { length: width },
    (_, place) => Math.floor(bits / 2 ** (16 * place)) & ALL_BITS,
  );
  return order === 'high first' ? registers.toReversed() : registers;
}

const rounded = (number: number): number => Math.round(number * 1e6) / 1e6;

/** Two values of a setting that differ, and texts that are beyond what it takes. */
function examplesOf(setting: ProfileSetting): {
  readonly one: Written;
  readonly other: Written;
  readonly refused: readonly string[];
} {
  const { type, min = 0, max = 0, scale = 1, step = Math.abs(scale), labels = {}, mask = ALL_BITS } = setting;
  const label = ([bits = '0', value = '']: readonly string[]): Written => ({
    value,
    reported: value,
    bits: Number(bits),
  });
  const number = (value: number): Written => ({ value, reported: value, bits: Math.round(value / scale) });
  const time = (value: string, bits: number): Written => ({
    value: `${value}:00`,
    reported: `${value}:00`,
    bits,
  });
  switch (type) {
    case 'code': {
      const entries = Object.entries(labels);
      return {
        one: label(entries[0] ?? []),
        other: label(entries.at(-1) ?? []),
        refused: ['no such label', '', '99'],
      };
    }
    case 'switch':
      return {
        one: { value: 'false', reported: false, bits: 0 },
        other: { value: 'true', reported: true, bits: mask },
        refused: ['perhaps', '2'],
      };
    case 'hhmm':
      return { one: time('00:00', 0), other: time('23:30', 2330), refused: ['24:00', '12:60'] };
    case 'hours and minutes':
      return { one: time('00:00', 0), other: time('23:30', 0x171e), refused: ['24:00', '12:60'] };
    case 'minutes and hours':
      return { one: time('00:00', 0), other: time('23:30', 0x1e17), refused: ['24:00', '12:60'] };
    default:
      return {
        one: number(min),
        other: number(max),
        refused: [String(rounded(min - step)), String(rounded(max + step)), 'much', ''],
      };
  }
}

const fulfilling = ({ is, from }: CompiledCondition): number => is?.[0] ?? from;

/** Contents with which a unit is recognised and has every setting; bits of no setting are set in the settings' registers. */
function contentsOf(profile: DriverProfile): Map<number, number> {
  const { spans, identity, settings: rows } = compileProfile(profile);
  const contents = new Map(spans.flatMap(addressesOf).map((address) => [address, 0]));
  const { settings = [] } = profile;
  for (const { at, mask = ALL_BITS, ...rest } of settings) {
    if (widthOf({ at, ...rest }) > 1) continue;
    const owned = settings
      .filter((one) => one.at === at)
      .reduce((bits, one) => bits | (one.mask ?? ALL_BITS), mask);
    contents.set(at, ALL_BITS & ~owned);
  }
  for (const setting of settings) {
    const width = widthOf(setting);
    if (width > 1) {
      const registers = contentsIn(examplesOf(setting).one.bits, width, profile.word_order);
      for (const [index, content] of registers.entries()) contents.set(setting.at + index, content);
      continue;
    }
    const bits = (contents.get(setting.at) ?? 0) | examplesOf(setting).one.bits;
    contents.set(setting.at, bits);
  }
  for (const condition of [...identity, ...rows.flatMap(({ when }) => when ?? [])]) {
    contents.set(condition.address, fulfilling(condition));
  }
  return contents;
}

function familyNamed(name: string): ModbusFamily {
  const family = families.get(name);
  if (family?.speaks !== 'modbus') throw new Error(`${name} is no Modbus family`);
  return family;
}

/** Serves these contents, and takes writes. */
function bankOf(
  contents: Map<number, number>,
  onWrite: (address: number, values: readonly number[]) => void,
): RegisterBank {
  return {
    readRange: (_unit, address, count, table) => {
      const first = table === 'input' ? INPUT_START + address : address;
      const values = Array.from({ length: count }, (_, at) => contents.get(first + at));
      return values.every((value) => value !== undefined) ? values : undefined;
    },
    write: (_unit, address, values) => {
      onWrite(address, values);
      for (const [at, value] of values.entries()) contents.set(address + at, value);
    },
  };
}

describe.concurrent.each(profiles)('the settings of $name', ({ name, profile }) => {
  const { settings = [] } = profile;
  const contents = new Map<number, number>();
  const writes: (readonly [address: number, values: readonly number[]])[] = [];
  let hardware: Hardware;
  let close: () => Promise<void>;

  beforeEach(() => {
    for (const [address, content] of contentsOf(profile)) contents.set(address, content);
    writes.length = 0;
  });

  beforeAll(async () => {
    for (const [address, content] of contentsOf(profile)) contents.set(address, content);
    const bank = bankOf(contents, (address, values) => writes.push([address, [...values]]));
    const server = await startRegisterServer({ host: '127.0.0.1', port: 0, ...bank });
    const family = familyNamed(name);
    const address = { transport: 'modbus-tcp', host: server.host, port: server.port } as const;
    const bus = openModbusBus(address, family.line, systemClock);
    close = async () => {
      await bus.close();
      await server.stop();
    };
    hardware = await family.open(bus, { unit: undefined, options: {} });
  });

  afterAll(() => close?.());

  it('every setting has two sources', { concurrent: false }, () => {
    for (const { name: setting, source = '', confirmed } of settings) {
      expect([setting, source.split(',').length >= 2, confirmed], setting).toEqual([
        setting,
        true,
        undefined,
      ]);
      for (const letter of source.split(', ')) expect(profile.sources, setting).toHaveProperty(letter);
    }
  });

  it.each(settings.map((setting) => [setting.name, setting] as const))(
    '%s is written once, read back, not written while it is in force, and refused beyond its bounds',
    { concurrent: false },
    async (setting, { at, mask = ALL_BITS, ...rest }) => {
      const width = widthOf({ at, ...rest });
      const wide = (bits: number): readonly number[] => contentsIn(bits, width, profile.word_order);
      const held = () => Array.from({ length: width }, (_, place) => contents.get(at + place));
      const { one, other, refused } = examplesOf({ at, mask, ...rest });
      const quantity = hardware.units[0]?.quantities.find((candidate) => candidate.name === setting);
      if (quantity?.setting === undefined) throw new Error(`the unit does not have ${setting}`);
      const definition = defineMetric('inverters', 1, quantity);
      const { setting: rule } = quantity;
      const parsed = (value: number | string) => parseValue(definition, rule, String(value));
      const before = contents.get(at) ?? 0;

      expect(await hardware.write(0, setting, parsed(other.value))).toBe(other.reported);
      const expected = (bits: number) => (width === 1 ? [(before & ~mask) | bits] : wide(bits));
      expect(writes).toEqual([[at, expected(other.bits)]]);
      expect((await hardware.poll())[0]?.get(setting)).toBe(other.reported);

      expect(await hardware.write(0, setting, parsed(other.value))).toBe(other.reported);
      expect(writes).toHaveLength(1);

      expect(await hardware.write(0, setting, parsed(one.value))).toBe(one.reported);
      expect(writes.slice(1)).toEqual([[at, expected(one.bits)]]);
      for (const text of refused) expect(() => parsed(text), text).toThrow(Unprocessable);
      expect(held()).toEqual(expected(one.bits));
    },
  );
});

/** A content of the setting's register that no label names, within its mask and no "no value"; undefined without one. */
function namelessCode({ labels = {}, mask = ALL_BITS }: ProfileSetting): number | undefined {
  const codes = Array.from({ length: ALL_BITS }, (_, code) => code).filter((code) => (code & mask) === code);
  return codes.find((code) => !Object.hasOwn(labels, code));
}

const modes = profiles.flatMap(({ name, profile }) =>
  (profile.settings ?? [])
    .filter(({ type }) => type === 'code')
    .flatMap((setting) => {
      const code = namelessCode(setting);
      return code === undefined ? [] : [{ name, profile, setting, code }];
    }),
);

describe.concurrent('a mode without a name', () => {
  it.each(modes)(
    '$setting.name of $name reads "Unknown ($code)", and another is written from there',
    async ({ name, profile, setting, code }) => {
      const contents = contentsOf(profile);
      const { mask = ALL_BITS } = setting;
      const before = ((contents.get(setting.at) ?? 0) & ~mask) | code;
      contents.set(setting.at, before);
      const bank = bankOf(contents, () => {});
      const server = await startRegisterServer({ host: '127.0.0.1', port: 0, ...bank });
      const address = { transport: 'modbus-tcp', host: server.host, port: server.port } as const;
      const bus = openModbusBus(address, familyNamed(name).line, systemClock);
      try {
        const hardware = await familyNamed(name).open(bus, { unit: undefined, options: {} });
        const unknown = `Unknown (${code})`;
        expect((await hardware.poll())[0]?.get(setting.name)).toBe(unknown);
        expect(hardware.needsReopen).toBe(false);
        const quantity = hardware.units[0]?.quantities.find((one) => one.name === setting.name);
        expect(quantity?.setting).toMatchObject({ options: expect.arrayContaining([unknown]) });
        await expect(hardware.write(0, setting.name, 'Unknown (54321)')).rejects.toThrow('cannot hold');
        expect(contents.get(setting.at)).toBe(before);

        const { value, bits } = examplesOf(setting).other;
        expect(await hardware.write(0, setting.name, value)).toBe(value);
        expect(contents.get(setting.at)).toBe((before & ~mask) | bits);

        const reopened = await familyNamed(name).open(bus, { unit: undefined, options: {} });
        contents.set(setting.at, before);
        expect((await reopened.poll())[0]?.get(setting.name)).toBe(unknown);
        expect(reopened.needsReopen, 'its options lack it').toBe(true);
      } finally {
        await bus.close();
        await server.stop();
      }
    },
  );
});

const CRC_BYTES = 2;

describe.concurrent('frames that other programs wrote to real hardware', () => {
  it.each([
    ['goodwe-et', 'goodwe_et_write_frames', 'f706b12c0014', 'Stop battery discharge capacity', 20],
    ['goodwe-et', 'goodwe_et_write_frames', 'f706b7980002', 'Work mode', 'Backup'],
    ['sungrow', 'sungrow_forced_charge_writes', '010632fa00aa', 'Forced battery command', 'Charge'],
  ] as const)('%s in %s: the driver writes %s, too', async (name, capture, frame, setting, value) => {
    const recording = readFileSync(join(DRIVERS, name, 'captures', `${capture}.json`), 'utf8');
    expect(recording).toContain(frame);
    const profile = profiles.find((one) => one.name === name)?.profile;
    if (profile === undefined) throw new Error(`there is no profile ${name}`);
    const contents = contentsOf(profile);
    for (const one of profile.settings ?? []) {
      if (one.name === setting) contents.set(one.at, examplesOf(one).other.bits);
    }
    const line = new LineFaults();
    const family = familyNamed(name);
    const units = rtuUnits(
      bankOf(contents, () => {}),
      [family.usualUnit ?? 1],
    );
    const { host, port, stop } = await serveLine(line.between(units));
    const bus = openModbusBus({ transport: 'modbus-rtu-tcp', host, port }, family.line, systemClock);
    try {
      const hardware = await family.open(bus, { unit: undefined, options: {} });
      line.requests.length = 0;
      await hardware.write(0, setting, value);
    } finally {
      await bus.close();
      await stop();
    }
    const frames = line.requests.map((request) => request.subarray(0, -CRC_BYTES).toString('hex'));
    expect(frames).toContain(frame);
  });
});
