import { type Clock, type Logger, messageOf, wait } from '@heliograph/kit';
import {
  deriveSiteKey,
  type RelayTokenClaims,
  type SigningKey,
  type SiteTokenGrant,
  signRelayToken,
  signSiteToken,
  signTunnelToken,
  siteKeyDigest,
  type TunnelTokenClaims,
} from '@heliograph/wire';
import { type JWTPayload, SignJWT } from 'jose';
import { SERVICE } from '../access/caller.ts';
import { type CloudSecret, deriveKeys } from '../common/secrets/derive-key.ts';
import type { Database } from '../db/open.ts';
import { IDENTITY_ALGORITHM, type IdentityKey } from './identity-key.ts';
import { Keyring } from './keyring.ts';
import { IDENTITY_KEYS, SITE_KEYS } from './kinds.ts';
import { rotateKeysWhenDue } from './rotation.ts';
import { isDue } from './schedule.ts';

export { IDENTITY_ALGORITHM, type IdentityKey } from './identity-key.ts';

/** Interval at which each process reads keys that another one, or an operator, may have changed. */
const RELOAD_MS = 2_000;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The public keys for proxies and devices, as `/.well-known/jwks.json` shows them. */
export interface PublishedKeys {
  readonly keys: readonly SigningKey['publicJwk'][];
}

export interface SigningKeysOptions {
  readonly db: Database;
  /** The cloud's secret, from which the sealing key and all site keys are derived. */
  readonly secret: CloudSecret;
  /** Days after which the next key signs; 0: only when an operator rotates the keys. */
  readonly rotationDays: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The cloud's signing keys, and the tokens that others verify offline: proxies and devices verify tokens for sites,
 * applications id_tokens. Each of the two has keys of its own.
 */
export class SigningKeys {
  readonly #options: SigningKeysOptions;
  readonly #clock: Clock;
  readonly #siteKeys: Keyring<SigningKey>;
  readonly #identityKeys: Keyring<IdentityKey>;
  readonly #siteSecret: Buffer;
  readonly #stopping = new AbortController();
  #following: Promise<void> = Promise.resolve();

  constructor(options: SigningKeysOptions) {
    const { db, secret, clock } = options;
    this.#options = options;
    this.#clock = clock;
    const sealingKeys = deriveKeys(secret, 'signing keys at rest');
    this.#siteKeys = new Keyring(SITE_KEYS, db, sealingKeys);
    this.#identityKeys = new Keyring(IDENTITY_KEYS, db, sealingKeys);
    [this.#siteSecret] = deriveKeys(secret, 'site keys');
  }

  /**
   * Loads the signing keys; creates the first ones in a new database.
   *
   * @throws ConfigError when another secret sealed them
   */
  async start(): Promise<void> {
    for (const keyring of this.#keyrings()) await keyring.load(this.#clock.now());
  }

  /** From now on, reloads keys that change in the database, and rotates them when they are due. */
  follow(): void {
    this.#following = this.#follow(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
  }

  /** Seals with the cloud's secret in use what its accepted one sealed. @returns the number of keys */
  async reseal(): Promise<number> {
    let count = 0;
    for (const keyring of this.#keyrings()) count += await keyring.reseal();
    return count;
  }

  published(): PublishedKeys {
    return { keys: this.#siteKeys.published(this.#clock.now()).map(({ publicJwk }) => publicJwk) };
  }

  /** The published keys of id_tokens; the first one is the signing key. */
  identityKeys(): readonly IdentityKey[] {
    const published = this.#identityKeys.published(this.#clock.now());
    return published.toSorted((a, b) => Number(b.state === 'signing') - Number(a.state === 'signing'));
  }

  /** Changes whenever `identityKeys` has other keys, or another one first. */
  identityVersion(): string {
    return this.identityKeys()
      .map(({ kid }) => kid)
      .join('.');
  }

  /** Signs an id_token. @param claims all of them, the times included */
  signIdentity(claims: JWTPayload): Promise<string> {
    const { kid, privateKey } = this.#identityKeys.signing(this.#clock.now());
    return new SignJWT(claims)
      .setProtectedHeader({ alg: IDENTITY_ALGORITHM, typ: 'JWT', kid })
      .sign(privateKey);
  }

  /** A site's key and a token for it; the token carries the key's digest. */
  async authorizeSite(
    claims: Omit<SiteTokenGrant, 'keyDigest'>,
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

  /** A token with which one proxy relays requests to another one. */
  authorizeRelay(claims: RelayTokenClaims): Promise<string> {
    return signRelayToken(this.#signing(), claims, this.#clock.now());
  }

  #signing(): SigningKey {
    return this.#siteKeys.signing(this.#clock.now());
  }

  #keyrings() {
    return [this.#siteKeys, this.#identityKeys] as const;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    let isFailing = false;
    while (await wait(RELOAD_MS, signal)) {
      try {
        for (const keyring of this.#keyrings()) {
          await this.#rotateWhenDue(keyring);
          await keyring.load(this.#clock.now());
        }
        isFailing = false;
      } catch (error) {
        // The loaded keys remain valid during an outage of the database.
        if (!isFailing)
          this.#options.logger.warn({ reason: messageOf(error) }, 'reading the keys again failed');
        isFailing = true;
      }
    }
  }

  /** Checks the loaded keys first, so that the database is locked only when a rotation is due. */
  async #rotateWhenDue(keyring: Keyring<SigningKey> | Keyring<IdentityKey>): Promise<void> {
    const { rotationDays } = this.#options;
    if (rotationDays === 0) return;
    const maxAgeMs = rotationDays * DAY_MS;
    const nowMs = this.#clock.now();
    if (!isDue(keyring.published(nowMs), maxAgeMs, nowMs)) return;
    const { purpose } = keyring;
    const started = await rotateKeysWhenDue(this.#options, SERVICE, purpose, maxAgeMs);
    if (started !== undefined)
      this.#options.logger.info({ kid: started.kid, purpose }, 'another key signs from now on');
  }
}
