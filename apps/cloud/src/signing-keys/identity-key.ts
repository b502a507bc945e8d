import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';

/** The one signature algorithm of id_tokens. Applications verify them with libraries that may know RSA alone. */
export const IDENTITY_ALGORITHM = 'RS512';

/** The minimum of RFC 7518, section 3.3, in bits; a longer key costs the cloud several times as much per token. */
const MODULUS_LENGTH = 2048;

/** An RSA key pair with the id (`kid`) under which its public half is published. */
export interface IdentityKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  /** With `kid`, `alg` and `use`. */
  readonly privateJwk: JWK;
}

/** Generates a key in a fraction of a second, off the main thread. */
export async function generateIdentityKey(): Promise<IdentityKey> {
  const { privateKey } = await generateKeyPair(IDENTITY_ALGORITHM, {
    modulusLength: MODULUS_LENGTH,
    extractable: true,
  });
  return identityKeyFrom(await exportJWK(privateKey));
}

/** Restores a key pair from its private JWK. */
export async function identityKeyFrom(jwk: JWK): Promise<IdentityKey> {
  const kid = await calculateJwkThumbprint(jwk);
  const privateKey = (await importJWK(jwk, IDENTITY_ALGORITHM)) as CryptoKey;
  return { kid, privateKey, privateJwk: { ...jwk, kid, alg: IDENTITY_ALGORITHM, use: 'sig' } };
}
