import type { Locale } from '@heliograph/contracts';
import { af } from './af.ts';
import { cs } from './cs.ts';
import { da } from './da.ts';
import { de } from './de.ts';
import { el } from './el.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { hu } from './hu.ts';
import { it } from './it.ts';
import { lt } from './lt.ts';
import type { MailTexts } from './mail-texts.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { ro } from './ro.ts';
import { uk } from './uk.ts';
import { vi } from './vi.ts';
import { zhCn } from './zh-cn.ts';
import { zhTw } from './zh-tw.ts';

export type { MailTexts } from './mail-texts.ts';

export const MAIL_TEXTS: Readonly<Record<Locale, MailTexts>> = {
  af,
  cs,
  da,
  de,
  el,
  en,
  es,
  fr,
  hu,
  it,
  lt,
  nl,
  pl,
  pt,
  ro,
  uk,
  vi,
  zh_CN: zhCn,
  zh_TW: zhTw,
};

export function textsOf(locale: Locale): MailTexts {
  return MAIL_TEXTS[locale];
}

/** Puts values in the place of `{placeholders}`. A value is never taken for a placeholder itself. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
