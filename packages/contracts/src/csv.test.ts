import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

it.each<[string | number | null | undefined, string]>([
  ['solar', 'solar'],
  ['a "b", c', '"a ""b"", c"'],
  ['line\nline', '"line\nline"'],
  [0, '0'],
  [-2.5, '-2.5'],
  ['-2.5', '-2.5'],
  [null, ''],
  [undefined, ''],
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['+1+cmd', "'+1+cmd"],
  ['-1+cmd', "'-1+cmd"],
  ['@SUM(1)', "'@SUM(1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['\n=1', '"\'\n=1"'],
  ['＝1+1', "'＝1+1"],
])('the cell %j is %j in CSV', (cell, text) => {
  expect(csvOf([[cell, 'last']])).toBe(`${text},last\r\n`);
});
