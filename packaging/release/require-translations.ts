import { untranslated } from '@heliograph/locales/untranslated';

/**
 * Pages show a text that a language lacks in English, which is for development.
 *
 * @throws Error with the languages that lack texts
 */
export function requireTranslations(missing = untranslated()): void {
  if (missing.length === 0) return;
  const languages = missing.map(({ locale, keys }) => `${locale} (${keys.length})`).join(', ');
  throw new Error(`make: texts are not translated: ${languages}; "npm run texts" lists them`);
}
