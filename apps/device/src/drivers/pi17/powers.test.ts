import { describe, expect, it } from 'vitest';
import { readingOf } from '../entries.ts';
import { powersOf } from './powers.ts';

/** Fields of `GS` with a battery of 50 V. */
const general = (batteryA: number, gridV = 2300): readonly string[] => [
  ...['0000', '0000', '0000', '0000', '0500', '050', String(batteryA * 10), String(gridV)],
  ...Array.from({ length: 17 }, () => '0'),
];

interface PowerFields {
  readonly pv?: readonly [string, string];
  readonly grid?: readonly [string, string, string, string];
  readonly output?: string;
  readonly direction?: string;
}

/** Fields of `PS`; the grid's are three phases and their total. */
const power = ({
  pv = ['0', '0'],
  grid = ['', '', '', ''],
  output = '0',
  direction = '1',
}: PowerFields): readonly string[] => [
  ...[...pv, '', ...grid, '0', '0', '0', output, '0', '0', '0', '0', '0'],
  ...['1', '1', '1', '1', '1', direction],
];

const values = (batteryA: number, fields: PowerFields, mode: string | null = '05', gridV?: number) =>
  Object.fromEntries(readingOf(powersOf({ general: general(batteryA, gridV), power: power(fields), mode })));

describe('powers of a PI17 inverter', () => {
  it('a battery that feeds the grid leaves its losses as the load', () => {
    // Source: an answer to PS of jblance/mpp-solar, and a battery current that fits it.
    const fields: PowerFields = {
      pv: ['00263', '00381'],
      grid: ['-00855', '-03141', '-03156', '-07152'],
      output: '00000',
    };
    expect(values(-136.5, fields)).toEqual({
      'PV power': 644,
      'Battery current': -136.5,
      'Battery power': -6825,
      'Grid power': -7152,
      'Load power': 317,
    });
  });

  it.each<[string, readonly [string, string, string, string], number, string, number]>([
    ['the total where it is the sum of the phases', ['500', '-200', '-100', '200'], 0, '200', 200],
    ['the total where the first phase lost its sign', ['855', '-3141', '-3156', '-7152'], -140, '0', -7152],
    [
      'the sum of the phases where a total of export cannot be',
      ['3300', '-3400', '-3500', '7937'],
      -210,
      '0',
      -10_200,
    ],
    [
      'the sum of the phases where a total of import cannot be',
      ['3300', '3400', '3500', '-31000'],
      180,
      '500',
      10_200,
    ],
  ])('grid power is %s', (_name, grid, batteryA, output, expected) => {
    expect(values(batteryA, { grid, output })).toMatchObject({ 'Grid power': expected });
  });

  it('grid power is unknown where the total cannot be and the battery is unknown', () => {
    const fields = { grid: ['3300', '-3400', '-3500', '7937'], output: '400' } as const;
    expect(values(Number.NaN, fields)).toMatchObject({ 'Grid power': null, 'Load power': 400 });
  });

  it.each([
    ['on the grid what load and battery take beyond PV', '05', { direction: '1' }, 2300, 600],
    ['on the grid never below zero without feeding', '05', { direction: '1', pv: ['2000', ''] }, 2300, 0],
    ['below zero while feeding', '05', { direction: '2', pv: ['2000', ''] }, 2300, -900],
    ['0 on battery', '03', { direction: '0' }, 2300, 0],
    ['0 without grid voltage', '01', { direction: '0' }, 0, 0],
    ['unknown in standby', '01', { direction: '0' }, 2300, null],
  ] as const)('grid power of a single-phase model is %s', (_name, mode, fields, gridV, expected) => {
    expect(values(10, { pv: ['500', ''], output: '600', ...fields }, mode, gridV)).toMatchObject({
      'Grid power': expected,
    });
  });

  it('no power is reported when the mode could not be read', () => {
    expect(values(10, { output: '600' }, null)).toEqual({});
  });
});
