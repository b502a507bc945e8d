import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contrastRatio } from '../../common/markup/contrast.ts';
import { buttonColors } from './colors.ts';

/** https://www.w3.org/TR/WCAG22/#contrast-minimum */
const READABLE = 4.5;

const channel = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, '0'));

it('the text of a button is readable on every colour', () => {
  fc.assert(
    fc.property(fc.tuple(channel, channel, channel), (channels) => {
      const color = `#${channels.join('')}`;
      const { background, text } = buttonColors(color);
      expect(background).toBe(color);
      expect(contrastRatio(background, text)).toBeGreaterThanOrEqual(READABLE);
    }),
  );
});

it.each([
  ['#ffd400', '#ffd400', 'dark'],
  ['#003366', '#003366', 'light'],
  ['#036', '#003366', 'light'],
])('a button of the colour %s is %s with %s text', (given, background, shade) => {
  const { text, ...rest } = buttonColors(given);
  expect(rest).toEqual({ background });
  expect(contrastRatio(text, '#000000') > contrastRatio(text, '#ffffff') ? 'light' : 'dark').toBe(shade);
});

it.each([null, '', 'red', '#12345', '#1234567', 'url(javascript:alert(1))', '#fff;background:url(x)'])(
  'the value %j counts as no colour',
  (color) => {
    const { background, text } = buttonColors(color);
    expect(background).toMatch(/^#[\da-f]{6}$/);
    expect(contrastRatio(background, text)).toBeGreaterThanOrEqual(READABLE);
  },
);
