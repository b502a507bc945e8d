import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passwordErrors } from './password-rule.ts';

describe('passwordErrors', () => {
  it.each([
    'Vexquilt1',
    'Vexquilt!',
    'VEXQUILt ~',
    'Correct-horse-7',
    'Ünglaublich7',
    'ЖукЛюбит7',
    '𝔸vexqui7Z',
  ])('the password %s is accepted', (password) => {
    expect(passwordErrors(password)).toEqual([]);
  });

  it.each([
    ['', ["can't be blank"]],
    ['Abcde-7', ['must have at least 8 characters']],
    ['ABCDEFG7', ['must have a lower case letter']],
    ['abcdefg7', ['must have an upper case letter']],
    ['Abcdefgh', ['must have a digit or punctuation']],
    ['Abc defgh', ['must have a digit or punctuation']],
    ['12345678', ['must have a lower case letter', 'must have an upper case letter']],
    ['Aa7🌞🌞🌞🌞', ['must have at least 8 characters']],
  ])('the password %s is refused: %s', (password, complaints) => {
    expect(passwordErrors(password)).toEqual(complaints);
  });

  it.each([
    ['Password1', []],
    ['Summer2026!', []],
    ['Heliograph-2026', []],
    ['Lovelace-1815', ['ada@example.org', 'Ada', 'Lovelace']],
    ['Zonnig-Dak-7', ['Zonnig Dak']],
  ])('the password %s is too easy to guess', (password, personalTerms) => {
    expect(passwordErrors(password, personalTerms)).toEqual([expect.stringMatching(/^is too easy to guess/)]);
  });

  it('an accepted password with further characters is accepted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
        expect(passwordErrors(`${before}Vexquilt-7${after}`)).toEqual([]);
      }),
    );
  });
});
