import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { lettersOf, passwordKey, SHORTEST_WORD } from './password-key.ts';

/** Shorter words of an account are parts of too many other words, in letters. */
const SHORTEST_OWN_WORD = 3;

/** A few characters over and over, such as `Abcabcabc1`. */
const REPETITION = /^(.{1,3})\1+.{0,2}$/u;

/** One key a line, read when it is first needed: a device that never sets a password never loads it. */
let commonKeys: string | undefined;

/**
 * Whether a guesser would try a password early: it is known from breaches, a few characters over and over, or made of
 * words of the account it is for, each also with digits and punctuation around it, in other cases, and with letters
 * written as digits.
 *
 * @param ownWords such as the person's names and email address, and the name of the service
 */
export function isGuessable(password: string, ownWords: readonly string[] = []): boolean {
  return isCommon(passwordKey(password)) || isMadeOf(lettersOf(password), ownWords);
}

function isCommon(key: string): boolean {
  commonKeys ??= gunzipSync(readFileSync(new URL('common-passwords.txt.gz', import.meta.url))).toString();
  return key === '' || REPETITION.test(key) || commonKeys.includes(`\n${key}\n`);
}

/** Whether letters are nothing but own words, or own words with a common one. */
function isMadeOf(letters: string, ownWords: readonly string[]): boolean {
  const words = ownWords
    .flatMap((text) => [...text.split(/[^\p{L}\p{N}]+/u), text].map(lettersOf))
    .filter((word) => [...word].length >= SHORTEST_OWN_WORD)
    .toSorted((one, other) => other.length - one.length);
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), letters);
  return rest !== letters && ([...rest].length < SHORTEST_WORD || isCommon(rest));
}
