import { createHmac, randomBytes } from 'node:crypto';
import { base32Characters } from '@heliograph/contracts/typed-text';

export const RECOVERY_CODE_COUNT = 10;

const CODE_LENGTH = 10;

/** Crockford's Base32: no letter looks like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Ten codes of 50 random bits, such as `4k2fz-9m0qc`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const letters = Array.from(randomBytes(CODE_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
    return `${letters.slice(0, CODE_LENGTH / 2)}-${letters.slice(CODE_LENGTH / 2)}`;
  });
}

/** Normalizes a typed code. @returns undefined for a text that cannot be one */
export function readRecoveryCode(typed: string): string | undefined {
  const letters = base32Characters(typed).toLowerCase();
  if (letters.length !== CODE_LENGTH || [...letters].some((letter) => !ALPHABET.includes(letter))) return;
  return `${letters.slice(0, CODE_LENGTH / 2)}-${letters.slice(CODE_LENGTH / 2)}`;
}

/**
 * A keyed digest for the database: 50 bits alone could be recovered from a leaked one by trying them all.
 *
 * @param key derived from the cloud's secret
 */
export function recoveryCodeHash(key: Buffer, userId: number, code: string): Buffer {
  return createHmac('sha256', key).update(`${userId} ${code}`).digest();
}
