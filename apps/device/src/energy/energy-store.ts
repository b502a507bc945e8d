import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EnergyState } from './ledger.ts';

/**
 * Keeps the energy state: one row, stored whole in one commit that is on the disk when `save` returns. With
 * the database's page of 1 KiB a commit writes 1,048 bytes to the write-ahead log: 45 MB a day at a poll every
 * two seconds, where pages of SQLite's usual 4 KiB would make it 178 MB.
 */
export class EnergyStore {
  readonly #select: StatementSync;
  readonly #upsert: StatementSync;

  constructor(db: DatabaseSync) {
    this.#select = db.prepare('SELECT state FROM energy');
    this.#upsert = db.prepare(
      'INSERT INTO energy (id, state) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET state = excluded.state',
    );
  }

  load(): EnergyState | undefined {
    const text = this.#select.get()?.state;
    return typeof text === 'string' ? (JSON.parse(text) as EnergyState) : undefined;
  }

  save(state: EnergyState): void {
    this.#upsert.run(JSON.stringify(state));
  }
}
