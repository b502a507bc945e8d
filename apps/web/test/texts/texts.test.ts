import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCALES } from '@heliograph/contracts';
import { describe, expect, it } from 'vitest';
import { baseKey, NAMESPACES, namespacesOf, placeholders, pluralForms, textsOf } from './locale-files.ts';

const SOURCE = join(import.meta.dirname, '../../src');
const code = globSync('**/*.{ts,tsx}', { cwd: SOURCE })
  .map((file) => readFileSync(join(SOURCE, file), 'utf8'))
  .join('\n');

describe.each(NAMESPACES)('the English texts of "%s"', (namespace) => {
  const texts = textsOf('en', namespace);

  it('are all asked for', () => {
    const keys = new Set([...texts.keys()].map(baseKey));
    const isAsked = (key: string): boolean =>
      [`'${key}'`, `"${key}"`, `'${namespace}:${key}'`].some((literal) => code.includes(literal));
    expect([...keys].filter((key) => !isAsked(key))).toEqual([]);
  });

  it('say something', () => {
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([]);
  });
});

describe.each(LOCALES.filter((locale) => locale !== 'en'))('%s', (locale) => {
  const categories = new Intl.PluralRules(locale.replace('_', '-'))
    .resolvedOptions()
    .pluralCategories.toSorted();

  it('has the same files', () => expect(namespacesOf(locale)).toEqual(NAMESPACES));

  it.each(NAMESPACES)('has every text of "%s", and no other', (namespace) => {
    const asked = (texts: Iterable<string>): string[] => [...new Set([...texts].map(baseKey))].toSorted();
    expect(asked(textsOf(locale, namespace).keys())).toEqual(asked(textsOf('en', namespace).keys()));
  });

  it.each(NAMESPACES)('has every form of a number in "%s"', (namespace) => {
    const wrong = [...pluralForms(textsOf(locale, namespace))].filter(
      ([, forms]) => forms.join() !== categories.join(),
    );
    expect(wrong).toEqual([]);
    expect([...pluralForms(textsOf(locale, namespace)).keys()].toSorted()).toEqual(
      [...pluralForms(textsOf('en', namespace)).keys()].toSorted(),
    );
  });

  it.each(NAMESPACES)('fills in the same in "%s"', (namespace) => {
    const english = textsOf('en', namespace);
    const wrong = [...textsOf(locale, namespace)].filter(([key, text]) => {
      const original = english.get(key) ?? english.get(`${baseKey(key)}_other`) ?? '';
      // "One site" needs no number where the form says it.
      const isSingular = /_(?:zero|one|two)$/.test(key);
      const left = placeholders(text).filter((one) => !(isSingular && one === '{{count}}'));
      const right = placeholders(original).filter((one) => !(isSingular && one === '{{count}}'));
      return left.join() !== right.join();
    });
    expect(wrong).toEqual([]);
  });
});
