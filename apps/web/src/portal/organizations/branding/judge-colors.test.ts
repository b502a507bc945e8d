import { describe, expect, it } from 'vitest';
import { brandVariables } from '../../brand/brand-variables.ts';
import { contrast } from '../../brand/colors.ts';
import { isColor, judgeDark, judgeLight } from './judge-colors.ts';

describe('judgeLight and judgeDark', () => {
  it('a colour with enough contrast is shown as it is', () => {
    expect(judgeLight('#0b6e4f')).toMatchObject({ shown: '#0b6e4f', isAdjusted: false });
    expect(judgeDark(null, '#7dd3fc')).toMatchObject({ shown: '#7dd3fc', isAdjusted: false });
  });

  it('the preview adjusts a colour as the pages do', () => {
    const [light, dark] = [judgeLight('#d2500f'), judgeDark(null, '#e0554a')];
    const variables = new Map(
      brandVariables({ color1: '#d2500f', color_dark1: '#e0554a', color2: null, color_dark2: null }),
    );
    expect(variables.get('--hg-brand')).toBe(light.shown);
    expect(variables.get('--hg-brand-dark')).toBe(dark.shown);
    expect([light.isAdjusted, dark.isAdjusted]).toEqual([true, true]);
    expect(judgeLight('#0B6E4F').isAdjusted).toBe(false);
  });

  it('a colour that cannot be read is darkened or lightened until it can', () => {
    const [light, dark] = [judgeLight('#ffd400'), judgeDark(null, '#102030')];
    expect([light.isAdjusted, dark.isAdjusted]).toEqual([true, true]);
    expect(contrast(light.shown, light.page)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark.shown, dark.page)).toBeGreaterThanOrEqual(4.5);
  });

  it('dark pages without a colour of their own take the colour of light pages', () => {
    expect(judgeDark('#7dd3fc', null).shown).toBe('#7dd3fc');
    expect(judgeDark('#0b2e4f', null)).toEqual(judgeDark(null, '#0b2e4f'));
  });

  it('an organization without a colour has that of every page', () => {
    expect(judgeLight(null)).toEqual({
      shown: '#2c5aa0',
      page: '#ffffff',
      contrast: null,
      isAdjusted: false,
    });
    expect(judgeLight('#12')).toMatchObject({ contrast: null, isAdjusted: false });
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
