import { generateSigningKey, type SigningKey, signingKeyFrom } from '@heliograph/wire';
import type { JWK } from 'jose';
import { generateIdentityKey, type IdentityKey, identityKeyFrom } from './identity-key.ts';
import type { KeyPurpose } from './schedule.ts';

export interface StorableKey {
  readonly kid: string;
  readonly privateJwk: JWK;
}

/** Generates the keys of one purpose, and restores them from the database. */
export interface KeyKind<Key extends StorableKey> {
  readonly purpose: KeyPurpose;
  generate(): Promise<Key>;
  restore(privateJwk: JWK): Promise<Key>;
}

export const SITE_KEYS: KeyKind<SigningKey> = {
  purpose: 'sites',
  generate: generateSigningKey,
  restore: signingKeyFrom,
};

export const IDENTITY_KEYS: KeyKind<IdentityKey> = {
  purpose: 'identity',
  generate: generateIdentityKey,
  restore: identityKeyFrom,
};
