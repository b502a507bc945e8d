import type { MetricDefinition } from '@heliograph/client';
import { expect, it } from 'vitest';
import { bySubject, subjectOf } from './subjects.ts';

const metric = (
  device: MetricDefinition['device'],
  name: string,
  unit: MetricDefinition['unit'],
  group = 'Status',
): MetricDefinition => ({ topic: `x/${name}`, device, number: null, group, name, unit });

it.each([
  ['power', metric('inverters', 'PV power', 'W')],
  ['power', metric('meters', 'Power factor', '')],
  ['energy', metric('totals', 'PV energy', 'kWh')],
  ['battery', metric('batteries', 'Voltage', 'V')],
  ['battery', metric('batteries', 'Cycles', '')],
  ['battery', metric('inverters', 'Battery power', 'W')],
  ['cells', metric('batteries', 'Cell voltage 3', 'V')],
  ['temperatures', metric('batteries', 'Temperature MOS', '°C')],
  ['states', metric('inverters', 'Device mode', '')],
  ['settings', metric('inverters', 'Battery reserve', '%', 'Settings')],
  ['system', metric('inverters', 'Serial number', '', 'Info')],
  ['system', metric('system', 'Free storage', 'MB')],
] as const)('the subject %s has the metric %o', (subject, definition) => {
  expect(subjectOf(definition)).toBe(subject);
});

it('subjects are in one order, whatever the order of the metrics', () => {
  const [first, second] = [metric('batteries', 'Cell voltage 1', 'V'), metric('batteries', 'Power', 'W')];
  expect(bySubject([first, second]).map(({ subject }) => subject)).toEqual(['battery', 'cells']);
});
