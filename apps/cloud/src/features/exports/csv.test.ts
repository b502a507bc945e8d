import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

it('rows have their columns once, quotes where they need them, and no formulas', () => {
  const rows = [
    { id: 1, text: 'a "b", c', at: new Date('2026-01-02T03:04:05Z'), tags: ['x', 'y'], none: null },
    { id: -2, text: '=HYPERLINK("x")', at: null, tags: [], none: 'line\nline' },
  ];
  expect(csvOf(rows).split('\r\n')).toEqual([
    'id,text,at,tags,none',
    '1,"a ""b"", c",2026-01-02T03:04:05.000Z,"[""x"",""y""]",',
    '-2,"\'=HYPERLINK(""x"")",,[],"line\nline"',
    '',
  ]);
  expect(csvOf([])).toBe('');
});
