import { csvOf } from '@heliograph/contracts/csv';
import { expect, it } from 'vitest';
import { curveRows } from './curves-csv.ts';

it('a table has one column per curve, empty cells for unknown values, and times of the site', () => {
  const rows = curveRows(
    [
      { key: 'a', name: 'Solar', unit: 'W', tone: 'solar', times: [0, 300], values: [0, 1240.5] },
      { key: 'b', name: '=Mode, "main"', unit: '', tone: 'neutral', times: [300, 600], values: [null, -3] },
    ],
    'Time',
    'Asia/Kathmandu',
  );
  expect(csvOf(rows)).toBe(
    'Time,Solar (W),"\'=Mode, ""main"""\r\n' +
      '1970-01-01T05:30:00+05:30,0,\r\n' +
      '1970-01-01T05:35:00+05:30,1240.5,\r\n' +
      '1970-01-01T05:40:00+05:30,,-3\r\n',
  );
});

it('an hour that the clock of the site shows twice has two offsets', () => {
  const times = [0, 1, 2].map((hour) => Date.parse('2026-10-25T00:00:00Z') / 1000 + hour * 3_600);
  const [, ...rows] = curveRows(
    [{ key: 'a', name: 'Solar', unit: 'W', tone: 'solar', times, values: [1, 2, 3] }],
    'Time',
    'Europe/Berlin',
  );
  expect(rows.map(([time]) => time)).toEqual([
    '2026-10-25T02:00:00+02:00',
    '2026-10-25T02:00:00+01:00',
    '2026-10-25T03:00:00+01:00',
  ]);
});
