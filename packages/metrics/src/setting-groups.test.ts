import { describe, expect, it } from 'vitest';
import { settingGroupOf, settingSlots } from './setting-groups.ts';

it.each([
  [
    'battery',
    [
      'Max charge current',
      'Max grid charge current',
      'Stop battery discharge capacity',
      'Battery control mode',
      'Grid charge',
      'Reserve capacity',
    ],
  ],
  ['schedule', ['Use timer', 'Time point 3', 'Gen charge point 2', 'Forced discharge slot 1 end']],
  [
    'grid',
    [
      'Zero export power',
      'Max sell power',
      'Solar export when battery full',
      'Grid peak shaving power',
      'Force off grid',
      'Input voltage range',
    ],
  ],
  ['solar', ['Max solar power', 'Active power limit']],
  ['generator', ['Generator charge', 'Max generator charge current']],
  ['inverter', ['Work mode', 'Energy pattern', 'Output source priority', 'Buzzer', 'Auxiliary port']],
] as const)('settings of the subject %s are found by their names', (group, names) => {
  for (const name of names) expect([name, settingGroupOf(name)]).toEqual([name, group]);
});

describe('slots', () => {
  it('the points of a timer are one table, a row for each number', () => {
    const names = ['Time point 1', 'Time point 2', 'Gen charge point 1', 'Gen charge point 2', 'Work mode'];
    expect([...settingSlots(names)]).toEqual([
      ['Time point 1', { table: '', number: 1, field: 'Time' }],
      ['Time point 2', { table: '', number: 2, field: 'Time' }],
      ['Gen charge point 1', { table: '', number: 1, field: 'Gen charge' }],
      ['Gen charge point 2', { table: '', number: 2, field: 'Gen charge' }],
    ]);
  });

  it('slots of different names are tables of their own', () => {
    const names = ['Grid charge', 'Forced discharge'].flatMap((table) =>
      [1, 2].flatMap((number) => [`${table} slot ${number} start`, `${table} slot ${number} end`]),
    );
    const slots = settingSlots(names);
    expect(slots.get('Grid charge slot 2 end')).toEqual({ table: 'Grid charge', number: 2, field: 'End' });
    expect(new Set([...slots.values()].map(({ table }) => table))).toEqual(
      new Set(['Grid charge', 'Forced discharge']),
    );
  });

  it.each([
    ['a single number', ['Output 2', 'Work mode']],
    ['one column', ['Relay 1', 'Relay 2', 'Relay 3']],
    ['one row', ['Time point 1', 'Power point 1']],
  ])('%s is no table', (_what, names) => {
    expect(settingSlots(names).size).toBe(0);
  });
});
