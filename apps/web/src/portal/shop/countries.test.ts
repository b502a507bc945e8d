import { expect, it } from 'vitest';
import { countriesIn, countryOf } from './countries.ts';

it('countries are sorted by their names in the language of the reader', () => {
  const names = countriesIn('de').map(({ name }) => name);
  expect(names.length).toBeGreaterThan(240);
  expect(names.indexOf('Ägypten')).toBeLessThan(names.indexOf('Belgien'));
  expect(countriesIn('en')).toContainEqual({ code: 'DE', name: 'Germany' });
  expect(countriesIn('en').map(({ code }) => code)).not.toContain('EU');
});

it('the first country comes from the languages of the browser', () => {
  expect(countryOf(['de', 'en-ZA', 'en-US'])).toBe('ZA');
  expect(countryOf(['en'])).toBe('');
});
