import { DARK_GROUND, readableOnDark, readableOnLight } from '../../brand/brand-variables.ts';
import { contrast } from '../../brand/colors.ts';

/** Text in a colour needs this contrast against its page, as the service counts it. */
const MIN_CONTRAST = 4;

const LIGHT_PAGE = '#ffffff';
/** The lightest of the usual dark pages, which mails are read on, too. */
const DARK_PAGE = '#242424';

/** The replacement, in pages and mails, for a colour without enough contrast. */
const NEUTRAL = '#475569';
const NEUTRAL_ON_DARK = '#94a3b8';

/** A colour on one kind of page. */
export interface ColorJudgement {
  /** The colour as shown, `#rrggbb`. */
  readonly shown: string;
  readonly page: string;
  /** Of the colour that was chosen, from 1 to 21; null where none was. */
  readonly contrast: number | null;
  readonly isReadable: boolean;
  /** Whether the pages show it a little darker or lighter than it was chosen. */
  readonly isAdjusted: boolean;
}

/** @param color1 `#rrggbb`; what is none yet counts as no colour, as does null */
export function judgeLight(color1: string | null): ColorJudgement {
  return { page: LIGHT_PAGE, ...judge(color1, LIGHT_PAGE, NEUTRAL, readableOnLight) };
}

/** On dark pages, which take the colour for light ones where they have none of their own. */
export function judgeDark(color1: string | null, colorDark1: string | null): ColorJudgement {
  return { page: DARK_GROUND, ...judge(colorDark1 ?? color1, DARK_PAGE, NEUTRAL_ON_DARK, readableOnDark) };
}

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** @param adjusted what the pages make of a colour that the service takes */
function judge(
  color: string | null,
  page: string,
  neutral: string,
  adjusted: (color: string) => string,
): Omit<ColorJudgement, 'page'> {
  if (color === null || !isColor(color)) {
    return { shown: adjusted(neutral), contrast: null, isReadable: true, isAdjusted: false };
  }
  const ratio = contrast(color, page);
  const isReadable = ratio >= MIN_CONTRAST;
  const shown = adjusted(isReadable ? color : neutral);
  const isAdjusted = isReadable && shown.toLowerCase() !== color.toLowerCase();
  return { shown, contrast: ratio, isReadable, isAdjusted };
}
