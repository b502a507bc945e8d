import type { Locale } from '@heliograph/contracts';
import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { reloadAfterUpdate } from '../browser/reload-after-update.ts';
import { checkTexts } from './check-texts.ts';
import { LANGUAGES, LOCALES, localeOf } from './languages.ts';
import type { Namespace } from './namespaces.ts';
import { type TextFiles, textPath } from './text-files.ts';

let started: Promise<unknown> | undefined;

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
export async function startI18n(files: TextFiles, namespaces: readonly Namespace[]): Promise<void> {
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
  // What a page says of a failure is among these texts, too.
  await started.then(() => checkTexts(namespaces)).catch(reloadAfterUpdate);
  applyDocumentLanguage();
}

export function currentLocale(): Locale {
  return localeOf(i18next.language);
}

/** Screen readers choose their voice by it. */
export function applyDocumentLanguage(): void {
  document.documentElement.lang = i18next.language;
}

/** Resolves when texts can be asked for; a session may be known sooner than any. */
export async function i18nStarted(): Promise<void> {
  await started;
}
