import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complaintsAbout } from './password-rule.ts';

describe('a password', () => {
  it.each(['Abcdefg1', 'Abcdefg!', 'ABCDEFg ~', 'Correct-horse-7', 'Ünglaublich7', 'ЖжЖжЖж77', '𝔸aaaaaa7Z'])(
    '%s is good',
    (password) => {
      expect(complaintsAbout(password)).toEqual([]);
    },
  );

  it.each([
    ['', ["can't be blank"]],
    ['Abcde-7', ['must have at least 8 characters']],
    ['ABCDEFG7', ['must have a lower case letter']],
    ['abcdefg7', ['must have an upper case letter']],
    ['Abcdefgh', ['must have a digit or punctuation']],
    ['Abc defgh', ['must have a digit or punctuation']],
    ['12345678', ['must have a lower case letter', 'must have an upper case letter']],
    ['Aa7🌞🌞🌞🌞', ['must have at least 8 characters']],
  ])('%s is not: %s', (password, complaints) => {
    expect(complaintsAbout(password)).toEqual(complaints);
  });

  it('that is good stays good whatever is added', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
        expect(complaintsAbout(`${before}Abcdef-7${after}`)).toEqual([]);
      }),
    );
  });
});
