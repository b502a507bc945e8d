import { type CloudSecret, type DerivedKeys, deriveKeys } from '../../common/secrets/derive-key.ts';
import { seal, unseal } from '../../common/secrets/seal.ts';

/** Keys that seal the secrets of authenticator apps. */
export function totpKeys(secret: CloudSecret): DerivedKeys {
  return deriveKeys(secret, 'authenticator apps');
}

export function sealTotp(secret: CloudSecret, totpSecret: string): Buffer {
  return seal(totpKeys(secret), Buffer.from(totpSecret));
}

/** @throws Error when it was sealed under another secret of the cloud */
export function openTotp(secret: CloudSecret, sealed: Buffer): string {
  return unseal(totpKeys(secret), sealed).toString();
}

/** Keys of the digests of recovery codes: the first one for new codes, each for codes that are stored. */
export function recoveryKeys(secret: CloudSecret): DerivedKeys {
  return deriveKeys(secret, 'recovery codes');
}

/** Key of the user handles under which authenticators store passkeys. */
export function userHandleKey(secret: CloudSecret): Buffer {
  const [key] = deriveKeys(secret, 'passkey user handles');
  return key;
}
