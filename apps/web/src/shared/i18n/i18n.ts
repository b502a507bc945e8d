import type { LoadTexts } from 'virtual:texts';
import { LOCALES, type Locale, tagOf } from '@heliograph/contracts/locales';
import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { reloadAfterUpdate } from '../browser/reload-after-update.ts';
import { checkTexts } from './check-texts.ts';
import type { Namespace } from './namespaces.ts';

let started: Promise<unknown> | undefined;

/** Loads one namespace of one language on demand. */
const chunksOf = (load: LoadTexts): BackendModule => ({
  type: 'backend',
  init: () => undefined,
  async read(tag, namespace) {
    return (await load(localeOf(tag), namespace)).default;
  },
});

/**
 * Loads the texts of a page, in the language that the server has chosen: the one stored in this browser, else the
 * first one that it prefers.
 *
 * @param namespaces those of the first view
 * @throws ChunkMissing when they cannot be loaded, and a reload has not helped
 */
export async function startI18n(load: LoadTexts, namespaces: readonly Namespace[]): Promise<void> {
  const locale = localeOf(document.documentElement.lang);
  started = i18next
    .use(initReactI18next)
    .use(chunksOf(load))
    .init({
      lng: tagOf(locale),
      fallbackLng: false,
      supportedLngs: LOCALES.map(tagOf),
      load: 'currentOnly',
      ns: [...namespaces],
      defaultNS: 'shared',
      // React escapes what it shows.
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  // The messages of failures are among these texts, too.
  await started.then(() => checkTexts(namespaces)).catch(reloadAfterUpdate);
  applyDocumentLanguage();
}

/** @param tag of a page or a stored preference; an unknown one is English */
export function localeOf(tag: string | undefined): Locale {
  return LOCALES.find((locale) => locale === tag || tagOf(locale) === tag) ?? 'en';
}

export function currentLocale(): Locale {
  return localeOf(i18next.language);
}

/** Screen readers choose their voice by it. */
export function applyDocumentLanguage(): void {
  document.documentElement.lang = i18next.language;
}

/** Resolves when i18next is initialized; a session may be known sooner. */
export async function i18nStarted(): Promise<void> {
  await started;
}
