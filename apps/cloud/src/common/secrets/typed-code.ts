import { createHash, randomBytes } from 'node:crypto';
import { base32Characters } from '@heliograph/contracts/typed-text';

/** Crockford's base32: without I, L, O and U, so that no character is mistaken for another and codes spell no words. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** A new code for people to type: 100 random bits as `XXXXX-XXXXX-XXXXX-XXXXX`. */
export function newCode(): string {
  // 32 divides 256, so every character is as likely as any other.
  const characters = Array.from(randomBytes(GROUPS * GROUP_LENGTH), (byte) => ALPHABET[byte % 32]);
  return Array.from({ length: GROUPS }, (_, group) =>
    characters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  ).join('-');
}

/**
 * The stored digest of a code: SHA-256 of its characters. It is the same for any letter case, with dashes, spaces or
 * neither, and with letters that look like digits.
 */
export function codeHash(typed: string): Buffer {
  return createHash('sha256').update(base32Characters(typed)).digest();
}
