import { expect, it } from 'vitest';
import { COUNTRIES, countryOf } from './countries.ts';

it('ISO 3166-1 has 249 countries, each with a name in Intl and none twice', () => {
  expect(COUNTRIES).toHaveLength(249 + 1);
  expect(COUNTRIES).toEqual([...new Set(COUNTRIES)].sort());
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  expect(new Set(COUNTRIES.map((code) => names.of(code))).size).toBe(COUNTRIES.length);
});

it.each(['ZZ', 'EU', 'UN', 'UK', 'DD', 'SU', 'FX', 'AN', 'XA', '', 'DEU'])('%j is no country', (code) =>
  expect(countryOf(code)).toBeUndefined(),
);

it('a code is taken in any letter case', () => {
  expect([countryOf('de'), countryOf('Gb')]).toEqual(['DE', 'GB']);
});
