import { ConfigError } from '@heliograph/kit';
import type { DerivedKeys } from '../common/secrets/derive-key.ts';
import { reseal, seal, unseal } from '../common/secrets/seal.ts';
import type { Database } from '../db/open.ts';
import type { KeyKind, StorableKey } from './kinds.ts';
import { type SealedKey, selectKeys, withLockedKeys } from './records.ts';
import { type KeyPurpose, type KeyTimes, type Scheduled, scheduleOf } from './schedule.ts';

/** The keys of one purpose as last read from the database, unsealed; creates missing ones. */
export class Keyring<Key extends StorableKey> {
  readonly #kind: KeyKind<Key>;
  readonly #db: Database;
  readonly #sealingKeys: DerivedKeys;
  #keys: readonly (Key & KeyTimes)[] = [];

  constructor(kind: KeyKind<Key>, db: Database, sealingKeys: DerivedKeys) {
    this.#kind = kind;
    this.#db = db;
    this.#sealingKeys = sealingKeys;
  }

  get purpose(): KeyPurpose {
    return this.#kind.purpose;
  }

  /** The keys that are published at a moment, in the order of signing. */
  published(nowMs: number): Scheduled<Key & KeyTimes>[] {
    return scheduleOf(this.purpose, this.#keys, nowMs).filter(({ state }) => state !== 'expired');
  }

  /** @throws Error before the first load */
  signing(nowMs: number): Key {
    const signing = this.published(nowMs).find(({ state }) => state === 'signing');
    if (signing === undefined) throw new Error('The key service has not started');
    return signing;
  }

  /**
   * Reads the keys, after creating missing ones: one that signs, and a next one.
   *
   * @throws ConfigError when another secret sealed them
   */
  async load(nowMs: number): Promise<void> {
    let sealed = await selectKeys(this.#db, this.purpose);
    if (missing(sealed, nowMs).length > 0) {
      await this.#createMissing(nowMs);
      sealed = await selectKeys(this.#db, this.purpose);
    }
    const known = new Map(this.#keys.map((key) => [key.kid, key]));
    this.#keys = await Promise.all(
      sealed.map(async (key) => ({ ...(known.get(key.kid) ?? (await this.#open(key))), ...timesOf(key) })),
    );
  }

  /** Seals with the cloud's secret in use what its accepted one sealed. @returns the number of keys */
  async reseal(): Promise<number> {
    let count = 0;
    for (const { kid, sealed } of await selectKeys(this.#db, this.purpose)) {
      const resealed = reseal(this.#sealingKeys, sealed);
      if (resealed === undefined) continue;
      await this.#db
        .updateTable('signing_keys')
        .set({ sealed_private_key: resealed })
        .where('kid', '=', kid)
        .where('sealed_private_key', '=', sealed)
        .execute();
      count++;
    }
    return count;
  }

  /** One process creates a key; the others wait for the lock and then find it. */
  #createMissing(nowMs: number): Promise<void> {
    return withLockedKeys(this.#db, async (tx) => {
      const { purpose } = this;
      for (const signsFrom of missing(await selectKeys(tx, purpose), nowMs)) {
        const { kid, privateJwk } = await this.#kind.generate();
        const sealed = seal(this.#sealingKeys, Buffer.from(JSON.stringify(privateJwk)));
        await tx
          .insertInto('signing_keys')
          .values({
            kid,
            purpose,
            sealed_private_key: sealed,
            created_at: new Date(nowMs),
            signs_from: signsFrom,
          })
          .execute();
      }
    });
  }

  async #open({ kid, sealed }: SealedKey): Promise<Key> {
    let plain: Buffer;
    try {
      plain = unseal(this.#sealingKeys, sealed);
    } catch {
      throw new ConfigError(`CLOUD_SECRET is not the one that sealed signing key ${kid} in this database`);
    }
    return this.#kind.restore(JSON.parse(plain.toString()));
  }
}

/** The `signsFrom` of each missing key. */
function missing(keys: readonly KeyTimes[], nowMs: number): (Date | null)[] {
  const hasSigning = keys.some(({ signsFrom }) => signsFrom !== null);
  const hasNext = keys.some(({ signsFrom }) => signsFrom === null);
  return [...(hasSigning ? [] : [new Date(nowMs)]), ...(hasNext ? [] : [null])];
}

function timesOf({ kid, createdAt, signsFrom }: KeyTimes): KeyTimes {
  return { kid, createdAt, signsFrom };
}
