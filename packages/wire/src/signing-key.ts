import { createHash } from 'node:crypto';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';

/** The one signature algorithm of site tokens, tunnel tokens and device proofs. */
export const SIGNATURE_ALGORITHM = 'EdDSA';

/** An Ed25519 key pair with the id (`kid`) under which its public half is published. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

export async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(SIGNATURE_ALGORITHM, { crv: 'Ed25519', extractable: true });
  return signingKeyFrom(await exportJWK(privateKey));
}

/** Restores a key pair from its private JWK. */
export async function signingKeyFrom(privateJwk: JWK): Promise<SigningKey> {
  const { kty, crv, x } = privateJwk;
  const publicPart = { kty, crv, x } as JWK;
  const kid = await calculateJwkThumbprint(publicPart);
  const privateKey = (await importJWK(privateJwk, SIGNATURE_ALGORITHM)) as CryptoKey;
  return {
    kid,
    privateKey,
    privateJwk,
    publicJwk: { ...publicPart, kid, alg: SIGNATURE_ALGORITHM, use: 'sig' },
  };
}

const UID_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const UID_LENGTH = 20;

/**
 * A device's identifier: the first 100 bits of its public key's SHA-256, in base32. Because it follows from
 * the key, no device can enrol under the uid of another one.
 */
export function uidOf(publicJwk: JWK): string {
  const digest = createHash('sha256')
    .update(Buffer.from(publicJwk.x ?? '', 'base64url'))
    .digest();
  let bits = 0n;
  for (const byte of digest.subarray(0, 13)) bits = (bits << 8n) | BigInt(byte);
  bits >>= 4n;
  let uid = '';
  for (let i = UID_LENGTH - 1; i >= 0; i--) uid += UID_ALPHABET[Number((bits >> BigInt(i * 5)) & 31n)];
  return uid;
}
