import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { KeyPurpose, KeyTimes } from './schedule.ts';

export interface SealedKey extends KeyTimes {
  readonly purpose: KeyPurpose;
  readonly sealed: Buffer;
}

export class KeyRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  all(purpose: KeyPurpose, tx = this.#db): Promise<SealedKey[]> {
    return tx
      .selectFrom('signing_keys')
      .select([
        'kid',
        'purpose',
        'sealed_private_key as sealed',
        'created_at as createdAt',
        'signs_from as signsFrom',
      ])
      .where('purpose', '=', purpose)
      .execute();
  }

  /** Runs work under a lock of the whole table. */
  exclusively<T>(work: (tx: Database) => Promise<T>): Promise<T> {
    return this.#db.transaction().execute(async (tx) => {
      await sql`lock table signing_keys in share row exclusive mode`.execute(tx);
      return work(tx);
    });
  }

  async add(tx: Database, { kid, purpose, sealed, createdAt, signsFrom }: SealedKey): Promise<void> {
    await tx
      .insertInto('signing_keys')
      .values({ kid, purpose, sealed_private_key: sealed, created_at: createdAt, signs_from: signsFrom })
      .execute();
  }

  async replaceSealed(kid: string, from: Buffer, to: Buffer): Promise<void> {
    await this.#db
      .updateTable('signing_keys')
      .set({ sealed_private_key: to })
      .where('kid', '=', kid)
      .where('sealed_private_key', '=', from)
      .execute();
  }

  async startFrom(tx: Database, kid: string, signsFrom: Date): Promise<void> {
    await tx.updateTable('signing_keys').set({ signs_from: signsFrom }).where('kid', '=', kid).execute();
  }

  async remove(tx: Database, kid: string): Promise<void> {
    await tx.deleteFrom('signing_keys').where('kid', '=', kid).execute();
  }
}
