import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Small facts that must survive a restart, as text by key. A `set` that returned is on the disk. */
export class KeyValueStore {
  readonly #select: StatementSync;
  readonly #upsert: StatementSync;
  readonly #remove: StatementSync;
  readonly #onChange: (key: string) => void;

  /** @param onChange called with the key of each changed fact */
  constructor(db: DatabaseSync, onChange: (key: string) => void = () => undefined) {
    this.#onChange = onChange;
    this.#select = db.prepare('SELECT value FROM settings WHERE key = ?');
    this.#upsert = db.prepare(
      'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    );
    this.#remove = db.prepare('DELETE FROM settings WHERE key = ?');
  }

  get(key: string): string | undefined {
    const value = this.#select.get(key)?.value;
    return typeof value === 'string' ? value : undefined;
  }

  set(key: string, value: string): void {
    this.#upsert.run(key, value);
    this.#onChange(key);
  }

  delete(key: string): void {
    this.#remove.run(key);
    this.#onChange(key);
  }
}
