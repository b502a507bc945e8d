import { contrast } from '../../brand/contrast.ts';

/** Text in a colour needs this contrast against its page, as the service counts it. */
const MIN_CONTRAST = 4;

const LIGHT_PAGE = '#ffffff';
/** The lightest of the usual dark pages. */
const DARK_PAGE = '#242424';

/** What pages and mails take in place of a colour that cannot be read. */
const NEUTRAL = '#475569';
const NEUTRAL_ON_DARK = '#94a3b8';

/** What becomes of a colour on one kind of page. */
export interface Judgement {
  /** What is shown, `#rrggbb`. */
  readonly shown: string;
  readonly page: string;
  /** Of the colour that was chosen, from 1 to 21; null where none was. */
  readonly contrast: number | null;
  readonly isReadable: boolean;
}

/** @param color1 `#rrggbb`; what is none yet counts as no colour, as does null */
export function judgeLight(color1: string | null): Judgement {
  return judge(color1, LIGHT_PAGE, NEUTRAL);
}

/** On dark pages, which take the colour for light ones where they have none of their own. */
export function judgeDark(color1: string | null, colorDark1: string | null): Judgement {
  return judge(colorDark1 ?? color1, DARK_PAGE, NEUTRAL_ON_DARK);
}

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

function judge(color: string | null, page: string, neutral: string): Judgement {
  if (color === null || !isColor(color)) return { shown: neutral, page, contrast: null, isReadable: true };
  const ratio = contrast(color, page);
  const isReadable = ratio >= MIN_CONTRAST;
  return { shown: isReadable ? color : neutral, page, contrast: ratio, isReadable };
}
