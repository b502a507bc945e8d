import { LOCALES, type Locale } from '@heliograph/contracts';
import { readTranslations, type TextTree } from '@heliograph/locales/read';

/** Texts by their key with dots, such as `frame.organization_one`. */
export type Texts = ReadonlyMap<string, string>;

const FILES = new Map(LOCALES.map((locale) => [locale, readTranslations(locale)]));

export const NAMESPACES = namespacesOf('en');

export function namespacesOf(locale: Locale): string[] {
  return Object.keys(FILES.get(locale) ?? {}).toSorted();
}

/** Empty when a language lacks the namespace. */
export function textsOf(locale: Locale, namespace: string): Texts {
  return new Map(flat(FILES.get(locale)?.[namespace] ?? {}, ''));
}

function flat(texts: TextTree, prefix: string): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[`${prefix}${key}`, value]] : flat(value, `${prefix}${key}.`),
  );
}

const PLURAL = /_(?:zero|one|two|few|many|other)$/;

/** The key that code asks for: the number chooses what is behind it. */
export function baseKey(key: string): string {
  return key.replace(PLURAL, '');
}

/** The forms that a text with a number has, by the key that code asks for. */
export function pluralForms(texts: Texts): Map<string, string[]> {
  const forms = new Map<string, string[]>();
  for (const key of texts.keys()) {
    const [suffix] = PLURAL.exec(key) ?? [];
    if (suffix === undefined) continue;
    forms.set(baseKey(key), [...(forms.get(baseKey(key)) ?? []), suffix.slice(1)].toSorted());
  }
  return forms;
}

/** Places of values and of elements: `{{name}}`, `<link>`. */
export function placeholders(text: string): string[] {
  return [...new Set(text.match(/\{\{[^}]+\}\}|<\/?[\w]+\s*\/?>/g) ?? [])].toSorted();
}
