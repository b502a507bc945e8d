import type { MeterRole, UnitKind } from '@heliograph/metrics';
import { expect, it } from 'vitest';
import { counterTopics } from './counter-topics.ts';

const unit = (kind: UnitKind, number: number, names: readonly string[], role?: MeterRole) => ({
  kind,
  number,
  role,
  values: new Map(names.map((name) => [name, { value: 0, readAt: 0, readAtMonotonic: 0 }])),
});

const HYBRID = ['PV power', 'Total PV energy', 'Grid power', 'Total grid import', 'Total grid export'];

it('the counters of inverters count together', () => {
  expect([...counterTopics([unit('inverters', 0, HYBRID), unit('inverters', 1, HYBRID)])]).toEqual([
    ['pv', ['inverter_1/total_pv_energy', 'inverter_2/total_pv_energy']],
    ['grid_in', ['inverter_1/total_grid_import', 'inverter_2/total_grid_import']],
    ['grid_out', ['inverter_1/total_grid_export', 'inverter_2/total_grid_export']],
  ]);
});

it('a grid meter counts in place of inverters, as its power does', () => {
  const meter = unit('meters', 0, ['Power', 'Import energy', 'Export energy'], 'grid');
  const topics = counterTopics([unit('inverters', 0, HYBRID), meter]);
  expect([topics.get('grid_in'), topics.get('grid_out')]).toEqual([
    ['meter_1/import_energy'],
    ['meter_1/export_energy'],
  ]);
});

it('a meter of PV counts beside the inverters, and one without counters leaves solar energy out', () => {
  const meter = unit('meters', 0, ['Power', 'Import energy', 'Export energy'], 'pv');
  const inverter = unit('inverters', 0, HYBRID);
  expect(counterTopics([inverter, meter]).get('pv')).toEqual([
    'inverter_1/total_pv_energy',
    'meter_1/import_energy',
  ]);
  expect(counterTopics([inverter, unit('meters', 0, ['Power'], 'pv')]).has('pv')).toBe(false);
});

it('a battery counts by its meter, or by itself where no inverter measures it', () => {
  const monitor = unit('batteries', 0, ['Power', 'Total energy in', 'Total energy out']);
  const alone = counterTopics([unit('inverters', 0, HYBRID), monitor]);
  expect([alone.get('battery_in'), alone.get('battery_out')]).toEqual([
    ['battery_1/total_energy_in'],
    ['battery_1/total_energy_out'],
  ]);
  const charging = [...HYBRID, 'Battery power', 'Total battery charge'];
  const measured = counterTopics([unit('inverters', 0, charging), monitor]);
  expect([measured.get('battery_in'), measured.get('battery_out')]).toEqual([
    ['inverter_1/total_battery_charge'],
    undefined,
  ]);
  const meter = unit('meters', 0, ['Power', 'Import energy', 'Export energy'], 'battery');
  const metered = counterTopics([monitor, meter]);
  expect([metered.get('battery_in'), metered.get('battery_out')]).toEqual([
    ['meter_1/import_energy'],
    ['meter_1/export_energy'],
  ]);
});

it('an energy of which one unit has no counter is not compared', () => {
  const topics = counterTopics([unit('inverters', 0, HYBRID), unit('chargers', 0, ['PV power'])]);
  expect([...topics.keys()]).toEqual(['grid_in', 'grid_out']);
});

it('energy of the grid is not compared where a generator counts as grid', () => {
  const topics = counterTopics([unit('inverters', 0, HYBRID), unit('generators', 0, ['Power'])]);
  expect([...topics.keys()]).toEqual(['pv']);
});
