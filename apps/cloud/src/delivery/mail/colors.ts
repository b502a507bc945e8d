import { contrastRatio } from '../../common/markup/contrast.ts';

/** For an organization without a colour. */
const DEFAULT_COLOR = '#1f5fa8';
/** Black and no grey: one of the two then has a contrast of 4.5 to 1 on any colour. */
const INK = '#000000';
const PAPER = '#ffffff';

export interface ButtonColors {
  readonly background: string;
  readonly text: string;
}

/** @param color `#rgb` or `#rrggbb`; any other text counts as none */
export function buttonColors(color: string | null): ButtonColors {
  const background = hex(color ?? '') ?? DEFAULT_COLOR;
  const text = contrastRatio(background, PAPER) >= contrastRatio(background, INK) ? PAPER : INK;
  return { background, text };
}

function hex(color: string): string | undefined {
  if (/^#[\da-f]{6}$/i.test(color)) return color.toLowerCase();
  if (/^#[\da-f]{3}$/i.test(color)) return color.toLowerCase().replace(/[\da-f]/g, '$&$&');
  return undefined;
}
