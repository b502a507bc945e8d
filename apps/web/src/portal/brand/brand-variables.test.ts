import { expect, it } from 'vitest';
import { brandVariables } from './brand-variables.ts';
import { contrast, mixed } from './colors.ts';

const NONE = { color1: null, color_dark1: null, color2: null, color_dark2: null };

/** The colours of the pages for those of an organization. */
function shown(color1: string | null, color_dark1: string | null) {
  const variables = new Map(brandVariables({ ...NONE, color1, color_dark1 }));
  const pair = (name: string): string[] => [name, `${name}-dark`].map((one) => variables.get(one) ?? '');
  const [light = '', dark = ''] = pair('--hg-brand');
  return { light, dark, texts: pair('--hg-on-brand') };
}

it('an organization without colours has those of every page', () => {
  expect(brandVariables(NONE)).toEqual([]);
});

it('a second colour is the accent as it is, on light and on dark pages', () => {
  const colors = { ...NONE, color2: '#ffd400' };
  expect(brandVariables(colors)).toEqual([
    ['--hg-accent', '#ffd400'],
    ['--hg-accent-dark', '#ffd400'],
  ]);
  expect(brandVariables({ ...colors, color_dark2: '#ff8800' })).toEqual([
    ['--hg-accent', '#ffd400'],
    ['--hg-accent-dark', '#ff8800'],
  ]);
});

it('a dark red stays red on dark pages', () => {
  const { dark } = shown('#e11d48', null);
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(dark.slice(at, at + 2), 16));
  expect(red).toBeGreaterThan(200);
  expect(Math.max(green ?? 0, blue ?? 0)).toBeLessThan(150);
});

it('colours with enough contrast stay as they are', () => {
  expect(shown('#0b6e4f', '#94a3b8')).toMatchObject({ light: '#0b6e4f', dark: '#94a3b8' });
  expect(shown('#475569', '#ffffff')).toMatchObject({ light: '#475569', dark: '#ffffff' });
});

it.each([
  ['#ffd400', '#101010'],
  ['#e11d48', '#e11d48'],
  ['#7f7f7f', '#8a8a8a'],
  ['#d2500f', '#e0554a'],
  ['#0a7aff', '#0a84ff'],
])(
  'colours derived from %s and %s have enough contrast as text on a tint, and below text',
  (onLight, onDark) => {
    const { light, dark, texts } = shown(onLight, onDark);
    expect(contrast(light, mixed('#f7f7f5', light, 0.12))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark, mixed('#1f2530', dark, 0.12))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(light, texts[0] ?? '')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark, texts[1] ?? '')).toBeGreaterThanOrEqual(4.5);
  },
);
