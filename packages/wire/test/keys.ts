import { type CryptoKey, importJWK } from 'jose';
import type { KeySource } from '../src/jwks.ts';
import { SIGNATURE_ALGORITHM, type SigningKey } from '../src/signing-key.ts';

/** A key source of the public halves of the given keys that counts its lookups. */
export async function keySourceOf(...keys: readonly SigningKey[]): Promise<KeySource & { lookups: number }> {
  const publicKeys = new Map<string, CryptoKey>();
  for (const { kid, publicJwk } of keys)
    publicKeys.set(kid, (await importJWK(publicJwk, SIGNATURE_ALGORITHM)) as CryptoKey);
  const keySource = {
    lookups: 0,
    async find(kid: string): Promise<CryptoKey | undefined> {
      keySource.lookups++;
      return publicKeys.get(kid);
    },
    has: (kid: string): boolean => publicKeys.has(kid),
  };
  return keySource;
}
