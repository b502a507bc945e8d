import type { Locale } from '@heliograph/contracts';
import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { cookie, keepCookie } from '../browser/cookie.ts';
import { LANGUAGES, LOCALES, localeOf } from './languages.ts';
import type { Namespace } from './namespaces.ts';
import { type TextFiles, textPath } from './text-files.ts';

/** The server reads it to write the page's language, and to have the right texts loaded early. */
const COOKIE = 'heliograph_locale';

/** Loads one namespace of one language, as it is asked for. */
const chunksOf = (files: TextFiles): BackendModule => ({
  type: 'backend',
  init: () => undefined,
  async read(tag, namespace) {
    const load = files[textPath(localeOf(tag), namespace)];
    return (await load?.())?.default ?? {};
  },
});

/**
 * Makes the texts of a page ready, in the language that the server has found out: the one chosen in this browser, else
 * the first that the browser asks for.
 *
 * @param namespaces what the first view needs
 */
export async function startTexts(files: TextFiles, namespaces: readonly Namespace[]): Promise<void> {
  const locale = localeOf(cookie(COOKIE) ?? document.documentElement.lang);
  await i18next
    .use(initReactI18next)
    .use(chunksOf(files))
    .init({
      lng: LANGUAGES[locale].tag,
      fallbackLng: false,
      supportedLngs: LOCALES.map((one) => LANGUAGES[one].tag),
      load: 'currentOnly',
      ns: [...namespaces],
      defaultNS: 'shared',
      // React escapes what it shows.
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  showLanguage();
}

/** Shows everything in another language, here and when this browser comes back. */
export async function switchLocale(locale: Locale): Promise<void> {
  keepCookie(COOKIE, locale);
  if (currentLocale() === locale) return;
  await i18next.changeLanguage(LANGUAGES[locale].tag);
  showLanguage();
}

export function currentLocale(): Locale {
  return localeOf(i18next.language);
}

/** Screen readers choose their voice by it. */
function showLanguage(): void {
  document.documentElement.lang = i18next.language;
}
