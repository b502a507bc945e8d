/**
 * Rebuilds the list of common passwords from lists of one password a line, the most common first:
 *
 *     node scripts/common-passwords.ts django-common-passwords.txt zxcvbn-passwords.txt
 *
 * `packages/kit/src/passwords/README.md` names the sources of the lists.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { MIN_WORD_LENGTH, passwordKey } from '../packages/kit/src/passwords/password-key.ts';

/** Shorter passwords are refused for their length. */
const MIN_PASSWORD_LENGTH = 8;

const keys = new Set<string>();
for (const file of process.argv.slice(2)) {
  for (const password of readFileSync(file, 'utf8').split('\n')) {
    const key = passwordKey(password);
    if (/^\p{L}+$/u.test(key) ? key.length >= MIN_WORD_LENGTH : key.length >= MIN_PASSWORD_LENGTH)
      keys.add(key);
  }
}
const text = `\n${[...keys].toSorted().join('\n')}\n`;
const target = new URL('../packages/kit/src/passwords/common-passwords.txt.gz', import.meta.url);
writeFileSync(target, gzipSync(text, { level: 9 }));
console.info(`${keys.size} keys, ${text.length} characters`);
