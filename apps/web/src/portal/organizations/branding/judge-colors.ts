import {
  DARK_GROUND,
  PRIMARY,
  PRIMARY_ON_DARK,
  readableOnDark,
  readableOnLight,
} from '../../brand/brand-variables.ts';
import { contrast } from '../../brand/colors.ts';

const LIGHT_PAGE = '#ffffff';
/** The lightest of the usual dark pages. */
const DARK_PAGE = '#242424';

/** A colour on one kind of page. */
export interface ColorJudgement {
  /** The colour as shown, `#rrggbb`. */
  readonly shown: string;
  readonly page: string;
  /** Of the colour that was chosen, from 1 to 21; null where none was. */
  readonly contrast: number | null;
  /** Whether the pages show it darker or lighter than it was chosen. */
  readonly isAdjusted: boolean;
}

/** @param color1 `#rrggbb`; what is none yet counts as no colour, as does null */
export function judgeLight(color1: string | null): ColorJudgement {
  return { page: LIGHT_PAGE, ...judge(color1, LIGHT_PAGE, PRIMARY, readableOnLight) };
}

/** On dark pages, which take the colour for light ones where they have none of their own. */
export function judgeDark(color1: string | null, colorDark1: string | null): ColorJudgement {
  return { page: DARK_GROUND, ...judge(colorDark1 ?? color1, DARK_PAGE, PRIMARY_ON_DARK, readableOnDark) };
}

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/**
 * @param house the colour of pages whose organization has chosen none
 * @param adjusted what the pages make of a colour
 */
function judge(
  color: string | null,
  page: string,
  house: string,
  adjusted: (color: string) => string,
): Omit<ColorJudgement, 'page'> {
  if (color === null || !isColor(color)) return { shown: house, contrast: null, isAdjusted: false };
  const shown = adjusted(color);
  const isAdjusted = shown.toLowerCase() !== color.toLowerCase();
  return { shown, contrast: contrast(color, page), isAdjusted };
}
