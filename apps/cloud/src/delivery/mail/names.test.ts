import fc from 'fast-check';
import { expect, it } from 'vitest';
import { oneLine, personalName, siteName } from './names.ts';

const CHARACTERS = fc.constantFrom(...'aÖ李😀 :.<\r\n\t\0\u001b\u0085\u00a0\u200f\u2028\u2029');

it('any name becomes one short line', () => {
  fc.assert(
    fc.property(fc.string({ unit: CHARACTERS, maxLength: 200 }), (name) => {
      const line = oneLine(name);
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect([...line].length).toBeLessThanOrEqual(80);
      expect(oneLine(line)).toBe(line);
    }),
  );
});

it.each([
  ['Ada', 'Ada'],
  ['  Jean-Luc  ', 'Jean-Luc'],
  ['O’Brien, J. R.', 'O’Brien, J. R.'],
  ['李 小龍', '李 小龍'],
])('the name %j is used', (given, name) => {
  expect(personalName(given)).toBe(name);
});

it.each(['', ' \n ', 'Win at https://x.example', 'cheap.example now', 'a@b', 'www win'])(
  'the name %j is not used in a greeting',
  (given) => {
    expect(personalName(given)).toBeUndefined();
  },
);

it.each([
  ['Haus am See', 'Haus am See'],
  ['Barn 1/2, St. Ives', 'Barn 1/2, St. Ives'],
  ['Claim at https://evil.example/a?b', 'Claim at https: / /evil. example/a?b'],
  ['www.evil.example', 'www. evil. example'],
  ['a@b.example', 'a@ b. example'],
])('the site %j is %j in a mail, without links', (given, name) => {
  expect(siteName(given)).toBe(name);
});
