import type { Database } from '../../db/open.ts';
import type { DerivedKeys } from '../../platform/secrets/derive-key.ts';
import { openContent, recordHash, sealContent } from './record-contents.ts';
import type { AuthorizationRecord, NewAuthorizationRecord } from './records.ts';

/**
 * Codes, interactions and browser sessions of the OAuth server. Their ids are secrets and their contents may be: ids are
 * stored as digests, contents sealed.
 */
export class RecordRepository {
  readonly #db: Database;
  readonly #sealingKeys: DerivedKeys;

  constructor(db: Database, sealingKeys: DerivedKeys) {
    this.#db = db;
    this.#sealingKeys = sealingKeys;
  }

  async save(
    { model, id, uid, grantId, payload, lifetimeS }: NewAuthorizationRecord,
    at: Date,
  ): Promise<void> {
    const content = {
      sealed: sealContent(this.#sealingKeys, payload),
      uid_hash: uid === undefined ? null : recordHash(uid),
      grant_id: grantId ?? null,
      expires_at: new Date(at.getTime() + lifetimeS * 1000),
    };
    await this.#db
      .insertInto('oauth_records')
      .values({ model, hash: recordHash(id), ...content })
      .onConflict((conflict) => conflict.columns(['model', 'hash']).doUpdateSet(content))
      .execute();
  }

  find(model: string, id: string, now: Date): Promise<AuthorizationRecord | undefined> {
    return this.#find(model, 'hash', id, now);
  }

  findByUid(model: string, uid: string, now: Date): Promise<AuthorizationRecord | undefined> {
    return this.#find(model, 'uid_hash', uid, now);
  }

  /** @returns false for an unknown or consumed record; of concurrent callers one gets true */
  async consume(model: string, id: string, at: Date): Promise<boolean> {
    const consumed = await this.#db
      .updateTable('oauth_records')
      .set({ consumed_at: at })
      .where('model', '=', model)
      .where('hash', '=', recordHash(id))
      .where('consumed_at', 'is', null)
      .returning('model')
      .executeTakeFirst();
    return consumed !== undefined;
  }

  async remove(model: string, id: string): Promise<void> {
    await this.#db
      .deleteFrom('oauth_records')
      .where('model', '=', model)
      .where('hash', '=', recordHash(id))
      .execute();
  }

  async #find(
    model: string,
    column: 'hash' | 'uid_hash',
    id: string,
    now: Date,
  ): Promise<AuthorizationRecord | undefined> {
    const record = await this.#db
      .selectFrom('oauth_records')
      .select(['sealed', 'consumed_at'])
      .where('model', '=', model)
      .where(column, '=', recordHash(id))
      .where('expires_at', '>', now)
      .executeTakeFirst();
    if (record === undefined) return undefined;
    return { payload: openContent(this.#sealingKeys, record.sealed), consumedAt: record.consumed_at };
  }
}
