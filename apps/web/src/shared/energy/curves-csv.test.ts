import { expect, it } from 'vitest';
import { curvesCsv } from './curves-csv.ts';

it('a table has one column per curve, and empty cells for unknown values', () => {
  const csv = curvesCsv(
    [
      { key: 'a', name: 'Solar', unit: 'W', tone: 'solar', times: [0, 300], values: [0, 1240.5] },
      { key: 'b', name: '=Mode, "main"', unit: '', tone: 'neutral', times: [300, 600], values: [null, -3] },
    ],
    'Time',
  );
  expect(csv).toBe(
    'Time,Solar (W),"\'=Mode, ""main"""\r\n' +
      '1970-01-01T00:00:00.000Z,0,\r\n' +
      '1970-01-01T00:05:00.000Z,1240.5,\r\n' +
      '1970-01-01T00:10:00.000Z,,-3\r\n',
  );
});
