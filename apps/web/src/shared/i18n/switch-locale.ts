import { type Locale, tagOf } from '@heliograph/contracts/locales';
import i18next from 'i18next';
import { TextsMissing } from '../browser/chunk-errors.ts';
import { storePreference } from '../browser/cookie.ts';
import { reloadAfterUpdate } from '../browser/reload-after-update.ts';
import { applyDocumentLanguage, currentLocale, i18nStarted } from './i18n.ts';
import { localeMissing } from './locale-missing.ts';

/** The server reads it to write the page's language, and to have the right texts loaded early. */
const COOKIE = 'heliograph_locale';

/**
 * Shows everything in another language, here and when this browser comes back. Where its texts cannot be loaded, all
 * stays as it is.
 *
 * @returns whether everything is in that language now
 */
export async function switchLocale(locale: Locale): Promise<boolean> {
  wanted = locale;
  await i18nStarted();
  if (currentLocale() !== locale) {
    const tag = tagOf(locale);
    const isThere = await loadTexts(tag);
    // Another language was chosen before this one was loaded.
    if (wanted !== locale) return false;
    if (!isThere) await reloadInLocale(locale);
    localeMissing.set(!isThere);
    if (!isThere) return false;
    await i18next.changeLanguage(tag);
    applyDocumentLanguage();
    storePreference(COOKIE, locale);
  }
  return true;
}

/**
 * A browser requests a file once: one that failed to load, or that an update of the server removed, needs a reload of
 * the page. Returns where a reload is of no use.
 */
async function reloadInLocale(locale: Locale): Promise<void> {
  storePreference(COOKIE, locale);
  try {
    await reloadAfterUpdate(new TextsMissing(`The texts of ${locale} could not be loaded`));
  } catch {
    storePreference(COOKIE, currentLocale());
  }
}

/** The language that was chosen last. */
let wanted: Locale | undefined;

/** @returns whether all that is shown has its texts in a language */
async function loadTexts(tag: string): Promise<boolean> {
  const { ns = [] } = i18next.options;
  const missing = (): string[] => [ns].flat().filter((one) => !i18next.hasResourceBundle(tag, one));
  // Missing texts are requested again only this way.
  if (missing().length > 0) await i18next.reloadResources([tag], missing());
  return missing().length === 0;
}
