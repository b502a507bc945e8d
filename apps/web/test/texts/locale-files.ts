import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const LOCALES = join(import.meta.dirname, '../../src/locales');

/** Texts by their key with dots, such as `frame.organization_one`. */
export type Texts = ReadonlyMap<string, string>;

export const NAMESPACES = globSync('*.json', { cwd: join(LOCALES, 'en') })
  .map((file) => basename(file, '.json'))
  .toSorted();

/** @throws the system's error when a language lacks the file */
export function textsOf(locale: string, namespace: string): Texts {
  return new Map(flat(JSON.parse(readFileSync(join(LOCALES, locale, `${namespace}.json`), 'utf8')), ''));
}

export function namespacesOf(locale: string): string[] {
  return globSync('*.json', { cwd: join(LOCALES, locale) })
    .map((file) => basename(file, '.json'))
    .toSorted();
}

function flat(texts: Readonly<Record<string, unknown>>, prefix: string): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string'
      ? [[`${prefix}${key}`, value]]
      : flat(value as Readonly<Record<string, unknown>>, `${prefix}${key}.`),
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

/** What code fills in, and what it wraps in elements: `{{name}}`, `<link>`. */
export function placeholders(text: string): string[] {
  return [...new Set(text.match(/\{\{[^}]+\}\}|<\/?[\w]+\s*\/?>/g) ?? [])].toSorted();
}
