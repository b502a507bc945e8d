import { LOCALES, type Locale } from '@heliograph/contracts/locales';
import { readTranslations } from './read-texts.ts';
import { missingTexts } from './with-english.ts';

/** The languages that lack texts, each with their keys. */
export function untranslated(): { readonly locale: Locale; readonly keys: string[] }[] {
  const english = readTranslations('en');
  return LOCALES.map((locale) => ({ locale, keys: missingTexts(readTranslations(locale), english) })).filter(
    ({ keys }) => keys.length > 0,
  );
}
