import { expect, it } from 'vitest';
import { readerLanguages, regionalTag } from './region.ts';

it.each([
  [{ languages: ['en-GB', 'en'], language: 'en-GB' }, ['en-GB', 'en']],
  [{ languages: ['en-US@posix'], language: 'en-US@posix' }, []],
  [{ languages: ['en-US@posix', 'de-AT'], language: 'en-US@posix' }, ['de-AT']],
  [{ languages: ['en_US.UTF-8', 'C', '', '*', 'de-de'], language: 'C' }, ['de-DE']],
  [{ languages: [], language: 'fr-CH' }, ['fr-CH']],
  [{ languages: undefined, language: 'fr-CH' }, ['fr-CH']],
  [{ languages: null, language: null }, []],
  [{ languages: undefined, language: undefined }, []],
  [{ languages: [], language: '' }, []],
  [{ languages: [], language: 'en-US@posix' }, []],
])('the languages of a browser with %j that are used are %j', (browser, used) => {
  expect(readerLanguages(browser)).toEqual(used);
});

it.each([
  ['en', ['en-GB', 'en'], 'en-GB'],
  ['en', ['de-AT', 'en-US'], 'en-US'],
  ['en', ['en', 'en-ZA'], 'en-ZA'],
  ['en', ['en-US-u-va-posix'], 'en-US'],
  ['es', ['es-419'], 'es-419'],
  ['de', ['de-Latn-CH-1996'], 'de-CH'],
  ['de', ['en-GB'], 'de'],
  ['zh-CN', ['zh-TW', 'zh'], 'zh-CN'],
  ['pt', [], 'pt'],
])('the language %s with the preferences %j is formatted as %s', (language, preferred, tag) => {
  expect(regionalTag(language, preferred)).toBe(tag);
  expect(() => new Intl.NumberFormat(tag)).not.toThrow();
});
