import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readingOf } from '../entries.ts';
import { ownPowers, parallelPowers } from './powers.ts';

interface MeasuredFields {
  readonly load: number;
  readonly pv: number;
  readonly charge?: number;
  readonly discharge?: number;
  readonly gridV?: number;
}

/** Fields of `QPIGS` with a battery of 52 V. */
function general({ load, pv, charge = 0, discharge = 0, gridV = 230 }: MeasuredFields): readonly string[] {
  const fields = `${gridV} 50.0 230.0 50.0 ${load} ${load} 005 400 52.00 ${charge} 050 0040 00.0 300.0 00.00 ${discharge} 00010000 00 00 ${pv} 010`;
  return fields.split(' ');
}

const own = (mode: string, measured: MeasuredFields, feeds = false) =>
  Object.fromEntries(readingOf(ownPowers({ general: general(measured), second: undefined, mode, feeds })));

describe('the inverter that the cable goes to', () => {
  it.each<[string, string, MeasuredFields, number | null, number, number]>([
    [
      'on the grid: what load and battery take beyond PV',
      'L',
      { load: 900, pv: 300, charge: 5 },
      860,
      260,
      900,
    ],
    ['in bypass likewise', 'Y', { load: 900, pv: 0 }, 900, 0, 900],
    ['noise of whole amperes is no feed', 'L', { load: 250, pv: 241, discharge: 1 }, 0, -52, 293],
    [
      'on battery: none, and the load bears the losses',
      'B',
      { load: 400, pv: 100, discharge: 7 },
      0,
      -364,
      464,
    ],
    ['a battery cannot take more than PV leaves', 'B', { load: 400, pv: 500, charge: 3 }, 0, 100, 400],
    ['without grid voltage: none in any mode', 'S', { load: 0, pv: 100, charge: 1, gridV: 0 }, 0, 52, 48],
    ['in standby with a grid: unknown', 'S', { load: 10, pv: 0, charge: 5 }, null, 260, 10],
  ])('grid power %s', (_name, mode, measured, grid, battery, load) => {
    expect(own(mode, measured)).toEqual({
      'PV power': measured.pv,
      'Grid power': grid,
      'Battery current': (measured.charge ?? 0) - (measured.discharge ?? 0),
      'Battery power': battery,
      'Load power': load,
    });
  });

  it('feeds the grid where it is set to', () => {
    const measured = { load: 200, pv: 1200 };
    expect(own('L', measured, true)).toMatchObject({ 'Grid power': -1000, 'Load power': 200 });
    expect(own('L', measured, false)).toMatchObject({ 'Grid power': 0, 'Load power': 1200 });
  });

  it('PV power is the sum of both MPPTs, or the charger power of an old unit', () => {
    const measured = { general: general({ load: 100, pv: 300 }), mode: 'B', feeds: false };
    const two = readingOf(ownPowers({ ...measured, second: ['02.1', '112.4', '00236'] }));
    expect(Object.fromEntries(two)).toMatchObject({ 'PV power': 536, 'PV power 1': 300 });
    const old = measured.general.slice(0, 17).with(12, '0014').with(14, '57.45');
    const one = readingOf(ownPowers({ ...measured, general: old, second: undefined }));
    expect(one.get('PV power')).toBe(804);
  });

  it('no power is reported when a part of the balance could not be read', () => {
    const measured = { general: general({ load: 100, pv: 300 }), feeds: false };
    expect(ownPowers({ ...measured, mode: null, second: undefined })).toEqual([]);
    expect(ownPowers({ ...measured, mode: 'L', second: null })).toEqual([]);
  });

  it('a missing field leaves its power unknown', () => {
    const unknown = general({ load: 100, pv: 300 }).with(9, '---');
    const values = readingOf(ownPowers({ general: unknown, mode: 'L', second: undefined, feeds: false }));
    expect(Object.fromEntries(values)).toEqual({
      'PV power': 300,
      'Grid power': null,
      'Battery current': null,
      'Battery power': null,
      'Load power': 100,
    });
  });
});

describe('an inverter that is seen through another one', () => {
  const fields = (mode: string, measured: MeasuredFields, pvV: number): readonly string[] => {
    const { load, charge = 0, discharge = 0, gridV = 230 } = measured;
    const text = `1 92931905106458 ${mode} 00 ${gridV} 50.00 230.0 50.00 0412 ${load} 008 52.0 ${charge} 030 ${pvV} 000 00895 00713 007 10100010 1 1 060 080 60 00 ${discharge}`;
    return text.split(' ');
  };

  it.each<[string, string, MeasuredFields, number, object]>([
    [
      'on battery its PV gives what is used',
      'B',
      { load: 300, pv: 0, charge: 5 },
      300,
      { 'PV power': 560, 'Grid power': 0, 'Load power': 300 },
    ],
    [
      'on battery at night',
      'B',
      { load: 300, pv: 0, discharge: 7 },
      0,
      { 'PV power': 0, 'Grid power': 0, 'Battery power': -364, 'Load power': 364 },
    ],
    [
      'on the grid at night',
      'L',
      { load: 300, pv: 0, charge: 2 },
      0,
      { 'PV power': 0, 'Grid power': 404, 'Load power': 300 },
    ],
    [
      'on the grid by day',
      'L',
      { load: 300, pv: 0, charge: 2 },
      300,
      { 'PV power': null, 'Grid power': null, 'Load power': 300 },
    ],
  ])('%s', (_name, mode, measured, pvV, expected) => {
    expect(Object.fromEntries(readingOf(parallelPowers(fields(mode, measured, pvV))))).toMatchObject(
      expected,
    );
  });
});

it('the balance holds, and the load is never less than the output', () => {
  const amps = fc.integer({ min: 0, max: 120 });
  const measured = fc.record({
    load: fc.nat(6000),
    pv: fc.nat(8000),
    charge: amps,
    discharge: amps,
    gridV: fc.nat(260),
  });
  fc.assert(
    fc.property(fc.constantFrom('L', 'B', 'Y'), fc.boolean(), measured, (mode, feeds, values) => {
      const {
        'PV power': pv,
        'Grid power': grid,
        'Battery power': battery,
        'Load power': load,
      } = own(mode, values, feeds);
      expect(load).toBe(Number(pv) + Number(grid) - Number(battery));
      expect(load).toBeGreaterThanOrEqual(values.load);
      if (!feeds) expect(grid).toBeGreaterThanOrEqual(0);
    }),
  );
});
