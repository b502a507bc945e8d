import { describe, expect, it } from 'vitest';
import { type CsvCell, type CsvFormat, csvOf, spreadsheetCsv, spreadsheetFormat } from './csv.ts';
import { LOCALES, tagOf } from './locales.ts';

it.each<[CsvCell, string]>([
  ['solar', 'solar'],
  ['a "b", c', '"a ""b"", c"'],
  ['line\nline', '"line\nline"'],
  ['1;2', '1;2'],
  [0, '0'],
  [-2.5, '-2.5'],
  ['-2.5', '-2.5'],
  [-1e-7, '-1e-7'],
  [Number.NaN, ''],
  [-Infinity, ''],
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

it.each<[CsvCell, string]>([
  [22.5, '22,5'],
  [-2.5, '-2,5'],
  [1234567.891, '1234567,891'],
  [1e21, '1e+21'],
  [null, ''],
  ['a, b', 'a, b'],
  ['a; b', '"a; b"'],
  ['-2,5', "'-2,5"],
  ['=1;2', '"\'=1;2"'],
  ['2026-10-25T02:00:00+01:00', '2026-10-25T02:00:00+01:00'],
])('the cell %j is %j in CSV with semicolons and decimal commas', (cell, text) => {
  expect(csvOf([[cell, 'last']], { separator: ';', decimal: ',' })).toBe(`${text};last\r\n`);
});

describe('CSV for spreadsheets', () => {
  const COMMAS: CsvFormat = { separator: ';', decimal: ',' };
  const POINTS: CsvFormat = { separator: ',', decimal: '.' };

  it.each<[string, CsvFormat]>([
    ...LOCALES.map((locale): [string, CsvFormat] => [
      tagOf(locale),
      locale === 'en' || locale.startsWith('zh') ? POINTS : COMMAS,
    ]),
    ['de-AT', COMMAS],
    ['pt-BR', COMMAS],
    ['en-GB', POINTS],
    ['es-MX', POINTS],
    ['de-CH', { separator: ';', decimal: '.' }],
    ['it-CH', { separator: ';', decimal: '.' }],
    ['fr-CH', COMMAS],
  ])('the marks of %s are %o', (locale, format) => {
    expect(spreadsheetFormat(locale)).toEqual(format);
  });

  it('begins with a byte order mark', () => {
    const bytes = new TextEncoder().encode(spreadsheetCsv([['Größe', 1.5]], 'de'));
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(new TextDecoder().decode(bytes)).toBe('Größe;1,5\r\n');
  });
});
