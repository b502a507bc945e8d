import type { Database } from '../../db/open.ts';
import type { ProxyRecord } from './directory.ts';

export class ProxyRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  all(): Promise<ProxyRecord[]> {
    return this.#db
      .selectFrom('proxies')
      .select([
        'name',
        'region',
        'host',
        'url',
        'session_count as sessionCount',
        'announced_at as announcedAt',
      ])
      .execute();
  }

  async save({ name, region, host, url, sessionCount, announcedAt }: ProxyRecord): Promise<void> {
    const state = { region, host, url, session_count: sessionCount, announced_at: announcedAt };
    await this.#db
      .insertInto('proxies')
      .values({ name, ...state })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(state))
      .execute();
  }
}
