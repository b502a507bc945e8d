import { deriveKey } from '../../secrets/derive-key.ts';
import { seal, unseal } from '../../secrets/seal.ts';
import { recoveryCodeHash } from './recovery-codes.ts';

/** Protects stored second factors with keys derived from the cloud's secret. */
export class FactorSecrets {
  readonly #totpKey: Buffer;
  readonly #recoveryKey: Buffer;
  /** Key of the user handles under which authenticators store passkeys. */
  readonly userHandleKey: Buffer;

  constructor(secret: string) {
    this.#totpKey = deriveKey(secret, 'authenticator apps');
    this.#recoveryKey = deriveKey(secret, 'recovery codes');
    this.userHandleKey = deriveKey(secret, 'passkey user handles');
  }

  sealTotp(secret: string): Buffer {
    return seal(this.#totpKey, Buffer.from(secret));
  }

  /** @throws Error when it was sealed under another secret of the cloud */
  openTotp(sealed: Buffer): string {
    return unseal(this.#totpKey, sealed).toString();
  }

  recoveryCodeHash(userId: number, code: string): Buffer {
    return recoveryCodeHash(this.#recoveryKey, userId, code);
  }
}
