import { expect, it } from 'vitest';
import { type Ingredient, missingIn } from './password-rule.ts';

it.each<[string, Ingredient[]]>([
  ['', ['length', 'lower', 'upper', 'other']],
  ['Ab3', ['length']],
  ['abcdefgh', ['upper', 'other']],
  ['ABCDEFG8', ['lower']],
  ['Abcdefg8', []],
  ['Abcdefg-', []],
  ['Ärger-ß1', []],
  ['A\nb-defg', []],
  ['😀😀😀aA1', ['length']],
])('in "%s" %j is missing', (password, missing) => {
  expect(missingIn(password)).toEqual(missing);
});
