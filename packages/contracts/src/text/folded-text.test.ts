import { describe, expect, it } from 'vitest';
import { foldAscii, foldText } from './folded-text.ts';

describe('text without regard to letter case', () => {
  it.each([
    ['ADA', 'ada'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['İstanbul', 'istanbul'],
    ['ISTANBUL', 'istanbul'],
    ['ıstanbul', 'istanbul'],
    ['I\u0307stanbul', 'istanbul'],
    ['i\u0307stanbul', 'istanbul'],
    ['ŁÓDŹ', 'łódź'],
    ['Ελλάς', 'ελλάσ'],
    ['ΕΛΛΆΣ', 'ελλάσ'],
    ['ΕΛΛΑ\u0301Σ', 'ελλάσ'],
    ['ſ', 's'],
    ['\u212a', 'k'],
    ['µ', 'μ'],
    ['U\u0308', 'ü'],
    ['Ü', 'ü'],
    ['Ｓｏｌａｒ１', 'solar1'],
    ['ﬁt', 'fit'],
    ['ЁЖ', 'ёж'],
    ['𐐀', '𐐨'],
    ['太陽', '太陽'],
  ])('%j is %j', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('a folded letter stays as it is', () => {
    const changing: string[] = [];
    for (let point = 0; point <= 0x1ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const folded = foldText(String.fromCodePoint(point));
      if (foldText(folded) !== folded) changing.push(folded);
    }
    expect(changing).toEqual([]);
  });

  it('letters beyond ASCII stay where ASCII alone is folded', () => {
    expect(foldAscii('AZaz09-İẞ\u212a')).toBe('azaz09-İẞ\u212a');
  });
});
