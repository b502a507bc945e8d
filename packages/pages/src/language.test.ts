import { describe, expect, it } from 'vitest';
import { languageOf } from './language.ts';

describe('languageOf', () => {
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
    ['en-US@posix', 'en'],
    ['C', 'en'],
    ['POSIX, de_DE.UTF-8, pl', 'pl'],
    ['de-DE@euro, fr', 'de'],
    ['zh_TW, cs', 'cs'],
    ['constructor, __proto__, hu', 'hu'],
    ['\u00ff\u0000, -, --, it', 'it'],
  ])('a browser that accepts "%s" gets %s', (accepted, locale) => {
    expect(languageOf(accepted)).toBe(locale);
  });

  it('a browser that sends no Accept-Language gets English', () => expect(languageOf(undefined)).toBe('en'));
});
