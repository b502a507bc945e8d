/** Of a button when the organization has no colour, or none that can be read. */
const DEFAULT_COLOR = '#1f5fa8';
/** Black and no grey: then one of the two can be read on any colour (4.5 to 1). */
const INK = '#000000';
const PAPER = '#ffffff';

export interface ButtonColors {
  readonly background: string;
  readonly text: string;
}

/** @param color `#rgb` or `#rrggbb`; anything else is as none */
export function buttonColors(color: string | null): ButtonColors {
  const background = hex(color ?? '') ?? DEFAULT_COLOR;
  const text = contrast(background, PAPER) >= contrast(background, INK) ? PAPER : INK;
  return { background, text };
}

function hex(color: string): string | undefined {
  if (/^#[\da-f]{6}$/i.test(color)) return color.toLowerCase();
  if (/^#[\da-f]{3}$/i.test(color)) return color.toLowerCase().replace(/[\da-f]/g, '$&$&');
  return undefined;
}

/** From 1 to 21, https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(first: string, second: string): number {
  const [dark = 0, light = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance, of `#rrggbb` */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
