import { describe, expect, it } from 'vitest';
import { base32Characters, codeCharacters, normalizeTyped } from './typed-text.ts';

describe('text that people type or paste', () => {
  it.each([
    ['in ASCII', '481691', '481691'],
    ['with full-width digits', '４８１６９１', '481691'],
    ['with full-width letters', 'ＤＥ１３６６９５９７６', 'DE136695976'],
    ['with a full-width point', '０．３０', '0.30'],
    ['with an ideographic full stop', '0。30', '0.30'],
    ['with its half-width form', '0｡30', '0.30'],
    ['with a full-width comma', '０，３０', '0,30'],
    ['with spaces around', ' \u3000481691\r\n', '481691'],
    ['with an ideographic space', '481\u3000691', '481 691'],
    ['with a narrow no-break space', '481\u202f691', '481 691'],
    ['with a tab', '481\t691', '481 691'],
    ['with several spaces', '481  691', '481 691'],
    ['with a zero-width space', '481\u200b691', '481691'],
    ['with a byte order mark', '\ufeff481691', '481691'],
    ['with marks of direction', '\u202a481691\u202c\u200e', '481691'],
    ['with a soft hyphen', '481\u00ad691', '481691'],
    ['with a word joiner', '481\u2060691', '481691'],
    ['with a variation selector', '481691\ufe0f', '481691'],
    ['with a control character', '481\u0007691', '481691'],
    ['with a no-break hyphen', '481\u2011691', '481-691'],
    ['with an en dash', '481–691', '481-691'],
    ['with an em dash', '481—691', '481-691'],
    ['with a full-width hyphen', '481－691', '481-691'],
    ['with a small hyphen', '481\ufe63691', '481-691'],
    ['with a minus sign', '−2', '-2'],
    ['with a long vowel mark', '481ー691', '481-691'],
    ['with its half-width form', '481\uff70691', '481-691'],
    ['with a fraction', '½', '½'],
    ['with a superscript', '5²', '5²'],
    ['with a circled number', '①', '①'],
    ['without anything visible', ' \u200b ', ''],
  ])('a text %s is normalized', (_kind, text, normalized) => {
    expect(normalizeTyped(text)).toBe(normalized);
  });

  it.each([
    '481691',
    '481-691',
    '481 691',
    '481‑691',
    '４８１－６９１',
    '\u2066481–691\u2069',
    '4 8 1 6 9 1',
  ])('the code %j has its six characters', (text) => {
    expect(codeCharacters(text)).toBe('481691');
  });

  it.each(['4k2fz-9m0qc', '4K2FZ9MOQC', '４Ｋ２ＦＺ－９Ｍ０ＱＣ', ' 4k2fz – 9moqc ', '4k2fz\u200b9m0qc'])(
    'the code %j is read in base32',
    (text) => {
      expect(base32Characters(text)).toBe('4K2FZ9M0QC');
    },
  );

  it('letters that look like digits are digits in base32', () => {
    expect(base32Characters('oOiIlL')).toBe('001111');
  });
});
