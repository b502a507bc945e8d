import { describe, expect, it } from 'vitest';
import { brandVariables } from '../../brand/brand-variables.ts';
import { isColor, judgeDark, judgeLight } from './judge-colors.ts';

describe('judgeLight and judgeDark', () => {
  it('a colour with enough contrast is shown as it is', () => {
    expect(judgeLight('#0b6e4f')).toMatchObject({ shown: '#0b6e4f', isReadable: true });
    expect(judgeDark(null, '#7dd3fc')).toMatchObject({ shown: '#7dd3fc', isReadable: true });
  });

  it('a colour that the service accepts is adjusted as the pages adjust it', () => {
    const [light, dark] = [judgeLight('#d2500f'), judgeDark(null, '#e0554a')];
    const variables = new Map(brandVariables({ color_primary: '#d2500f', color_dark_primary: '#e0554a' }));
    expect(variables.get('--hg-primary')).toBe(`light-dark(${light.shown}, ${dark.shown})`);
    expect([light, dark]).toMatchObject([
      { isReadable: true, isAdjusted: true },
      { isReadable: true, isAdjusted: true },
    ]);
    expect(judgeLight('#0B6E4F').isAdjusted).toBe(false);
  });

  it('a colour without enough contrast is replaced by a neutral one', () => {
    expect(judgeLight('#ffd400')).toMatchObject({ shown: '#475569', isReadable: false });
    expect(judgeDark(null, '#102030')).toMatchObject({ shown: '#94a3b8', isReadable: false });
  });

  it('dark pages without a colour of their own take the colour of light pages', () => {
    expect(judgeDark('#7dd3fc', null).shown).toBe('#7dd3fc');
    expect(judgeDark('#0b2e4f', null)).toMatchObject({ shown: '#94a3b8', isReadable: false });
  });

  it('a missing colour is a neutral one and counts as readable', () => {
    expect(judgeLight(null)).toEqual({
      shown: '#475569',
      page: '#ffffff',
      contrast: null,
      isReadable: true,
      isAdjusted: false,
    });
    expect(judgeLight('#12')).toMatchObject({ contrast: null, isReadable: true });
  });

  it('the contrast is that of WCAG', () => {
    expect(judgeLight('#000000').contrast).toBeCloseTo(21);
    expect(judgeLight('#ffffff').contrast).toBeCloseTo(1);
    // https://webaim.org/resources/contrastchecker/?fcolor=767676&bcolor=FFFFFF
    expect(judgeLight('#767676').contrast).toBeCloseTo(4.54, 2);
  });

  it('a colour has six hexadecimal digits', () => {
    expect(['#A1b2c3', '#12345', 'red', '#1234567'].map(isColor)).toEqual([true, false, false, false]);
  });
});
