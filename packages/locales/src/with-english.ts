import type { TextTree } from './read-texts.ts';

const PLURAL = /_(?:zero|one|two|few|many|other)$/;

/**
 * The texts of a language, and English for each that it lacks. A text with a number comes in English with all its forms, of
 * which the language chooses by its own rules.
 *
 * @param categories forms that the language has, such as `one`, `few` and `other`
 */
export function withEnglish(own: TextTree, english: TextTree, categories: readonly string[]): TextTree {
  const complete: Record<string, string | TextTree> = { ...own };
  for (const [key, text] of Object.entries(english)) {
    const translated = own[key];
    if (typeof text !== 'string') {
      complete[key] = withEnglish(typeof translated === 'object' ? translated : {}, text, categories);
    } else if (!isPlural(english, key)) {
      complete[key] = translated ?? text;
    } else if (!hasForm(own, key)) {
      Object.assign(complete, formsOf(english, key, categories));
    }
  }
  return complete;
}

/**
 * Keys with dots, such as `frame.organization`, of the texts that a language lacks. A text with a number is one: the key
 * is without its form.
 */
export function missingTexts(own: TextTree, english: TextTree, prefix = ''): string[] {
  const missing = Object.entries(english).flatMap(([key, text]) => {
    const translated = own[key];
    if (typeof text !== 'string') {
      return missingTexts(typeof translated === 'object' ? translated : {}, text, `${prefix}${key}.`);
    }
    if (isPlural(english, key)) return hasForm(own, key) ? [] : [`${prefix}${key.replace(PLURAL, '')}`];
    return typeof translated === 'string' ? [] : [`${prefix}${key}`];
  });
  return [...new Set(missing)];
}

function isPlural(english: TextTree, key: string): boolean {
  return PLURAL.test(key) && `${key.replace(PLURAL, '')}_other` in english;
}

function hasForm(own: TextTree, key: string): boolean {
  const base = key.replace(PLURAL, '');
  return Object.keys(own).some((other) => PLURAL.test(other) && other.replace(PLURAL, '') === base);
}

function formsOf(english: TextTree, key: string, categories: readonly string[]): TextTree {
  const base = key.replace(PLURAL, '');
  const other = english[`${base}_other`] ?? '';
  return Object.fromEntries(
    categories.map((category) => [`${base}_${category}`, english[`${base}_${category}`] ?? other]),
  );
}
