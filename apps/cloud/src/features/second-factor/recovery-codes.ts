import { createHmac, randomBytes } from 'node:crypto';

/** How many an account gets at once. */
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

/** A code as it was made, from what a person typed. @returns undefined for what cannot be one */
export function readRecoveryCode(typed: string): string | undefined {
  const letters = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  if (letters.length !== CODE_LENGTH || [...letters].some((letter) => !ALPHABET.includes(letter))) return;
  return `${letters.slice(0, CODE_LENGTH / 2)}-${letters.slice(CODE_LENGTH / 2)}`;
}

/**
 * What is stored of a code. 50 bits can be tried out by whoever has the database, so the digest takes a key, too.
 *
 * @param key derived from the cloud's secret
 */
export function recoveryCodeHash(key: Buffer, userId: number, code: string): Buffer {
  return createHmac('sha256', key).update(`${userId} ${code}`).digest();
}
