import { expect, it } from 'vitest';
import { isLocale, LOCALES, tagOf } from './locales.ts';

it.each(LOCALES)('tagOf names %s as BCP 47 does', (locale) => {
  expect(Intl.getCanonicalLocales(tagOf(locale))).toEqual([tagOf(locale)]);
});

it('tagOf keeps the region of Chinese', () => expect(tagOf('zh_TW')).toBe('zh-TW'));

it.each(['', 'DE', 'zh', 'zh-CN', 'toString'])('isLocale refuses "%s"', (text) => {
  expect(isLocale(text)).toBe(false);
});
