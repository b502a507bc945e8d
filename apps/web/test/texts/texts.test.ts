import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUDIT_ACTIONS, AUDIT_DETAILS, LOCALES, tagOf } from '@heliograph/contracts';
import { describe, expect, it } from 'vitest';
import { baseKey, NAMESPACES, namespacesOf, placeholders, pluralForms, textsOf } from './locale-files.ts';

const SOURCE = join(import.meta.dirname, '../../src');
const code = [
  ...globSync('**/*.{ts,tsx}', { cwd: SOURCE }).map((file) => readFileSync(join(SOURCE, file), 'utf8')),
  // The audit log takes these texts by the names of actions and their details.
  ...AUDIT_ACTIONS.map((action) => `'actions.${action}'`),
  ...AUDIT_DETAILS.map((detail) => `'details.${detail}'`),
].join('\n');

const sourceOf = (folder: string): string =>
  globSync('**/*.ts', { cwd: folder })
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');

/** Values of the API, which are the last parts of keys. */
const values = ['contracts', 'metrics'].map((name) =>
  sourceOf(join(import.meta.dirname, '../../../../packages', name, 'src')),
);

/** Whether a template makes the key of a value: `states.${state}`. */
function isMadeOfValue(namespace: string, key: string): boolean {
  const [, parents = '', value = ''] = /^(.*\.)?([^.]+)$/.exec(key) ?? [];
  const isValue = [code, ...values].some(
    (text) => text.includes(`'${value}'`) || text.includes(`  ${value}:`),
  );
  return isValue && [`\`${parents}\${`, `\`${namespace}:${parents}\${`].some((start) => code.includes(start));
}

/** Pages take these by what a driver calls a setting; a test beside the drivers' pages compares them with the drivers. */
const isTakenByName = (namespace: string, key: string): boolean =>
  namespace === 'settingNames' && /^(?:names|options|help)\./.test(key);

/**
 * Mails and messages of devices are not of pages, and the hardware's own names and states are the keys of `metricNames`.
 */
const NOT_OF_PAGES = ['mail', 'messages', 'metricNames'];
const OF_PAGES = NAMESPACES.filter((namespace) => !NOT_OF_PAGES.includes(namespace));

describe.each(OF_PAGES)('the English texts of "%s"', (namespace) => {
  const texts = textsOf('en', namespace);

  it('the code of the pages uses every text', () => {
    const keys = new Set([...texts.keys()].map(baseKey));
    const isUsed = (key: string): boolean =>
      isTakenByName(namespace, key) ||
      [`'${key}'`, `"${key}"`, `'${namespace}:${key}'`].some((literal) => code.includes(literal)) ||
      isMadeOfValue(namespace, key);
    expect([...keys].filter((key) => !isUsed(key))).toEqual([]);
  });

  it('no text is empty', () => {
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([]);
  });
});

describe.each(LOCALES.filter((locale) => locale !== 'en'))('%s', (locale) => {
  const categories = new Intl.PluralRules(tagOf(locale)).resolvedOptions().pluralCategories.toSorted();

  it('the file has namespaces of English alone', () => {
    expect(namespacesOf(locale).filter((namespace) => !NAMESPACES.includes(namespace))).toEqual([]);
  });

  it.each(NAMESPACES)('the file has no text in "%s" that English lacks', (namespace) => {
    const english = new Set([...textsOf('en', namespace).keys()].map(baseKey));
    expect([...textsOf(locale, namespace).keys()].filter((key) => !english.has(baseKey(key)))).toEqual([]);
  });

  it.each(NAMESPACES)('every plural in "%s" has the forms of the language', (namespace) => {
    const wrong = [...pluralForms(textsOf(locale, namespace))].filter(
      ([, forms]) => forms.join() !== categories.join(),
    );
    expect(wrong).toEqual([]);
    const english = pluralForms(textsOf('en', namespace));
    expect([...pluralForms(textsOf(locale, namespace)).keys()].filter((key) => !english.has(key))).toEqual(
      [],
    );
  });

  it.each(NAMESPACES)('the texts of "%s" have the placeholders of English', (namespace) => {
    const english = textsOf('en', namespace);
    const wrong = [...textsOf(locale, namespace)].filter(([key, text]) => {
      const original = english.get(key) ?? english.get(`${baseKey(key)}_other`) ?? '';
      // "One site" needs no number beside the word.
      const isSingular = /_(?:zero|one|two)$/.test(key);
      const left = placeholders(text).filter((one) => !(isSingular && one === '{{count}}'));
      const right = placeholders(original).filter((one) => !(isSingular && one === '{{count}}'));
      return left.join() !== right.join();
    });
    expect(wrong).toEqual([]);
  });
});
