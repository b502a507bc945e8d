import type { Organization } from '@heliograph/client';
import { contrast, mixed } from './colors.ts';

/** Text needs this contrast, https://www.w3.org/TR/WCAG22/#contrast-minimum */
const MIN_CONTRAST = 4.5;

/** The harder of the two grounds that text stands on, light and dark: `--hg-page` and `--hg-surface` of tokens.css. */
const LIGHT_GROUND = '#f7f7f5';
export const DARK_GROUND = '#1f2530';

/** How much of the colour is in the ground of what is chosen: `--hg-primary-tint` of tokens.css. */
const TINT = 0.12;

/**
 * CSS variables that colour links and buttons. The service makes sure that the primary colours stand out from white and
 * from a dark page; text on grounds that are tinted needs a little more, and the colour is darkened or lightened for it.
 * The text on buttons is whichever of white and black stands out more.
 */
export function brandVariables({
  color_primary: onLight,
  color_dark_primary: onDark,
}: Pick<Organization, 'color_primary' | 'color_dark_primary'>): [string, string][] {
  const light = readableOnLight(onLight);
  const dark = readableOnDark(onDark);
  return [
    ['--hg-primary', `light-dark(${light}, ${dark})`],
    ['--hg-on-primary', `light-dark(${textOn(light)}, ${textOn(dark)})`],
  ];
}

/** The colour as light pages show it. @param color `#rrggbb` */
export function readableOnLight(color: string): string {
  return readable(color, LIGHT_GROUND, '#000000');
}

/** The colour as dark pages show it. @param color `#rrggbb` */
export function readableOnDark(color: string): string {
  return readable(color, DARK_GROUND, '#ffffff');
}

/** Black or white, whichever stands out more. @param color `#rrggbb` */
export function textOn(color: string): string {
  return contrast(color, '#ffffff') >= contrast(color, '#000000') ? '#ffffff' : '#000000';
}

/** The nearest to a colour that can be read as text. @param end what can be read for certain */
function readable(color: string, ground: string, end: string): string {
  for (let percent = 0; percent < 100; percent += 2) {
    const near = mixed(color, end, percent / 100);
    if (contrast(near, mixed(ground, near, TINT)) >= MIN_CONTRAST) return near;
  }
  return end;
}
