import { type CryptoKey, importJWK, type JSONWebKeySet } from 'jose';
import { InvalidToken } from './invalid-token.ts';
import { SIGNATURE_ALGORITHM } from './signing-key.ts';

/** Finds the public key that a token names. */
export interface KeySource {
  /** @returns undefined when no such key is known, even after asking its origin again */
  find(kid: string): Promise<CryptoKey | undefined>;
  /** Whether a key is good as far as is known now, without asking anyone; for tokens that were verified before. */
  has(kid: string): boolean;
}

export interface JwksKeysOptions {
  /** Fetches the key set from its origin. */
  readonly fetch: () => Promise<JSONWebKeySet>;
  /** Called with every key set that was fetched, so that it can be kept for days without the origin. */
  readonly onFetched?: (keys: JSONWebKeySet) => void;
  /** A key set kept from before. */
  readonly initial?: JSONWebKeySet | undefined;
  /** Shortest time between two fetches, in milliseconds: an unknown `kid` must not become a request flood. */
  readonly minIntervalMs?: number;
  /**
   * A key set older than this, in milliseconds, is fetched again in the background when it is used; without it only
   * `refresh` and unknown keys make it be fetched.
   */
  readonly maxAgeMs?: number;
  readonly monotonic?: () => number;
}

/** A published key set, fetched when an unknown key is named and remembered otherwise. */
export class JwksKeys implements KeySource {
  readonly #options: JwksKeysOptions;
  #keys = new Map<string, CryptoKey>();
  #ready: Promise<void>;
  #fetching: Promise<void> | undefined;
  #lastFetch = Number.NEGATIVE_INFINITY;

  constructor(options: JwksKeysOptions) {
    this.#options = options;
    this.#ready = options.initial === undefined ? Promise.resolve() : this.#replace(options.initial);
  }

  async find(kid: string): Promise<CryptoKey | undefined> {
    await this.#ready;
    this.#refreshWhenOld();
    const known = this.#keys.get(kid);
    if (known !== undefined) return known;
    await this.refresh();
    return this.#keys.get(kid);
  }

  has(kid: string): boolean {
    this.#refreshWhenOld();
    return this.#keys.has(kid);
  }

  /** Fetches the key set unless that happened a moment ago; an origin out of reach leaves the keys as they are. */
  async refresh(): Promise<void> {
    const { minIntervalMs = 5_000 } = this.#options;
    if (this.#fetching === undefined && this.#sinceLastFetchMs() < minIntervalMs) return;
    this.#fetching ??= this.#fetch().finally(() => {
      this.#lastFetch = this.#now();
      this.#fetching = undefined;
    });
    await this.#fetching;
  }

  #refreshWhenOld(): void {
    const { maxAgeMs } = this.#options;
    if (maxAgeMs !== undefined && this.#sinceLastFetchMs() >= maxAgeMs) void this.refresh();
  }

  #sinceLastFetchMs(): number {
    return this.#now() - this.#lastFetch;
  }

  #now(): number {
    return this.#options.monotonic?.() ?? performance.now();
  }

  async #fetch(): Promise<void> {
    try {
      const keys = await this.#options.fetch();
      await this.#replace(keys);
      this.#options.onFetched?.(keys);
    } catch {
      // The origin is out of reach or answers nonsense: known keys stay good, unknown ones stay unknown.
    }
  }

  async #replace(set: JSONWebKeySet): Promise<void> {
    const keys = new Map<string, CryptoKey>();
    for (const jwk of set.keys) {
      if (jwk.kid === undefined || jwk.kty !== 'OKP') continue;
      keys.set(jwk.kid, (await importJWK(jwk, SIGNATURE_ALGORITHM)) as CryptoKey);
    }
    this.#keys = keys;
  }
}

/** @throws InvalidToken when a token names no key or an unknown one */
export async function keyFor(keys: KeySource, kid: string | undefined): Promise<CryptoKey> {
  const key = kid === undefined ? undefined : await keys.find(kid);
  if (key === undefined) throw new InvalidToken('unknown signing key');
  return key;
}
