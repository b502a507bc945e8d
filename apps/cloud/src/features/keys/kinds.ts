import { generateSigningKey, type SigningKey, signingKeyFrom } from '@heliograph/wire';
import type { JWK } from 'jose';
import { generateIdentityKey, type IdentityKey, identityKeyFrom } from './identity-key.ts';
import type { KeyPurpose } from './schedule.ts';

/** What can be kept in the database. */
export interface StorableKey {
  readonly kid: string;
  readonly privateJwk: JWK;
}

/** How the keys of one purpose are made, and restored from what is kept of them. */
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
