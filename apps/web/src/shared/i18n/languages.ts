import type { Locale } from '@heliograph/contracts';

interface Language {
  /** The name in the language itself. */
  readonly name: string;
  /** BCP 47, as browsers and Intl know it. */
  readonly tag: string;
}

/** The languages of pages and mails, by the name that the API has for each. */
export const LANGUAGES: Readonly<Record<Locale, Language>> = {
  af: { name: 'Afrikaans', tag: 'af' },
  cs: { name: 'Čeština', tag: 'cs' },
  da: { name: 'Dansk', tag: 'da' },
  de: { name: 'Deutsch', tag: 'de' },
  el: { name: 'Ελληνικά', tag: 'el' },
  en: { name: 'English', tag: 'en' },
  es: { name: 'Español', tag: 'es' },
  fr: { name: 'Français', tag: 'fr' },
  hu: { name: 'Magyar', tag: 'hu' },
  it: { name: 'Italiano', tag: 'it' },
  lt: { name: 'Lietuvių', tag: 'lt' },
  nl: { name: 'Nederlands', tag: 'nl' },
  pl: { name: 'Polski', tag: 'pl' },
  pt: { name: 'Português', tag: 'pt' },
  ro: { name: 'Română', tag: 'ro' },
  uk: { name: 'Українська', tag: 'uk' },
  vi: { name: 'Tiếng Việt', tag: 'vi' },
  zh_CN: { name: '简体中文', tag: 'zh-CN' },
  zh_TW: { name: '繁體中文', tag: 'zh-TW' },
};

export const LOCALES = Object.keys(LANGUAGES) as Locale[];

/** @param tag of the page or of a cookie; an unknown one is English */
export function localeOf(tag: string | undefined): Locale {
  return LOCALES.find((locale) => locale === tag || LANGUAGES[locale].tag === tag) ?? 'en';
}
