/** Digits and punctuation that stand for letters, as people write them. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Fewer letters are no word: what surrounds them counts then. */
export const MIN_WORD_LENGTH = 4;

/**
 * The letters that a password is built around: in lower case, without what stands before and after them, and with
 * lookalikes read as letters. `P@ssw0rd2026!` is `password`.
 */
export function lettersOf(password: string): string {
  return password
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
    .replace(/[013457@$!]/g, (sign) => LOOKALIKES[sign] ?? '')
    .replace(/[^\p{L}]/gu, '');
}

/** Passwords are compared by their letters, or by letters and digits if there are hardly any letters. */
export function passwordKey(password: string): string {
  const letters = lettersOf(password);
  const key =
    [...letters].length >= MIN_WORD_LENGTH
      ? letters
      : password
          .normalize('NFKC')
          .toLowerCase()
          .replace(/[^\p{L}\p{N}]/gu, '');
  return /^(.{4,})\1+$/u.exec(key)?.[1] ?? key;
}
