import type { Organization } from '@heliograph/client';
import { contrast } from './contrast.ts';

/**
 * CSS variables that colour links and buttons. The service has made sure that the primary colours can be read: on
 * white by `color_primary`, on dark pages by `color_dark_primary`; the text on them is whichever of white and black
 * stands out more.
 */
export function brandVariables({
  color_primary: light,
  color_dark_primary: dark,
}: Organization): [string, string][] {
  return [
    ['--hg-primary', `light-dark(${light}, ${dark})`],
    ['--hg-on-primary', `light-dark(${textOn(light)}, ${textOn(dark)})`],
  ];
}

/** Black or white, whichever stands out more. @param color `#rrggbb` */
export function textOn(color: string): string {
  return contrast(color, '#ffffff') >= contrast(color, '#000000') ? '#ffffff' : '#000000';
}
