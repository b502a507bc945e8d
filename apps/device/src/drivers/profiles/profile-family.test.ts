import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type RegisterServer, startRegisterServer } from '@heliograph/dev/modbus';
import { systemClock } from '@heliograph/kit';
import type { MetricValue } from '@heliograph/metrics';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { ModbusBus } from '../../bus/modbus/modbus-bus.ts';
import { openModbusBus } from '../../bus/open-bus.ts';
import { type DriverFamily, type ModbusFamily, NotRecognised, RejectedByHardware } from '../driver.ts';
import { loadFamilies } from '../families/families.ts';
import { addressIn } from '../modbus/register-address.ts';
import { type CompiledProfile, compileProfile } from './compiled-profile.ts';
import { loadProfile } from './profile-family.ts';
import { readProfile } from './read-profile.ts';
import { decodeFrame, planUnit } from './unit-plan.ts';

const DRIVERS = join(import.meta.dirname, '..');

const profiles = [...(await loadFamilies()).keys()].flatMap((name) => {
  try {
    return [{ name, text: readFileSync(join(DRIVERS, name, `${name}.yaml`), 'utf8') }];
  } catch {
    return [];
  }
});

function compiledOf(text: string) {
  const read = readProfile(text);
  if ('mistakes' in read) throw new Error(JSON.stringify(read.mistakes));
  return compileProfile(read.profile);
}

/** Every register that is read. */
function addressesOf({ spans }: CompiledProfile): readonly number[] {
  const registers = spans.flatMap(({ address, count }) =>
    Array.from({ length: count }, (_, index) => address + index),
  );
  return [...new Set(registers)];
}

it('every built-in profile is named as its file', () => {
  const files = globSync(join(DRIVERS, '*/*.yaml')).map((file) => basename(file, '.yaml'));
  expect(profiles.map(({ name }) => name).toSorted()).toEqual(files.toSorted());
});

const GARBAGE = [0, 1, 0xffff, 0x7fff, 0x8000, 0x5941, 0x3132];

describe.each(profiles)('the profile $name', ({ text }) => {
  it('any contents of its registers decode to values within its bounds, and to a balance', () => {
    const compiled = compiledOf(text);
    const addresses = addressesOf(compiled);
    const content = fc.oneof(fc.constantFrom(...GARBAGE), fc.integer({ min: 0, max: 0xffff }));
    const contents = fc.array(content, { minLength: addresses.length, maxLength: addresses.length });
    fc.assert(
      fc.property(contents, (values) => {
        const frame = new Map(addresses.map((address, index) => [address, values[index] ?? 0]));
        const plan = planUnit(compiled, frame);
        const { reading, withheld } = decodeFrame(plan, frame);
        for (const { quantity, min, max } of plan.readings) {
          const value = reading.get(quantity.name);
          if (typeof value !== 'number') continue;
          expect(value, quantity.name).toBeGreaterThanOrEqual(min);
          expect(value, quantity.name).toBeLessThanOrEqual(max);
        }
        for (const { name } of withheld) expect(reading.get(name)).toBeNull();
        const watts = (name: string): number => Number(reading.get(name) ?? 0);
        const load = reading.get('Load power');
        if (typeof load === 'number' && typeof reading.get('Grid power') === 'number') {
          expect(load).toBe(
            watts('PV power') + watts('Grid power') + watts('Generator power') - watts('Battery power'),
          );
        }
      }),
      { numRuns: 200 },
    );
  });

  it('every number has a unit with bounds, so that none is believed blindly', () => {
    const { readings } = compiledOf(text);
    const numbers = readings.filter(({ quantity }) =>
      ['W', 'V', 'A', 'Hz', '%', '°C'].includes(quantity.unit),
    );
    for (const { quantity, min, max } of numbers.filter(({ quantity: { group } }) => group !== 'Info')) {
      expect([quantity.name, Number.isFinite(min), Number.isFinite(max)]).toEqual([
        quantity.name,
        true,
        true,
      ]);
    }
  });
});

/** Two tables, so that function 4 shows. */
interface Tables {
  readonly holding: Map<number, number>;
  readonly input: Map<number, number>;
}

interface Served extends Tables {
  readonly bus: ModbusBus;
  readonly reads: (readonly [address: number, count: number])[];
  readonly writes: (readonly [address: number, values: readonly number[]])[];
}

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function serve(tables: Tables): Promise<Served> {
  const reads: (readonly [number, number])[] = [];
  const writes: (readonly [number, readonly number[]])[] = [];
  const server: RegisterServer = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    readRange: (_unit, address, count, table = 'holding') => {
      reads.push([address, count]);
      const values = Array.from({ length: count }, (_, index) => tables[table].get(address + index));
      return values.every((value) => value !== undefined) ? values : undefined;
    },
    write: (_unit, address, values) => {
      writes.push([address, [...values]]);
      for (const [index, value] of values.entries()) tables.holding.set(address + index, value);
    },
  });
  cleanups.push(() => server.stop());
  const { host, port } = server;
  const line = { baudRate: 9_600, parity: 'none', stopBits: 1 } as const;
  const bus = openModbusBus({ transport: 'modbus-tcp', host, port }, line, systemClock);
  cleanups.push(() => bus.close());
  return { ...tables, bus, reads, writes };
}

/** Every register of the profile holds 0 but these. */
function tablesOf(name: string, holding: Record<number, number>, input: Record<number, number> = {}): Tables {
  const registers = addressesOf(compiledOf(profiles.find((one) => one.name === name)?.text ?? ''));
  const addresses = (first: number) =>
    registers.filter((address) => address >= first && address < first + 0x1_0000);
  const filled = (first: number, more: Record<number, number>) =>
    new Map([
      ...addresses(first).map((address) => [address - first, 0] as const),
      ...Object.entries(more).map(([address, value]) => [Number(address), value] as const),
    ]);
  return { holding: filled(0, holding), input: filled(addressIn('input', 0), input) };
}

const familyNamed = async (name: string): Promise<ModbusFamily> => {
  const family: DriverFamily | undefined = (await loadFamilies({ wanted: [name] })).get(name);
  if (family?.speaks !== 'modbus') throw new Error(`${name} is no Modbus family`);
  return family;
};

const text = (at: number, letters: string): Record<number, number> =>
  Object.fromEntries(
    [...letters.matchAll(/../g)].map(([pair], index) => [
      at + index,
      (pair.charCodeAt(0) << 8) | pair.charCodeAt(1),
    ]),
  );

/** A Growatt SPH that charges 2 kW of 3 kW PV and exports 400 W. */
const SPH = () =>
  tablesOf(
    'growatt-sph',
    { ...text(23, 'ABC1234567'), 1070: 80, 1092: 0 },
    { 1: 0, 2: 30_000, 5: 0, 6: 30_000, 1012: 20_000, 1014: 61, 1030: 4_000, 37: 5_001 },
  );

describe('a unit that a profile describes', () => {
  it('input and holding registers are read, and powers balance', async () => {
    const { bus } = await serve(SPH());
    const hardware = await (await familyNamed('growatt-sph')).open(bus, { unit: 1, options: {} });
    expect(hardware.units).toMatchObject([{ kind: 'inverters', model: 'Growatt SPH' }]);
    const [reading] = await hardware.poll();
    expect(Object.fromEntries(reading ?? [])).toMatchObject({
      'Serial number': 'ABC1234567',
      'PV power': 3000,
      'Battery power': 2000,
      'Grid power': -400,
      'Load power': 600,
      'Battery state of charge': 61,
      'Grid frequency': 50.01,
      'Grid first discharge rate': 80,
      'Battery first grid charge': 'Disabled',
    });
  });

  it('a setting is written once with function 6, read back, and not written again while it is in force', async () => {
    const { bus, writes, holding } = await serve(SPH());
    const hardware = await (await familyNamed('growatt-sph')).open(bus, { unit: 1, options: {} });
    expect(await hardware.write(0, 'Battery first grid charge', 'Enabled')).toBe('Enabled');
    expect(await hardware.write(0, 'Battery first grid charge', 'Enabled')).toBe('Enabled');
    expect(writes).toEqual([[1092, [1]]]);
    expect(holding.get(1092)).toBe(1);
  });

  it('a setting in some bits of a register preserves the others', async () => {
    const { bus, holding } = await serve(tablesOf('solis', { 43110: 0b1000_0000_0001 }));
    const hardware = await (await familyNamed('solis')).open(bus, { unit: 1, options: {} });
    expect(await hardware.write(0, 'Grid charge', 'true')).toBe(true);
    expect(await hardware.write(0, 'Work mode', 'Feed-in priority')).toBe('Feed-in priority');
    expect(holding.get(43_110)).toBe(0b1000_0110_0000);
  });

  it('a value beyond its bounds is withheld with what is computed from it', async () => {
    const tables = SPH();
    tables.input.set(1011, 0x7fff);
    tables.holding.set(608, 10);
    const { bus } = await serve(tables);
    const hardware = await (await familyNamed('growatt-sph')).open(bus, { unit: 1, options: {} });
    const [reading] = await hardware.poll();
    const {
      'Battery power': battery,
      'Load power': load,
      'PV power': pv,
    } = Object.fromEntries(reading ?? []);
    expect({ battery, load, pv }).toEqual({ battery: null, load: null, pv: 3000 });
    expect(hardware.withheldIn?.(0)).toEqual([{ name: 'Battery charge power', value: 214_743_811 }]);
  });

  it('a setting beyond its bounds is withheld', async () => {
    const tables = SPH();
    tables.holding.set(1091, 25_620).set(608, 10);
    const { bus } = await serve(tables);
    const hardware = await (await familyNamed('growatt-sph')).open(bus, { unit: 1, options: {} });
    const name = 'Battery first stop charge';
    expect((await hardware.poll())[0]?.get(name)).toBeNull();
    expect(hardware.withheldIn?.(0)).toEqual([{ name, value: 25_620 }]);
    tables.holding.set(1091, 70);
    expect((await hardware.poll())[0]?.get(name)).toBe(70);
    expect(hardware.withheldIn?.(0)).toEqual([]);
  });

  it.each([
    [75, 'Stop charge priority capacity'],
    [83, 'Stop forced discharge capacity'],
  ])('a Luxpower has the percent in the low byte of register %d', async (register, name) => {
    const holding = new Map(Array.from({ length: 300 }, (_, address) => [address, 0]));
    const input = new Map(holding);
    holding.set(19, 54).set(2, 0x3030).set(register, 0x0614);
    const { bus, writes } = await serve({ holding, input });
    const hardware = await (await familyNamed('luxpower')).open(bus, { unit: 1, options: {} });
    expect((await hardware.poll())[0]?.get(name)).toBe(20);
    expect(await hardware.write(0, name, 30)).toBe(30);
    expect(writes).toEqual([[register, [0x061e]]]);
  });

  it('registers that the unit refuses are left out, and another unit is not recognised', async () => {
    const tables = SPH();
    for (const register of [1040, 59, 60]) tables.input.delete(register);
    const { bus } = await serve(tables);
    const family = await familyNamed('growatt-sph');
    const hardware = await family.open(bus, { unit: 1, options: {} });
    const names = hardware.units[0]?.quantities.map(({ name }) => name);
    expect(names).not.toContain('Battery temperature');
    expect(names).not.toContain('Day PV energy');
    expect(names).toContain('Load power');
    await expect((await familyNamed('srne')).open(bus, { unit: 1, options: {} })).rejects.toThrow(
      NotRecognised,
    );
  });

  /** An SMA hybrid without a meter, whose PV inputs and AC side rest at night; no value is 80000000 or FFFFFFFF. */
  const RESTING_SMA = () =>
    tablesOf(
      'sma',
      {
        ...Object.fromEntries(
          [30_771, 30_773, 30_775, 30_865, 30_867, 30_957, 30_959, 30_961].map((at) => [at, 0x8000]),
        ),
        30052: 8009,
        30054: 19_050,
        30057: 0xb3a4,
        30058: 0x0a11,
        30202: 303,
        30515: 0xbe,
        30516: 0xf9f9,
        30846: 57,
      },
      { 31394: 500 },
    );

  it('contents without a value stand for what the profile names, and wide numbers are read', async () => {
    const { bus } = await serve(RESTING_SMA());
    const hardware = await (await familyNamed('sma')).open(bus, { unit: 3, options: {} });
    expect(hardware.units).toMatchObject([{ model: 'STP8.0-3SE-40' }]);
    const reading = Object.fromEntries((await hardware.poll())[0] ?? []);
    expect(reading).toMatchObject({
      'Serial number': 0xb3a4_0a11,
      'Device mode': 'Off',
      'PV power': 0,
      'PV voltage 1': null,
      'Battery power': 500,
      'Battery state of charge': 57,
      'Total PV energy': 12_515.83,
    });
    expect(reading).not.toHaveProperty('Grid power');
    expect(reading).not.toHaveProperty('Load power');
  });

  it('a number in several registers is read whole, also while the hardware is recognised', async () => {
    const { bus, reads } = await serve(RESTING_SMA());
    await (await familyNamed('sma')).open(bus, { unit: 3, options: {} });
    expect(reads[0]).toEqual([30_051, 4]);
    for (const [address, count] of reads) expect([address % 2, count % 2]).toEqual([1, 0]);
  });

  it('the hardware is opened again when its meter begins to answer', async () => {
    const tables = tablesOf('huawei', { ...text(30_000, 'SUN2000L'), ...text(30_015, 'HV12') });
    const { bus } = await serve(tables);
    const hardware = await (await familyNamed('huawei')).open(bus, { unit: 1, options: {} });
    expect(hardware.units[0]?.quantities.map(({ name }) => name)).not.toContain('Grid power');
    await hardware.poll();
    expect(hardware.needsReopen).toBe(false);
    tables.holding.set(37_100, 1);
    await hardware.poll();
    expect(hardware.needsReopen).toBe(true);
  });

  it('a meter that no longer answers has no values, and the hardware has less than when it was opened', async () => {
    const tables = tablesOf('huawei', { ...text(30_000, 'SUN2000L'), ...text(30_015, 'HV12') });
    tables.holding.set(37_100, 1);
    const { bus } = await serve(tables);
    const hardware = await (await familyNamed('huawei')).open(bus, { unit: 1, options: {} });
    const gridPower = async () => (await hardware.poll())[0]?.get('Grid power');
    expect(await gridPower()).toBe(0);
    expect([hardware.needsReopen, hardware.hasShrunk]).toEqual([false, false]);
    tables.holding.set(37_100, 0);
    expect(await gridPower()).toBeNull();
    expect([hardware.needsReopen, hardware.hasShrunk]).toEqual([false, true]);
    tables.holding.set(37_100, 1);
    expect(await gridPower()).toBe(0);
    expect([hardware.needsReopen, hardware.hasShrunk]).toEqual([false, false]);
  });
});

describe("an owner's profile", () => {
  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), 'heliograph-profile-'));
    cleanups.push(async () => rmSync(path, { recursive: true }));
    return path;
  };
  const MINE = `name: mine
title: Mine
sources: { A: my own display }
identity: [{ at: 0, is: [7] }]
readings:
  - { name: PV power, at: 1, type: u16, unit: W, min: 0, max: 5000 }
settings:
  - { name: Max charge current, at: 2, type: u16, unit: A, min: 0, max: 50 }
`;

  it('a profile of the owner reads, and writes only where its connection allows it', async () => {
    const file = join(folder(), 'mine.yaml');
    writeFileSync(file, MINE);
    const family = await loadProfile(file);
    const holding = new Map([
      [0, 7],
      [1, 1234],
      [2, 20],
    ]);
    const { bus, writes } = await serve({ holding, input: new Map() });
    const reading = await family.open(bus, { unit: 1, options: {} });
    expect((await reading.poll())[0]?.get('PV power')).toBe(1234);
    await expect(reading.write(0, 'Max charge current', 30)).rejects.toThrow(RejectedByHardware);
    expect(reading.units[0]?.settingsRefusal).toContain('allow_writes');
    expect(writes).toEqual([]);
    const writing = await family.open(bus, { unit: 1, options: { allow_writes: true } });
    expect(await writing.write(0, 'Max charge current', 30)).toBe(30);
    expect(writes).toEqual([[2, [30]]]);
  });

  it('settings are holding registers, also where readings are input registers', async () => {
    const file = join(folder(), 'mine.yaml');
    writeFileSync(file, `${MINE}table: input\n`);
    const family = await loadProfile(file);
    const input = new Map([
      [0, 7],
      [1, 1234],
      [2, 99],
    ]);
    const { bus, writes } = await serve({ holding: new Map([[2, 20]]), input });
    const hardware = await family.open(bus, { unit: 1, options: { allow_writes: true } });
    expect(Object.fromEntries((await hardware.poll())[0] ?? [])).toMatchObject({
      'PV power': 1234,
      'Max charge current': 20,
    });
    expect(await hardware.write(0, 'Max charge current', 30)).toBe(30);
    expect(writes).toEqual([[2, [30]]]);
  });

  it.each([
    ['u32', '', 100_000, [3, [1, 34_464]]],
    ['u32', ', word_order: low first', 100_000, [3, [34_464, 1]]],
    ['s32', '', -100_000, [3, [0xfffe, 0x7960]]],
    ['s32', ', word_order: low first', -100_000, [3, [0x7960, 0xfffe]]],
    ['u32', ', scale: 10', 500_000, [3, [0, 50_000]]],
  ] as const)(
    'a setting of type %s%s takes two registers, which one request writes',
    async (type, more, value, sent) => {
      const file = join(folder(), 'mine.yaml');
      const wide = `  - { name: Max export, at: 3, type: ${type}, unit: W, min: ${type === 's32' ? -1_000_000 : 0}, max: 1000000${more} }\n`;
      writeFileSync(file, `${MINE}${wide}`);
      const family = await loadProfile(file);
      const { bus, writes } = await serve({
        holding: new Map([
          [0, 7],
          [1, 1234],
          [2, 20],
          [3, 0],
          [4, 5000],
        ]),
        input: new Map(),
      });
      const hardware = await family.open(bus, { unit: 1, options: { allow_writes: true } });
      expect(await hardware.write(0, 'Max export', value)).toBe(value);
      expect(writes).toEqual([sent]);
      expect((await hardware.poll())[0]?.get('Max export')).toBe(value);
    },
  );

  /** Type and options of a reading, its registers from the first on, and its value. */
  type Contents = readonly (readonly [type: string, registers: readonly number[], value: MetricValue])[];

  it.each<[string, string, Contents]>([
    [
      'in the default order',
      '',
      [
        ['u16', [0xfffe], 65_534],
        ['s16', [0xfffe], -2],
        ['s16, opposite: true', [0xff9c], 100],
        ['s16, opposite: true', [0x0064], -100],
        ['u16, opposite: true', [0x0064], -100],
        ['u32', [0x0001, 0x86a0], 100_000],
        ['u32, word_order: low first', [0x86a0, 0x0001], 100_000],
        ['s32', [0xfffe, 0x7960], -100_000],
        ['s32, word_order: low first', [0x7960, 0xfffe], -100_000],
        ['s32, word_order: low first, opposite: true', [0x7960, 0xfffe], 100_000],
        ['f32', [0x4000, 0x0000], 2],
        ['f32, word_order: low first', [0x0000, 0xc000], -2],
        ['u64', [0x0000, 0x0000, 0x0001, 0x86a0], 100_000],
        ['u64, word_order: low first', [0x86a0, 0x0001, 0x0000, 0x0000], 100_000],
        ['text, length: 2, word_order: low first', [0x4142, 0x4344], 'ABCD'],
        ['characters, length: 2, word_order: low first', [0x41, 0x42], 'AB'],
      ],
    ],
    [
      'of a profile with the low word first',
      'word_order: low first\n',
      [
        ['u32', [0x86a0, 0x0001], 100_000],
        ['u32, word_order: high first', [0x0001, 0x86a0], 100_000],
        ['s32, opposite: true', [0x7960, 0xfffe], 100_000],
        ['f32', [0x0000, 0x4000], 2],
        ['u64', [0x86a0, 0x0001, 0x0000, 0x0000], 100_000],
        ['text, length: 2', [0x4142, 0x4344], 'ABCD'],
      ],
    ],
  ])('registers %s are read with their type and sign', async (_which, order, contents) => {
    const holding = new Map([[0, 7]]);
    const readings = contents.map(([type, registers], index) => {
      const at = 10 + 4 * index;
      for (const [place, content] of registers.entries()) holding.set(at + place, content);
      const unit = /^(text|characters)/.test(type) ? '' : ', unit: W';
      return `  - { name: Row ${index}, at: ${at}, type: ${type}${unit} }\n`;
    });
    const file = join(folder(), 'mine.yaml');
    const head = MINE.slice(0, MINE.indexOf('readings:'));
    writeFileSync(file, `${head}${order}readings:\n${readings.join('')}`);
    const { bus } = await serve({ holding, input: new Map() });
    const hardware = await (await loadProfile(file)).open(bus, { unit: 1, options: {} });
    const reading = (await hardware.poll())[0];
    const read = contents.map(([type, registers], index) => [type, registers, reading?.get(`Row ${index}`)]);
    expect(read).toEqual(contents);
  });

  it('a reading is scaled by the power of ten in a register, and has up to 64 bits', async () => {
    const file = join(folder(), 'mine.yaml');
    writeFileSync(
      file,
      `${MINE.slice(0, MINE.indexOf('settings:'))}  - { name: Total PV energy, at: 3, type: u64, unit: kWh, counter: lifetime, scale: 0.001, scale_by: { at: 7, scales: powers of ten } }\n`,
    );
    const family = await loadProfile(file);
    const holding = new Map([
      [0, 7],
      [1, 1234],
      [3, 0],
      [4, 0],
      [5, 1],
      [6, 0],
      [7, 1],
    ]);
    const { bus } = await serve({ holding, input: new Map() });
    const hardware = await family.open(bus, { unit: 1, options: {} });
    expect((await hardware.poll())[0]?.get('Total PV energy')).toBe(655.4);
    holding.set(7, 2);
    expect((await hardware.poll())[0]?.get('Total PV energy')).toBe(6553.6);
  });

  it.each([
    ['an unknown name', 'title: Mine', 'titel: Mine', 2, 1, 'did you mean "title"?'],
    ['an unknown unit', 'unit: W', 'unit: Watt', 6, 47, 'not "Watt"'],
    ['a setting without bounds', ', max: 50 }', ' }', 8, 5, 'no value beyond them is ever written'],
    ['bounds the wrong way', 'max: 5000', 'max: -1', 6, 55, 'is above "max", -1'],
    ['a place and a sum', 'at: 1, type', 'at: 1, sum: [X], type', 6, 5, 'exactly one of'],
    [
      'a number beyond the last register',
      'at: 1, type: u16',
      'at: 65535, type: u32',
      6,
      27,
      'leaves no room',
    ],
    [
      'a setting beyond the last register',
      'at: 2, type: u16',
      'at: 65535, type: s32',
      8,
      37,
      'leaves no room',
    ],
    ['a wide setting without bounds', 'u16, unit: A, min: 0, max: 50', 'u32, unit: A', 8, 5, 'needs "min"'],
    ['a mask of a wide setting', 'type: u16, unit: A,', 'type: u32, mask: 15,', 8, 57, 'a u32 has several'],
    ['a setting in input registers', 'at: 2,', 'at: 2, table: input,', 8, 47, 'cannot be written'],
    [
      'a label of no code',
      'type: u16, unit: W',
      'type: code, labels: { on: On }',
      6,
      52,
      'cannot be a name here',
    ],
    ['a sum of what is not there', 'at: 1, type: u16', 'sum: [PV power 1]', 6, 29, '"PV power 1"'],
    [
      'a sum of what is no number',
      'settings:',
      '  - { name: Mode, at: 3, type: code, labels: { "1": On } }\n  - { name: Load power, sum: [PV power, Mode] }\nsettings:',
      8,
      41,
      'is no number: "Mode"',
    ],
    ['a source that is not listed', 'unit: W, min', 'unit: W, source: "A, B", min', 6, 58, '"B"'],
    ['an identity that never holds', 'at: 0, is: [7]', 'at: 0, from: 7, to: 3', 4, 27, 'is above "to", 3'],
    ['a content beyond a register', 'at: 0, is: [7]', 'at: 0, to: 65536', 4, 25, '0 to 65535'],
    [
      'a condition that never holds',
      'max: 5000',
      'when: { at: 2, from: 1, to: 0 }',
      6,
      79,
      'is above "to", 0',
    ],
    ['a mask without bits', 'type: u16, unit: A', 'type: u16, mask: 0, unit: A', 8, 57, '1 to 65535'],
    ['a scale of zero', 'unit: W, min', 'unit: W, scale: 0, min', 6, 57, 'makes every value 0'],
    ['bounds that its register cannot hold', 'max: 50 }', 'max: 70000 }', 8, 5, 'a u16 cannot hold'],
    ['a name that topics cannot have', 'name: PV power', 'name: PV power/#', 6, 13, 'none of / # +'],
    ['another name of the same topic', 'Max charge current', 'PV Power', 8, 13, 'same topic as "PV power"'],
  ])('%s is reported at its line and column', (_name, from, to, line, column, message) => {
    const read = readProfile(MINE.replace(from, to));
    const mistakes = 'mistakes' in read ? read.mistakes : [];
    expect(mistakes).toContainEqual(
      expect.objectContaining({ line, column, message: expect.stringContaining(message) }),
    );
  });

  it('a profile beside the configuration file is a driver, and one with mistakes is none until it is wanted', async () => {
    const path = folder();
    const configFile = join(path, 'device.yaml');
    mkdirSync(join(path, 'profiles'));
    writeFileSync(join(path, 'profiles', 'mine.yaml'), MINE);
    writeFileSync(join(path, 'profiles', 'broken.yaml'), MINE.replace('identity', 'identify'));
    const all = await loadFamilies({ configFile });
    expect(all.has('mine')).toBe(true);
    expect(all.has('broken')).toBe(false);
    await expect(loadFamilies({ wanted: ['broken'], configFile })).rejects.toThrow(/broken\.yaml:4:1: /);
  });
});
