import { sampleMetric } from '@heliograph/client/testing';
import { table } from '@heliograph/kit/terminal';
import { describe, expect, it } from 'vitest';
import { ageLabel } from './age.ts';
import { metricTable } from './metric-table.ts';

it('a table aligns its columns and leaves no trailing spaces', () => {
  const columns = [{ title: 'ID', align: 'right' } as const, { title: 'NAME' }, { title: 'LAST' }];
  const rows = [['1', 'Müller ☀', 'x'], [], ['23', 'b', '']];
  expect(table(columns, rows)).toEqual(['ID  NAME      LAST', ' 1  Müller ☀  x', '', '23  b']);
});

it.each([
  [-5_000, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_599_999, '59 min'],
  [47 * 3_600_000, '47 h'],
  [48 * 3_600_000, '2 days'],
])('%i ms ago is %s ago', (ms, text) => {
  expect(ageLabel(ms)).toBe(text);
});

describe('the table of metrics', () => {
  const now = Date.parse('2026-06-01T12:00:00Z');
  const fresh = new Date(now - 2_000).toISOString();

  it('metrics are grouped by device', () => {
    const rows = [
      sampleMetric({ topic: 'total/pv_power', value: 12345, updated_at: fresh }),
      sampleMetric({ topic: 'inverter_1/mode', value: 'Grid', unit: '', updated_at: fresh }),
      sampleMetric({ topic: 'inverter_1/flag', value: true, unit: 'Enabled', updated_at: fresh }),
      sampleMetric({ topic: 'inverter_1/temperature', value: null, unit: '°C', updated_at: fresh }),
    ];
    expect(metricTable(rows, now)).toEqual([
      'TOPIC                   VALUE  UNIT',
      'total/pv_power          12345  W',
      '',
      'inverter_1/mode          Grid',
      'inverter_1/flag          true',
      'inverter_1/temperature      -  °C',
    ]);
  });

  it('values that their hardware no longer reports are shown with their age', () => {
    const rows = [
      sampleMetric({ topic: 'total/a', updated_at: fresh }),
      sampleMetric({ topic: 'total/b', updated_at: new Date(now - 300_000).toISOString() }),
      sampleMetric({ topic: 'total/c', updated_at: null }),
      sampleMetric({ topic: 'total/d', value: null, updated_at: fresh, stale: true }),
      sampleMetric({ topic: 'total/e', value: null, updated_at: null, stale: true }),
    ];
    expect(metricTable(rows, now)).toEqual([
      'TOPIC    VALUE  UNIT  READ',
      'total/a   1240  W',
      'total/b   1240  W     5 min ago',
      'total/c   1240  W',
      'total/d      -  W     2 s ago',
      'total/e      -  W     never',
    ]);
  });

  it('no control character reaches the terminal', () => {
    const [, row] = metricTable([sampleMetric({ value: '\u001b[31mred\u0007', updated_at: fresh })], now);
    expect(row).not.toMatch(/\p{Cc}/u);
  });
});
