import { expect, it } from 'vitest';
import { byDevice, matchesSearch } from './grouping.ts';

const PV = {
  topic: 'inverter_1/pv_power',
  device: 'inverters',
  number: 0,
  group: 'Status',
  name: 'PV power',
  unit: 'W',
} as const;
const TOTAL = { ...PV, topic: 'total/pv_power', device: 'totals', number: null } as const;
const SECOND = { ...PV, topic: 'inverter_2/pv_power', number: 1 } as const;
const MODE = {
  ...PV,
  topic: 'inverter_1/work_mode',
  group: 'Settings',
  name: 'Work mode',
  unit: '',
} as const;

it('metrics are grouped by device, in the order of the definitions', () => {
  const groups = byDevice([TOTAL, PV, SECOND, MODE]);
  expect(groups.map(({ device, number, definitions }) => [device, number, definitions])).toEqual([
    ['totals', null, [TOTAL]],
    ['inverters', 0, [PV, MODE]],
    ['inverters', 1, [SECOND]],
  ]);
});

it.each([
  ['', true],
  ['pv', true],
  ['POWER pv', true],
  ['inverter_1/pv', true],
  ['wechselrichter pv', true],
  ['grid', false],
  ['pv grid', false],
])('a search for "%s" finds it: %s', (search, isFound) => {
  expect(matchesSearch(PV, search, 'Wechselrichter 1')).toBe(isFound);
});
