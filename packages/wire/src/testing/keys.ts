import { type CryptoKey, importJWK } from 'jose';
import type { KeySource } from '../jwks.ts';
import { SIGNATURE_ALGORITHM, type SigningKey } from '../signing-key.ts';

/** The public halves of the given keys, and how often one was asked for. */
export async function keysOf(...keys: readonly SigningKey[]): Promise<KeySource & { asked: number }> {
  const known = new Map<string, CryptoKey>();
  for (const { kid, publicJwk } of keys)
    known.set(kid, (await importJWK(publicJwk, SIGNATURE_ALGORITHM)) as CryptoKey);
  const keySource = {
    asked: 0,
    async find(kid: string): Promise<CryptoKey | undefined> {
      keySource.asked++;
      return known.get(kid);
    },
    knows: (kid: string): boolean => known.has(kid),
  };
  return keySource;
}
