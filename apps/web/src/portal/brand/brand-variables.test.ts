import { expect, it } from 'vitest';
import { brandVariables } from './brand-variables.ts';
import { contrast, mixed } from './colors.ts';

/** The colours of the pages for two colours of the service. */
function shown(onLight: string, onDark: string): { light: string; dark: string; texts: string[] } {
  const variables = new Map(brandVariables({ color_primary: onLight, color_dark_primary: onDark }));
  const pair = (name: string): string[] => variables.get(name)?.match(/#[0-9a-f]{6}/g) ?? [];
  const [light = '', dark = ''] = pair('--hg-primary');
  return { light, dark, texts: pair('--hg-on-primary') };
}

it('colours with enough contrast stay as they are', () => {
  expect(shown('#0b6e4f', '#94a3b8')).toMatchObject({ light: '#0b6e4f', dark: '#94a3b8' });
  expect(shown('#475569', '#ffffff')).toMatchObject({ light: '#475569', dark: '#ffffff' });
});

// The service takes these: 4:1 on white, and on a dark page of #242424.
it.each([
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
