import { contrastRatio } from '../../common/markup/contrast.ts';

/** Text in a colour needs this contrast against its page, as WCAG 2.2 counts it, from 1 to 21. */
const MIN_CONTRAST = 4;

const LIGHT_PAGE = '#ffffff';
/** The lightest of the usual dark pages: text with enough contrast on it has more on a darker one. */
const DARK_PAGE = '#242424';

/** For links and buttons of organizations without a legible colour. */
const NEUTRAL = '#475569';
const NEUTRAL_ON_DARK = '#94a3b8';

export interface BrandColors {
  readonly color1: string | null;
  readonly colorDark1: string | null;
}

/** The first colour if it can be read on a white page, else a neutral one. */
export function primaryColor({ color1 }: Pick<BrandColors, 'color1'>): string {
  return color1 !== null && isReadable(color1, LIGHT_PAGE) ? color1 : NEUTRAL;
}

/** The first colour for dark pages, or the one for light pages, if it can be read there; else a neutral one. */
export function darkPrimaryColor({ color1, colorDark1 }: BrandColors): string {
  const color = colorDark1 ?? color1;
  return color !== null && isReadable(color, DARK_PAGE) ? color : NEUTRAL_ON_DARK;
}

function isReadable(color: string, page: string): boolean {
  return contrastRatio(color, page) >= MIN_CONTRAST;
}
