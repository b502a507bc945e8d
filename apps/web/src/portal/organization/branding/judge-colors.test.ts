import { describe, expect, it } from 'vitest';
import { isColor, judgeDark, judgeLight } from './judge-colors.ts';

describe('what becomes of the colours of an organization', () => {
  it('is the colour itself where it can be read', () => {
    expect(judgeLight('#0b6e4f')).toMatchObject({ shown: '#0b6e4f', isReadable: true });
    expect(judgeDark(null, '#7dd3fc')).toMatchObject({ shown: '#7dd3fc', isReadable: true });
  });

  it('is a neutral one where it cannot', () => {
    expect(judgeLight('#ffd400')).toMatchObject({ shown: '#475569', isReadable: false });
    expect(judgeDark(null, '#102030')).toMatchObject({ shown: '#94a3b8', isReadable: false });
  });

  it('takes the colour of light pages for dark ones, where those have none', () => {
    expect(judgeDark('#7dd3fc', null).shown).toBe('#7dd3fc');
    expect(judgeDark('#0b2e4f', null)).toMatchObject({ shown: '#94a3b8', isReadable: false });
  });

  it('is neutral without a colour, and nobody is blamed', () => {
    expect(judgeLight(null)).toEqual({ shown: '#475569', page: '#ffffff', contrast: null, isReadable: true });
    expect(judgeLight('#12')).toMatchObject({ contrast: null, isReadable: true });
  });

  it('counts contrast as WCAG does', () => {
    expect(judgeLight('#000000').contrast).toBeCloseTo(21);
    expect(judgeLight('#ffffff').contrast).toBeCloseTo(1);
    // https://webaim.org/resources/contrastchecker/?fcolor=767676&bcolor=FFFFFF
    expect(judgeLight('#767676').contrast).toBeCloseTo(4.54, 2);
  });

  it('knows a colour by its form', () => {
    expect(['#A1b2c3', '#12345', 'red', '#1234567'].map(isColor)).toEqual([true, false, false, false]);
  });
});
