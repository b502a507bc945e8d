import { expect, it } from 'vitest';
import { type PasswordRule, unmetRules } from './password-rules.ts';

it.each<[string, PasswordRule[]]>([
  ['', ['length', 'lower', 'upper', 'other']],
  ['Ab3', ['length']],
  ['abcdefgh', ['upper', 'other']],
  ['ABCDEFG8', ['lower']],
  ['Abcdefg8', []],
  ['Abcdefg-', []],
  ['Ärger-ß1', []],
  ['A\nb-defg', []],
  ['😀😀😀aA1', ['length']],
])('the password "%s" does not meet the rules %j', (password, missing) => {
  expect(unmetRules(password)).toEqual(missing);
});
