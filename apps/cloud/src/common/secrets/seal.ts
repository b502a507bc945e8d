import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { DerivedKeys } from './derive-key.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts and authenticates with AES-256-GCM.
 *
 *     12 bytes nonce | 16 bytes tag | ciphertext
 */
export function seal([key]: DerivedKeys, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

/** @throws Error when it was sealed with none of the keys, or the bytes were changed */
export function unseal([used, ...accepted]: DerivedKeys, sealed: Buffer): Buffer {
  for (const [index, key] of [used, ...accepted].entries()) {
    try {
      return unsealWith(key, sealed);
    } catch (error) {
      if (index === accepted.length) throw error;
    }
  }
  throw new Error('there is no key');
}

/**
 * Seals with the used key what an accepted one sealed.
 *
 * @returns undefined where the used key sealed it, and where none of the keys did: others can be sealed again all the same
 */
export function reseal([used, ...accepted]: DerivedKeys, sealed: Buffer): Buffer | undefined {
  if (isSealedWith(used, sealed)) return undefined;
  const key = accepted.find((each) => isSealedWith(each, sealed));
  return key && seal([used], unsealWith(key, sealed));
}

function isSealedWith(key: Buffer, sealed: Buffer): boolean {
  try {
    unsealWith(key, sealed);
    return true;
  } catch {
    return false;
  }
}

function unsealWith(key: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}
