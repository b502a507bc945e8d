import { describe, expect, it } from 'vitest';
import { languageOf, tagOf } from './language.ts';

describe('the language of a page', () => {
  it.each([
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.5', 'de'],
    ['en;q=0.5, uk;q=0.8', 'uk'],
    ['sv, da;q=0.7', 'da'],
    ['zh', 'zh_CN'],
    ['zh-Hans-HK', 'zh_CN'],
    ['zh-TW', 'zh_TW'],
    ['zh-Hant', 'zh_TW'],
    ['zh-HK,zh;q=0.9', 'zh_TW'],
    ['pt-BR', 'pt'],
    ['DE', 'de'],
    ['fr;q=0, it;q=0.1', 'it'],
    ['sv', 'en'],
    ['*', 'en'],
    ['', 'en'],
    [';;q=,,', 'en'],
    ['de;q=nonsense, fr', 'fr'],
  ])('of a browser that accepts "%s" is %s', (accepted, locale) => {
    expect(languageOf(accepted)).toBe(locale);
  });

  it('is English without a word from the browser', () => expect(languageOf(undefined)).toBe('en'));

  it('is named as HTML names languages', () => expect(tagOf('zh_TW')).toBe('zh-TW'));
});
