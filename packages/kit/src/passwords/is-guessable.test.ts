import { expect, it } from 'vitest';
import { isGuessable } from './is-guessable.ts';

it.each([
  'Password1',
  'Password1a',
  'Password1Password',
  'Password1!Password2!',
  '\u0420\u0430ssword1',
  'P@ssw0rd!',
  'Pa$$word2026',
  '123Password',
  'PASSWORD-password-1',
  'Summer2026!',
  'Sunshine-1',
  'Qwerty123!',
  'Qwertz123',
  '1q2w3e4R',
  'Letmein1',
  'Passwort1',
  'Abc12345',
  'Aa123456!',
  '12345678',
  '11111111',
  'Aaaaaaa1',
  'Abcabcabc1',
  'Love1234',
])('%s is guessable: a breach or a pattern has it', (password) => {
  expect(isGuessable(password)).toBe(true);
});

it.each([
  'Correct-horse-7',
  'Right 1 horse',
  'tickle-Ranch_93',
  'x7K!9#2mQ',
  'x7K!9#Dragon2mQ',
  '7#9!Kx2$4',
  'Grüner Kaktus 4',
  'Καλοκαίρι-βουνό7',
  '我的太阳能电站很好Aa1',
])('%s is not guessable', (password) => {
  expect(isGuessable(password)).toBe(false);
});

const ADA = ['ada.lovelace@example.org', 'Ada', 'Lovelace', 'Zonnig Dak'];

it.each([
  'Lovelace-1815',
  'AdaLovelace1',
  'L0v3lace!',
  'Zonnigdak7',
  'Zonnig-Dak-7',
  'Ada-password-1',
  'Ada-Sunny-99',
])('%s is guessable for the account that it names', (password) => {
  expect(isGuessable(password, ADA)).toBe(true);
});

it.each(['Correct-horse-7', 'Ada-tickle-ranch-4', 'Canada-hills-7'])(
  '%s is not guessable, though it has a word of the account at most',
  (password) => {
    expect(isGuessable(password, ADA)).toBe(false);
  },
);
