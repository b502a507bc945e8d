import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gxWith, wide } from '../../../test/drivers/victron-gx/gx.ts';
import type { GxDevices, GxFrames } from './gx-reader.ts';
import { batteryWatts, phaseWatts } from './powers.ts';
import { GxUnits } from './units.ts';

const NO_DEVICES: GxDevices = { vebus: undefined, gridMeter: undefined, batteries: [], solarChargers: [] };

const framesOf = (system: ReadonlyMap<number, number>, more: Partial<GxFrames> = {}): GxFrames => ({
  system,
  settings: undefined,
  vebus: undefined,
  grid: undefined,
  batteries: [],
  solarChargers: [],
  ...more,
});

const word = (watts: number): number => watts & 0xffff;

describe('a power of three phases', () => {
  const of = (registers: Readonly<Record<number, number>>, name: 'grid' | 'pvOnGrid') =>
    phaseWatts(new Map(Object.entries(registers).map(([at, value]) => [Number(at), value])), name);

  it.each([
    [
      'in 32 bits is used although the 16 bits are full',
      { ...wide(908, 60_000), 820: 32_767 },
      'grid',
      60_000,
    ],
    ['in 32 bits is signed', { ...wide(908, -60_000), 820: 0x8000 }, 'grid', -60_000],
    ['in 16 bits is used where there are no others', { 820: word(-1500) }, 'grid', -1500],
    ['that fills its 16 bits is unknown', { 820: 32_767 }, 'grid', null],
    ['that fills them exporting is unknown', { 820: 0x8000 }, 'grid', null],
    ['in a reserved register is unknown', { 811: 0xffff }, 'pvOnGrid', null],
    ['of PV is positive beyond 15 bits', { 811: 40_000 }, 'pvOnGrid', 40_000],
    ['of a PV inverter at night is none', { 811: word(-3) }, 'pvOnGrid', 0],
    ['of a PV inverter at night is none in 32 bits', { ...wide(890, -3) }, 'pvOnGrid', 0],
    ['that was not read is not reported', { 840: 1 }, 'grid', undefined],
  ] as const)('%s', (_name, registers, name, watts) => {
    expect(of(registers, name)[0]).toBe(watts);
  });
});

it.each([
  ['is the reported one', 5200, 52, 100.4, 5200],
  ['beyond 16 bits is volts x amperes', -25_536, 52, 769.2, 39_998],
  ['discharging beyond 16 bits is volts x amperes', 25_536, 52, -769.2, -39_998],
  ['that does not fit is unknown without the current', null, 52, null, null],
])('a battery power %s', (_name, reported, volts, amperes, watts) => {
  expect(batteryWatts(reported, volts, amperes)).toBe(watts);
});

describe('GxUnits.readings', () => {
  const flow = fc.integer({ min: -200_000, max: 200_000 });
  const produced = fc.integer({ min: 0, max: 100_000 });
  const phases = <T>(one: fc.Arbitrary<T>) => fc.tuple(one, one, one);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

  it('PV, grid, battery and load balance for any flows, with every phase', () => {
    fc.assert(
      fc.property(
        phases(flow),
        phases(produced),
        phases(produced),
        fc.integer({ min: 0, max: 65_534 }),
        fc.integer({ min: -29_000, max: 29_000 }),
        fc.integer({ min: -2000, max: 2000 }),
        (grid, onGrid, onOutput, dc, battery, dcLoad) => {
          const system = gxWith({
            ...Object.assign({}, ...grid.map((watts, phase) => wide(908 + phase * 2, watts))),
            ...Object.assign({}, ...onGrid.map((watts, phase) => wide(890 + phase * 2, watts))),
            ...Object.assign({}, ...onOutput.map((watts, phase) => wide(884 + phase * 2, watts))),
            826: 1,
            840: 520,
            841: word(Math.round(battery / 5.2)),
            842: word(battery),
            850: dc,
            860: word(dcLoad),
          });
          const units = new GxUnits(NO_DEVICES, framesOf(system));
          const [reading] = units.readings(framesOf(system));
          const of = (name: string): number => Number(reading?.get(name));
          expect(of('PV power')).toBe(sum(onGrid) + sum(onOutput) + dc);
          expect(of('Grid power')).toBe(sum(grid));
          expect(of('Battery power')).toBe(battery);
          expect(of('Load power')).toBe(of('PV power') + of('Grid power') - of('Battery power'));
        },
      ),
    );
  });

  it('a sum is left out when a part was not read, and null when a part is unknown', () => {
    const whole = gxWith({ 826: 1, 840: 520, 842: 100, 850: 900 });
    const units = new GxUnits(NO_DEVICES, framesOf(whole));
    const withoutPv = new Map([...whole].filter(([register]) => register !== 850));
    const [unread] = units.readings(framesOf(withoutPv));
    expect(unread?.has('PV power')).toBe(false);
    expect(unread?.has('Load power')).toBe(false);
    expect(unread?.get('Battery power')).toBe(100);
    const [unknown] = units.readings(framesOf(new Map(whole).set(850, 0xffff)));
    expect(unknown?.get('PV power')).toBeNull();
    expect(unknown?.get('Load power')).toBeNull();
  });
});
