import type { Organization } from '@heliograph/client';
import { contrast, mixed } from './colors.ts';

/** Text needs this contrast, https://www.w3.org/TR/WCAG22/#contrast-minimum */
const MIN_CONTRAST = 4.5;

/** The harder of the two grounds that text stands on, light and dark: `--hg-page` and `--hg-surface` of tokens.css. */
const LIGHT_GROUND = '#f7f7f5';
export const DARK_GROUND = '#1f2530';

/** How much of the colour is in the ground of what is chosen: `--hg-primary-tint` of tokens.css. */
const TINT = 0.12;

/** Of links and buttons where an organization has chosen no colour: `--hg-primary` of tokens.css. */
export const PRIMARY = '#2c5aa0';
export const PRIMARY_ON_DARK = '#9dbdf5';

type Colors = Pick<Organization, 'color1' | 'color_dark1' | 'color2' | 'color_dark2'>;

/**
 * CSS variables that colour links, buttons and the edge of the header; none for an organization without colours. A
 * colour that cannot be read on a page is darkened or lightened until it can. The text on buttons is whichever of white
 * and black stands out more. Style sheets choose by the look: scripts write no CSS that old browsers lack.
 */
export function brandVariables({ color1, color_dark1, color2, color_dark2 }: Colors): [string, string][] {
  const variables: [string, string][] = [];
  if (color1 !== null || color_dark1 !== null) {
    const light = readableOnLight(color1 ?? PRIMARY);
    const dark = readableOnDark(color_dark1 ?? color1 ?? PRIMARY_ON_DARK);
    variables.push(
      ['--hg-brand', light],
      ['--hg-brand-dark', dark],
      ['--hg-on-brand', textOn(light)],
      ['--hg-on-brand-dark', textOn(dark)],
    );
  }
  const [accent, accentOnDark] = [color2 ?? color_dark2, color_dark2 ?? color2];
  if (accent !== null) variables.push(['--hg-accent', accent]);
  if (accentOnDark !== null) variables.push(['--hg-accent-dark', accentOnDark]);
  return variables;
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
