import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

export interface SealedKey {
  readonly kid: string;
  readonly sealed: Buffer;
  readonly createdAt: Date;
}

export class KeyRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Every signing key, the newest first. */
  all(): Promise<SealedKey[]> {
    return selectKeys(this.#db);
  }

  /** Adds the first signing key, unless another process was faster. */
  async addFirst({ kid, sealed, createdAt }: SealedKey): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await sql`lock table signing_keys in share row exclusive mode`.execute(tx);
      if ((await selectKeys(tx)).length > 0) return;
      await tx
        .insertInto('signing_keys')
        .values({ kid, sealed_private_key: sealed, created_at: createdAt })
        .execute();
    });
  }
}

function selectKeys(db: Database): Promise<SealedKey[]> {
  return db
    .selectFrom('signing_keys')
    .select(['kid', 'sealed_private_key as sealed', 'created_at as createdAt'])
    .orderBy('created_at', 'desc')
    .execute();
}
