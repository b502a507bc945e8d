import { expect, it } from 'vitest';
import { darkPrimaryColor, primaryColor } from './colors.ts';

it.each([
  ['#1f5fa8', null, '#1f5fa8', '#94a3b8'],
  ['#ffd400', null, '#475569', '#ffd400'],
  ['#1f5fa8', '#7db8f5', '#1f5fa8', '#7db8f5'],
  ['#ffd400', '#101010', '#475569', '#94a3b8'],
  [null, '#7db8f5', '#475569', '#7db8f5'],
  [null, null, '#475569', '#94a3b8'],
])(
  'the colour of links and buttons of %s and, on dark pages, %s is %s and %s',
  (color1, colorDark1, light, dark) => {
    expect([primaryColor({ color1 }), darkPrimaryColor({ color1, colorDark1 })]).toEqual([light, dark]);
  },
);
