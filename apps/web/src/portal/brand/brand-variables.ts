import type { Organization } from '@heliograph/client';

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

/** Black or white, whichever stands out more (WCAG 2.2, relative luminance). @param color `#rrggbb` */
export function textOn(color: string): string {
  const luminance = luminanceOf(color);
  // Contrast with white is 1.05 / (l + 0.05), with black (l + 0.05) / 0.05.
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#ffffff' : '#000000';
}

function luminanceOf(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
