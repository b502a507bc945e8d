import { type CloudSecret, type DerivedKeys, deriveKeys } from '../../common/secrets/derive-key.ts';
import { reseal, seal, unseal } from '../../common/secrets/seal.ts';
import { recoveryCodeHash } from './recovery-codes.ts';

/** Protects stored second factors with keys derived from the cloud's secret. */
export class FactorSecrets {
  readonly #totpKeys: DerivedKeys;
  readonly #recoveryKeys: DerivedKeys;
  /** Key of the user handles under which authenticators store passkeys. */
  readonly userHandleKey: Buffer;

  constructor(secret: CloudSecret) {
    this.#totpKeys = deriveKeys(secret, 'authenticator apps');
    this.#recoveryKeys = deriveKeys(secret, 'recovery codes');
    [this.userHandleKey] = deriveKeys(secret, 'passkey user handles');
  }

  sealTotp(secret: string): Buffer {
    return seal(this.#totpKeys, Buffer.from(secret));
  }

  /** @throws Error when it was sealed under another secret of the cloud */
  openTotp(sealed: Buffer): string {
    return unseal(this.#totpKeys, sealed).toString();
  }

  /** @returns undefined where the secret in use sealed it. @throws Error as `openTotp` does */
  resealTotp(sealed: Buffer): Buffer | undefined {
    return reseal(this.#totpKeys, sealed);
  }

  /** For a new code. */
  recoveryCodeHash(userId: number, code: string): Buffer {
    return recoveryCodeHash(this.#recoveryKeys[0], userId, code);
  }

  /** Each under which the code may be stored. */
  recoveryCodeHashes(userId: number, code: string): readonly Buffer[] {
    return this.#recoveryKeys.map((key) => recoveryCodeHash(key, userId, code));
  }
}
