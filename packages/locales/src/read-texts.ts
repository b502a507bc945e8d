import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Locale, tagOf } from '@heliograph/contracts/locales';
import type en from './en.json';
import { withEnglish } from './with-english.ts';

/** Texts by key; a key with a plural has a text for each form that the language has. */
export interface TextTree {
  readonly [key: string]: string | TextTree;
}

/** Mails have no plurals, so every language has the keys of English. */
export type MailTexts = (typeof en)['mail'];

/** Sentences about alerts, of pages, mails and the device alike. */
export type AlertTexts = Pick<(typeof en)['alerts'], 'texts'>;

/** The texts of one language, by namespace. Pages load a namespace as a whole. */
export interface Texts {
  readonly mail: MailTexts;
  readonly alerts: AlertTexts;
  /** Of devices that send alerts by themselves. */
  readonly messages: (typeof en)['messages'];
  readonly site: Pick<(typeof en)['site'], 'metrics'>;
  readonly [namespace: string]: TextTree;
}

/** Reads and parses the file of a language, about 90 kB, and that of English for the texts that the language lacks. */
export function readTexts(locale: Locale): Texts {
  const english = readTranslations('en');
  if (locale === 'en') return english;
  const { pluralCategories } = new Intl.PluralRules(tagOf(locale)).resolvedOptions();
  // Every namespace of English is in it.
  return withEnglish(readTranslations(locale), english, pluralCategories) as Texts;
}

/** The file of a language alone. */
export function readTranslations(locale: Locale): Texts {
  return JSON.parse(readFileSync(join(import.meta.dirname, `${locale}.json`), 'utf8'));
}

/** Puts values in the place of `{{placeholders}}`. A value is never taken for a placeholder itself. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}
