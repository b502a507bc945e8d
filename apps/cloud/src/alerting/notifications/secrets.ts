import { sql } from 'kysely';
import { type CloudSecret, type DerivedKeys, deriveKeys } from '../../common/secrets/derive-key.ts';
import { reseal, seal, unseal } from '../../common/secrets/seal.ts';
import type { Database } from '../../db/open.ts';
import { generatePushKeys, type PushKeyPair } from './web-push.ts';

/** A topic of an ntfy server. */
export interface NtfyChannel {
  readonly url: string;
  readonly token: string | null;
}

export interface TelegramChannel {
  readonly botToken: string;
  readonly chatId: string;
}

/** Keys and tokens of notifications, which must not be readable in the database. */
export class NotificationSecrets {
  readonly #keys: DerivedKeys;
  readonly #db: Database;
  /** As last read from the database. */
  #pushKeys: PushKeyPair | undefined;

  constructor(db: Database, secret: CloudSecret) {
    this.#db = db;
    this.#keys = deriveKeys(secret, 'notification channels');
  }

  sealChannel(channel: NtfyChannel | TelegramChannel | null): Buffer | null {
    return channel && seal(this.#keys, Buffer.from(JSON.stringify(channel)));
  }

  /** @returns undefined where no secret of this cloud sealed it: its owner must set it up again */
  unsealNtfy(sealed: Buffer): NtfyChannel | undefined {
    return this.#unsealed(sealed);
  }

  /** @returns undefined as `unsealNtfy` does */
  unsealTelegram(sealed: Buffer): TelegramChannel | undefined {
    return this.#unsealed(sealed);
  }

  #unsealed<Channel>(sealed: Buffer): Channel | undefined {
    const text = this.#open(sealed);
    return text === undefined ? undefined : JSON.parse(text.toString());
  }

  #open(sealed: Buffer): Buffer | undefined {
    try {
      return unseal(this.#keys, sealed);
    } catch {
      return undefined;
    }
  }

  /**
   * The keys of this service for push services, which all processes share; made at the first call.
   *
   * @returns undefined where no secret of this cloud sealed them, until a process starts
   */
  async pushKeys(): Promise<PushKeyPair | undefined> {
    const stored = (await this.#storedPushKeys()) ?? (await this.#makePushKeys());
    const { public_key: publicKey, sealed_private_key: sealed } = stored;
    // Another process may have replaced them.
    if (this.#pushKeys?.publicKey.equals(publicKey)) return this.#pushKeys;
    const privateKey = this.#open(sealed);
    this.#pushKeys = privateKey && { publicKey, privateKey };
    return this.#pushKeys;
  }

  #storedPushKeys() {
    return this.#db.selectFrom('push_keys').selectAll().executeTakeFirst();
  }

  async #makePushKeys() {
    const { publicKey, privateKey } = generatePushKeys();
    await this.#db
      .insertInto('push_keys')
      .values({ public_key: publicKey, sealed_private_key: seal(this.#keys, privateKey) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return this.#db.selectFrom('push_keys').selectAll().executeTakeFirstOrThrow();
  }

  /**
   * Makes other push keys where no secret of this cloud sealed those of the database, and ends the subscriptions, which are
   * bound to those. Only for a cloud whose secret has opened the signing keys: one that starts with a wrong secret would end the
   * subscriptions for nothing.
   *
   * @returns whether it did
   */
  async replaceUnreadablePushKeys(): Promise<boolean> {
    const stored = await this.#storedPushKeys();
    if (stored === undefined || this.#open(stored.sealed_private_key) !== undefined) return false;
    const { publicKey, privateKey } = generatePushKeys();
    // Of several processes that start, one replaces them.
    const { rows } = await sql`
      with replaced as (
        update push_keys set public_key = ${publicKey}, sealed_private_key = ${seal(this.#keys, privateKey)}
        where sealed_private_key = ${stored.sealed_private_key} returning only_one
      ), ended as (
        delete from push_subscriptions where exists (select from replaced)
      )
      select from replaced`.execute(this.#db);
    return rows.length > 0;
  }

  /** Seals with the secret in use what the accepted one sealed. @returns how many */
  async reseal(): Promise<number> {
    let count = 0;
    const { rows } = await sql<{ place: string; userId: number; sealed: Buffer }>`
      select 'sealed_private_key' as place, 0 as "userId", sealed_private_key as sealed from push_keys
      union all select 'sealed_ntfy', user_id, sealed_ntfy from notification_settings where sealed_ntfy is not null
      union all select 'sealed_telegram', user_id, sealed_telegram from notification_settings
        where sealed_telegram is not null`.execute(this.#db);
    for (const { place, userId, sealed } of rows) {
      const changed = reseal(this.#keys, sealed);
      if (changed === undefined) continue;
      count += 1;
      const of = place === 'sealed_private_key' ? sql`` : sql`and user_id = ${userId}`;
      const table = place === 'sealed_private_key' ? 'push_keys' : 'notification_settings';
      // A channel that was replaced meanwhile stays as it is.
      await sql`update ${sql.table(table)} set ${sql.ref(place)} = ${changed}
        where ${sql.ref(place)} = ${sealed} ${of}`.execute(this.#db);
    }
    return count;
  }
}
