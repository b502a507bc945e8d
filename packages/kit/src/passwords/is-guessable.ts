import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { lettersOf, MIN_WORD_LENGTH, passwordKey } from './password-key.ts';

const COMMON_PASSWORDS = join(import.meta.dirname, 'common-passwords.txt.gz');

/** Shorter words of an account are parts of too many other words, in letters. */
const MIN_ACCOUNT_TERM_LENGTH = 3;

/** A few characters over and over, such as `Abcabcabc1`. */
const REPETITION = /^(.{1,3})\1+.{0,2}$/u;

/** Characters beside a common word that make no password of it. */
const MAX_OTHER_CHARACTERS = 4;

/** Cyrillic letters that look like Latin ones. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  А: 'A',
  В: 'B',
  Е: 'E',
  К: 'K',
  М: 'M',
  Н: 'H',
  О: 'O',
  Р: 'P',
  С: 'C',
  Т: 'T',
  Х: 'X',
  І: 'I',
};
const LOOKALIKE = new RegExp(`[${Object.keys(LOOKALIKES).join('')}]`, 'gu');

/** One key a line, read when it is first needed: a device that never sets a password never loads it. */
let commonKeys: string | undefined;

/**
 * Whether a guesser would try a password early: it is known from breaches, a few characters over and over, or made of
 * words of the account it is for, each also with digits and punctuation around it, in other cases, and with letters
 * written as digits.
 *
 * @param accountTerms such as the person's names and email address, and the name of the service
 */
export function isGuessable(password: string, accountTerms: readonly string[] = []): boolean {
  const latin = password.replaceAll(LOOKALIKE, (letter) => LOOKALIKES[letter] ?? letter);
  return isCommon(passwordKey(latin)) || isOneWord(latin) || isMadeOf(lettersOf(latin), accountTerms);
}

/** Whether a password is a common word, or the same one several times, and hardly anything else: `Password1a`. */
function isOneWord(password: string): boolean {
  const terms = password
    .toLowerCase()
    .split(/\P{L}+/u)
    .filter((word) => word.length >= MIN_WORD_LENGTH);
  const [word] = terms;
  if (word === undefined || terms.some((other) => other !== word)) return false;
  return password.length - terms.length * word.length <= MAX_OTHER_CHARACTERS && isCommon(word);
}

function isCommon(key: string): boolean {
  commonKeys ??= gunzipSync(readFileSync(COMMON_PASSWORDS)).toString();
  return key === '' || REPETITION.test(key) || commonKeys.includes(`\n${key}\n`);
}

/** Whether letters are nothing but own words, or own words with a common one. */
function isMadeOf(letters: string, accountTerms: readonly string[]): boolean {
  const terms = accountTerms
    .flatMap((text) => [...text.split(/[^\p{L}\p{N}]+/u), text].map(lettersOf))
    .filter((word) => [...word].length >= MIN_ACCOUNT_TERM_LENGTH)
    .toSorted((one, other) => other.length - one.length);
  const rest = terms.reduce((left, word) => left.replaceAll(word, ''), letters);
  return rest !== letters && ([...rest].length < MIN_WORD_LENGTH || isCommon(rest));
}
