import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

export interface ProxyCredentialRecord {
  readonly id: number;
  readonly proxyName: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly lastUsedFrom: string | null;
}

const COLUMNS = [
  'id',
  'proxy_name as proxyName',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
  'last_used_from as lastUsedFrom',
] as const;

/** Credentials of proxies, stored as digests. */
export class ProxyCredentialRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** A look-up by digest has no timing that depends on the credential. */
  find(hash: Buffer): Promise<ProxyCredentialRecord | undefined> {
    return this.#db
      .selectFrom('proxy_credentials')
      .select(COLUMNS)
      .where('hash', '=', hash)
      .executeTakeFirst();
  }

  async markUsed(id: number, at: Date, from: string | null): Promise<void> {
    await this.#db
      .updateTable('proxy_credentials')
      .set({ last_used_at: at, last_used_from: from })
      .where('id', '=', id)
      .execute();
  }

  /** By proxy, the oldest first. @param proxyName all proxies when left out */
  list(proxyName?: string, db = this.#db): Promise<ProxyCredentialRecord[]> {
    return db
      .selectFrom('proxy_credentials')
      .select(COLUMNS)
      .$if(proxyName !== undefined, (all) => all.where('proxy_name', '=', proxyName ?? ''))
      .orderBy(sql`proxy_name collate natural_order`)
      .orderBy('id')
      .execute();
  }

  /** Locks the table against changes until the transaction ends. */
  async lock(tx: Database): Promise<void> {
    await sql`lock table proxy_credentials in share row exclusive mode`.execute(tx);
  }

  /** @returns its id; undefined when there is one with the digest */
  async add(tx: Database, proxyName: string, hash: Buffer, at: Date): Promise<number | undefined> {
    const added = await tx
      .insertInto('proxy_credentials')
      .values({ proxy_name: proxyName, hash, created_at: at, last_used_at: null, last_used_from: null })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .returning('id')
      .executeTakeFirst();
    return added?.id;
  }

  /** @param id all of the proxy when left out @returns the ids of the deleted ones */
  async delete(tx: Database, proxyName: string, id?: number): Promise<number[]> {
    const deleted = await tx
      .deleteFrom('proxy_credentials')
      .where('proxy_name', '=', proxyName)
      .$if(id !== undefined, (all) => all.where('id', '=', id ?? 0))
      .returning('id')
      .execute();
    return deleted.map((credential) => credential.id);
  }
}
