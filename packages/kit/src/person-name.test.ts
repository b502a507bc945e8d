import { describe, expect, it } from 'vitest';
import { fullName, hasFamilyNameFirst, personName } from './person-name.ts';

describe('personName', () => {
  it.each([
    ['Ada', 'Lovelace', 'Ada Lovelace'],
    ['Ada', '', 'Ada'],
    ['', 'Lovelace', 'Lovelace'],
    ['', '', 'ada@example.org'],
    [' ', ' ', 'ada@example.org'],
  ])('the person "%s" "%s" is shown as %s', (first_name, last_name, shown) => {
    expect(personName({ first_name, last_name, email: 'ada@example.org' })).toBe(shown);
  });
});

describe('fullName', () => {
  it.each([
    ['Ada', 'Lovelace', 'en', 'Ada Lovelace'],
    ['小明', '王', 'zh_CN', '王小明'],
    ['小明', '王', 'zh-TW', '王小明'],
    ['小明', '王', 'de', '王小明'],
    ['Ada', 'Lovelace', 'zh_CN', 'Ada Lovelace'],
    ['Péter', 'Kovács', 'hu', 'Kovács Péter'],
    ['Péter', 'Kovács', 'de', 'Péter Kovács'],
    ['Văn An', 'Nguyễn', 'vi', 'Nguyễn Văn An'],
    ['', 'Nguyễn', 'vi', 'Nguyễn'],
    ['Olena', 'Шевченко', 'uk', 'Olena Шевченко'],
    ['Олена', 'Шевченко', 'zh_CN', 'Олена Шевченко'],
    ['Олена', 'Шевченко', 'hu', 'Олена Шевченко'],
    ['Ελένη', 'Παππά', 'vi', 'Ελένη Παππά'],
    ['ليلى', 'حداد', 'zh_TW', 'ليلى حداد'],
    ['小明', '王', 'hu', '王小明'],
    ['David', '王', 'zh_CN', 'David 王'],
    ['Anne-Marie', "O'Neil", 'hu', "O'Neil Anne-Marie"],
    ['철수', '김', 'en', '김철수'],
    ['さくら', '山田', 'de', '山田さくら'],
    ['アダ', 'ラブレス', 'en', 'アダ ラブレス'],
    ['アダ', 'ラブレス', 'zh_CN', 'アダ ラブレス'],
    ['', '王', 'zh_CN', '王'],
  ])('the names "%s" and "%s" in %s are %s', (first_name, last_name, locale, shown) => {
    expect(fullName({ first_name, last_name }, locale)).toBe(shown);
  });

  it('forms have the family name first where names have', () => {
    const locales = ['en', 'hu', 'vi', 'zh-CN', 'zh_TW', 'de'];
    expect(locales.filter(hasFamilyNameFirst)).toEqual(['hu', 'vi', 'zh-CN', 'zh_TW']);
  });

  it('the full name of a person without names is empty', () => {
    expect(fullName({ first_name: '', last_name: '' })).toBe('');
  });
});
