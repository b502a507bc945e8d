/**
 * The languages of pages and mails, by the name that the API and the files of `packages/locales` have for each. The
 * value is what its speakers call it.
 */
export const LANGUAGE_NAMES = {
  af: 'Afrikaans',
  cs: 'Čeština',
  da: 'Dansk',
  de: 'Deutsch',
  el: 'Ελληνικά',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  hu: 'Magyar',
  it: 'Italiano',
  lt: 'Lietuvių',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português',
  ro: 'Română',
  uk: 'Українська',
  vi: 'Tiếng Việt',
  zh_CN: '简体中文',
  zh_TW: '繁體中文',
} as const;

export type Locale = keyof typeof LANGUAGE_NAMES;

export const LOCALES = Object.keys(LANGUAGE_NAMES) as readonly Locale[];

/** The message about a text that is no locale. */
export const NO_LOCALE = `must be one of ${LOCALES.join(', ')}`;

export function isLocale(text: string): text is Locale {
  return Object.hasOwn(LANGUAGE_NAMES, text);
}

/** BCP 47, as browsers, `Intl` and HTML name a language: `zh-CN` for `zh_CN`. */
export function tagOf(locale: Locale): string {
  return locale.replace('_', '-');
}
