import { LOCALES, tagOf } from '@heliograph/contracts';
import { describe, expect, it } from 'vitest';
import { readTexts, readTranslations, type TextTree } from './read-texts.ts';
import { missingTexts, withEnglish } from './with-english.ts';

const ENGLISH: TextTree = {
  save: 'Save',
  at_other: 'at another place',
  site: { name: 'Name', days_one: '{{count}} day', days_other: '{{count}} days' },
};
const POLISH = ['few', 'many', 'one', 'other'];

describe('a language', () => {
  it.each<[string, TextTree, TextTree, string[]]>([
    ['without any text is English', {}, {}, ['save', 'at', 'site.name', 'site.days']],
    ['keeps its texts', { save: 'Zapisz' }, { save: 'Zapisz' }, ['at', 'site.name', 'site.days']],
    [
      'keeps the other texts of a group',
      { site: { name: 'Nazwa' } },
      { site: { name: 'Nazwa' } },
      ['save', 'at', 'site.days'],
    ],
    [
      'keeps a number in its own forms alone',
      { site: { days_one: 'dzień', days_few: 'dni', days_many: 'dni', days_other: 'dnia' } },
      { site: { days_one: 'dzień', days_few: 'dni', days_many: 'dni', days_other: 'dnia' } },
      ['save', 'at', 'site.name'],
    ],
  ])('%s, and lacks the rest', (_case, own, expected, missing) => {
    const complete = withEnglish(own, ENGLISH, POLISH);
    expect(complete).toMatchObject(expected);
    expect(missingTexts(own, ENGLISH)).toEqual(missing);
    expect(missingTexts(complete, ENGLISH)).toEqual([]);
  });

  it('an English number has the forms of the language', () => {
    expect(withEnglish({}, ENGLISH, POLISH)['site']).toEqual({
      name: 'Name',
      days_one: '{{count}} day',
      days_few: '{{count}} days',
      days_many: '{{count}} days',
      days_other: '{{count}} days',
    });
  });

  it.each(LOCALES)('%s is read whole, with each text that it has itself', (locale) => {
    const texts = readTexts(locale);
    expect(missingTexts(texts, readTranslations('en'))).toEqual([]);
    expect(texts).toMatchObject(readTranslations(locale));
    const { pluralCategories } = new Intl.PluralRules(tagOf(locale)).resolvedOptions();
    expect(pluralCategories.length).toBeGreaterThan(0);
  });
});
