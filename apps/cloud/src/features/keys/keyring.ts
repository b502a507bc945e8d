import { ConfigError } from '@heliograph/kit';
import { generateSigningKey, type SigningKey, signingKeyFrom } from '@heliograph/wire';
import type { KeyRepository, SealedKey } from './repository.ts';
import { type KeyTimes, type Scheduled, scheduleOf } from './schedule.ts';
import { seal, unseal } from '../../secrets/seal.ts';

type OpenKey = KeyTimes & SigningKey;

/** The signing keys of the database, opened: what was read last, and makes those that are missing. */
export class Keyring {
  readonly #repository: KeyRepository;
  readonly #sealingKey: Buffer;
  #keys: readonly OpenKey[] = [];

  constructor(repository: KeyRepository, sealingKey: Buffer) {
    this.#repository = repository;
    this.#sealingKey = sealingKey;
  }

  /** The keys that are published at a moment, in the order in which they sign. */
  published(nowMs: number): Scheduled<OpenKey>[] {
    return scheduleOf(this.#keys, nowMs).filter(({ state }) => state !== 'expired');
  }

  /**
   * Reads the keys again, after it made those that are missing: one that signs, and one that waits.
   *
   * @throws ConfigError when the secret is not the one that sealed them
   */
  async load(nowMs: number): Promise<void> {
    let sealed = await this.#repository.all();
    if (missing(sealed, nowMs).length > 0) {
      await this.#makeMissing(nowMs);
      sealed = await this.#repository.all();
    }
    const known = new Map(this.#keys.map((key) => [key.kid, key]));
    this.#keys = await Promise.all(
      sealed.map(async (key) => ({ ...(known.get(key.kid) ?? (await this.#open(key))), ...timesOf(key) })),
    );
  }

  /** One process makes a key while the others wait, and then find it. */
  #makeMissing(nowMs: number): Promise<void> {
    return this.#repository.exclusively(async (tx) => {
      for (const signsFrom of missing(await this.#repository.all(tx), nowMs)) {
        const { kid, privateJwk } = await generateSigningKey();
        const sealed = seal(this.#sealingKey, Buffer.from(JSON.stringify(privateJwk)));
        await this.#repository.add(tx, { kid, sealed, createdAt: new Date(nowMs), signsFrom });
      }
    });
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

/** From when on the missing keys are to sign. */
function missing(keys: readonly KeyTimes[], nowMs: number): (Date | null)[] {
  const signs = keys.some(({ signsFrom }) => signsFrom !== null);
  const waits = keys.some(({ signsFrom }) => signsFrom === null);
  return [...(signs ? [] : [new Date(nowMs)]), ...(waits ? [] : [null])];
}

function timesOf({ kid, createdAt, signsFrom }: KeyTimes): KeyTimes {
  return { kid, createdAt, signsFrom };
}
