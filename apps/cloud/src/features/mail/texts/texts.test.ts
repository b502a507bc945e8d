import { LOCALES } from '@heliograph/contracts';
import { describe, expect, it } from 'vitest';
import { LINK_LIFETIMES_MS } from '../timing.ts';
import { fill, MAIL_TEXTS, type MailTexts } from './index.ts';

type Texts = { readonly [place: string]: string | Texts };

/** Every text with its place, such as `reset.subject`. */
function textsWithPlaces(texts: MailTexts | Texts, within = ''): [string, string][] {
  return Object.entries(texts).flatMap(([name, value]: [string, string | Texts]) =>
    typeof value === 'string'
      ? [[within + name, value] as [string, string]]
      : textsWithPlaces(value, `${within}${name}.`),
  );
}

const placeholdersOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
const ENGLISH = new Map(textsWithPlaces(MAIL_TEXTS.en));

describe.each(LOCALES)('mails in %s', (locale) => {
  const texts = textsWithPlaces(MAIL_TEXTS[locale]);

  it('mails have the texts and placeholders of the English ones', () => {
    expect(texts.map(([place]) => place)).toEqual([...ENGLISH.keys()]);
    for (const [place, text] of texts) {
      expect(text.trim(), place).toBe(text);
      expect(text, place).not.toBe('');
      expect(placeholdersOf(text), place).toEqual(placeholdersOf(ENGLISH.get(place) ?? ''));
    }
  });

  it('mails have the lifetime of their links', () => {
    const { confirmation, reset, invitation } = MAIL_TEXTS[locale];
    const hours = (ms: number) => ms / (60 * 60 * 1000);
    expect(confirmation.validity).toMatch(new RegExp(`\\b${hours(LINK_LIFETIMES_MS.confirm)}\\b`));
    expect(reset.validity).toMatch(new RegExp(`\\b${hours(LINK_LIFETIMES_MS.reset)}\\b`));
    expect(invitation.validity).toMatch(new RegExp(`\\b${hours(LINK_LIFETIMES_MS.invite) / 24}\\b`));
  });
});

it.each(LOCALES.filter((locale) => locale !== 'en'))('mails in %s are not in English', (locale) => {
  for (const [place, text] of textsWithPlaces(MAIL_TEXTS[locale])) {
    expect(text, place).not.toBe(ENGLISH.get(place));
  }
});

it('a name that looks like a placeholder is a name', () => {
  expect(fill('{a} and {b}', { a: '{b}', b: '$&' })).toBe('{b} and $&');
});
