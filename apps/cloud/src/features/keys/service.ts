import { type Clock, ConfigError } from '@heliograph/kit';
import {
  deriveSiteKey,
  generateSigningKey,
  type SigningKey,
  type SiteTokenClaims,
  signingKeyFrom,
  signSiteToken,
  signTunnelToken,
  siteKeyDigest,
  type TunnelTokenClaims,
} from '@heliograph/wire';
import { deriveKey } from '../../secrets/derive-key.ts';
import type { KeyRepository, SealedKey } from './repository.ts';
import { seal, unseal } from './secrets.ts';

/** The public keys, as `/.well-known/jwks.json` shows them. */
export interface PublishedKeys {
  readonly keys: readonly SigningKey['publicJwk'][];
}

/** The keys that the cloud signs with, and the tokens it signs for proxies and devices to verify offline. */
export class KeyService {
  readonly #repository: KeyRepository;
  readonly #clock: Clock;
  readonly #sealingKey: Buffer;
  readonly #siteSecret: Buffer;
  #keys: readonly SigningKey[] = [];

  constructor(repository: KeyRepository, secret: string, clock: Clock) {
    this.#repository = repository;
    this.#clock = clock;
    this.#sealingKey = deriveKey(secret, 'signing keys at rest');
    this.#siteSecret = deriveKey(secret, 'site keys');
  }

  /**
   * Loads the signing keys; makes the first one in a new database.
   *
   * @throws ConfigError when the secret is not the one that sealed them
   */
  async start(): Promise<void> {
    let sealed = await this.#repository.all();
    if (sealed.length === 0) {
      await this.#repository.addFirst(await this.#newKey());
      sealed = await this.#repository.all();
    }
    this.#keys = await Promise.all(sealed.map((key) => this.#open(key)));
  }

  published(): PublishedKeys {
    return { keys: this.#keys.map(({ publicJwk }) => publicJwk) };
  }

  /** A site's key and a token for it; the token carries the key's digest. */
  async authorizeSite(
    claims: Pick<SiteTokenClaims, 'siteId' | 'userId' | 'access'>,
    keyVersion: number,
  ): Promise<{ siteKey: string; token: string }> {
    const siteKey = deriveSiteKey(this.#siteSecret, claims.siteId, keyVersion);
    const keyDigest = siteKeyDigest(siteKey);
    const token = await signSiteToken(this.#signing(), { ...claims, keyDigest }, this.#clock.now());
    return { siteKey, token };
  }

  authorizeTunnel(claims: TunnelTokenClaims): Promise<string> {
    return signTunnelToken(this.#signing(), claims, this.#clock.now());
  }

  #signing(): SigningKey {
    const [newest] = this.#keys;
    if (newest === undefined) throw new Error('The key service has not started');
    return newest;
  }

  async #newKey(): Promise<SealedKey> {
    const { kid, privateJwk } = await generateSigningKey();
    const sealed = seal(this.#sealingKey, Buffer.from(JSON.stringify(privateJwk)));
    return { kid, sealed, createdAt: new Date(this.#clock.now()) };
  }

  async #open({ kid, sealed }: SealedKey): Promise<SigningKey> {
    let plain: Buffer;
    try {
      plain = unseal(this.#sealingKey, sealed);
    } catch {
      throw new ConfigError(`CLOUD_SECRET is not the one that sealed signing key ${kid} in this database`);
    }
    return signingKeyFrom(JSON.parse(plain.toString()));
  }
}
