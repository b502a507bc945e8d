import type { Locale } from '@heliograph/contracts';
import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { keepCookie } from '../browser/cookie.ts';
import { loadAnew } from '../routing/after-update.ts';
import { LANGUAGES, LOCALES, localeOf } from './languages.ts';
import { localeMissing } from './locale-missing.ts';
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
 * @throws PartMissing when they did not come, and the page was loaded anew for that before
 */
export async function startTexts(files: TextFiles, namespaces: readonly Namespace[]): Promise<void> {
  const locale = localeOf(document.documentElement.lang);
  started = i18next
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
  await started;
  const missing = namespaces.filter((one) => !i18next.hasResourceBundle(i18next.language, one));
  // Without them a page would show the keys of its texts, even where it says what is wrong.
  if (missing.length > 0) await loadAnew(new Error(`The texts ${missing.join(', ')} could not be loaded`));
  showLanguage();
}

/**
 * Shows everything in another language, here and when this browser comes back. Where its texts cannot be loaded, all
 * stays as it is.
 *
 * @returns whether everything is in that language now
 */
export async function switchLocale(locale: Locale): Promise<boolean> {
  wanted = locale;
  // A session may be known sooner than any text.
  await started;
  if (currentLocale() !== locale) {
    const { tag } = LANGUAGES[locale];
    const isThere = await loadTexts(tag);
    // Somebody who did not wait for it has chosen yet another one.
    if (wanted !== locale) return false;
    if (!isThere) await comeBackIn(locale);
    localeMissing.set(!isThere);
    if (!isThere) return false;
    await i18next.changeLanguage(tag);
    showLanguage();
    keepCookie(COOKIE, locale);
  }
  return true;
}

/**
 * A browser asks for a file once: one that it could not load, or that an update of the server took away, comes only when
 * the page is loaded anew. Returns where that is of no use.
 */
async function comeBackIn(locale: Locale): Promise<void> {
  keepCookie(COOKIE, locale);
  try {
    await loadAnew(new Error(`The texts of ${locale} could not be loaded`));
  } catch {
    keepCookie(COOKIE, currentLocale());
  }
}

let started: Promise<unknown> | undefined;

/** The language that was asked for last. */
let wanted: Locale | undefined;

/** @returns whether all that is shown has its texts in a language */
async function loadTexts(tag: string): Promise<boolean> {
  const { ns = [] } = i18next.options;
  const missing = (): string[] => [ns].flat().filter((one) => !i18next.hasResourceBundle(tag, one));
  // What did not come is asked for again only this way.
  if (missing().length > 0) await i18next.reloadResources([tag], missing());
  return missing().length === 0;
}

export function currentLocale(): Locale {
  return localeOf(i18next.language);
}

/** Screen readers choose their voice by it. */
function showLanguage(): void {
  document.documentElement.lang = i18next.language;
}
