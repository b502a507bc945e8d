import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { base32Characters } from '@heliograph/contracts/typed-text';

/** Crockford's base32: without I, L, O and U, so that no character is mistaken for another. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 6;
const GROUP_LENGTH = 5;

/** A new recovery code: 150 random bits as `XXXXX-XXXXX-…`, which opens the backups in the cloud and finds them. */
export function newRecoveryCode(): string {
  const characters = Array.from(randomBytes(GROUPS * GROUP_LENGTH), (byte) => ALPHABET[byte % 32]);
  return Array.from({ length: GROUPS }, (_, group) =>
    characters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  ).join('-');
}

/** The code as it is the passphrase: case, dashes and spaces do not matter, and letters count as the digits they look like. */
export function canonicalCode(typed: string): string {
  return base32Characters(typed);
}

/** The token with which the cloud finds the backups. It opens none of them: the key does not follow from it. */
export function fetchTokenOf(typed: string): string {
  const token = hkdfSync('sha256', canonicalCode(typed), '', 'heliograph backup fetch 1', 32);
  return Buffer.from(token).toString('base64url');
}

/** As the cloud stores it, in hexadecimal. */
export function fetchHashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
