import { expect, it } from 'vitest';
import { countriesIn, countryOf } from './countries.ts';

it('countries are sorted by their names in the language of the reader', () => {
  const names = countriesIn('de').map(({ name }) => name);
  expect(names.length).toBeGreaterThan(240);
  expect(names.indexOf('Ägypten')).toBeLessThan(names.indexOf('Belgien'));
  expect(countriesIn('en')).toContainEqual({ code: 'DE', name: 'Germany' });
});

it.each(['en', 'de', 'zh-CN'])('no country stands twice in the list in %s', (locale) => {
  const names = countriesIn(locale).map(({ name }) => name);
  expect(names).toHaveLength(new Set(names).size);
});

it('the first country comes from the languages of the browser', () => {
  expect(countryOf(['de', 'en-ZA', 'en-US'])).toBe('ZA');
  expect(countryOf(['en'])).toBe('');
});
