import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Logger } from '@heliograph/kit';
import { storedJson, type ValueSchema } from './stored-json.ts';

export interface KeyValueOptions {
  /** Called with the key of each changed fact and its text; undefined: it was deleted. */
  readonly onChange?: (key: string, value: string | undefined) => void;
  /** Called with each text that its reader found whole. */
  readonly onAccept?: (key: string, value: string) => void;
  /** The last text of a key that was written, from the copy beside the database. */
  readonly copied?: (key: string) => string | undefined;
  /** Called before each change. @throws where it must not be made */
  readonly checkChange?: (key: string) => void;
  readonly logger?: Logger;
}

/** Small facts that must survive a restart, as text by key. A `set` that returned is on the disk. */
export class KeyValueStore {
  readonly #select: StatementSync;
  readonly #upsert: StatementSync;
  readonly #remove: StatementSync;
  readonly #options: KeyValueOptions;
  readonly #reported = new Set<string>();

  constructor(db: DatabaseSync, options: KeyValueOptions = {}) {
    this.#options = options;
    this.#select = db.prepare('SELECT value FROM settings WHERE key = ?');
    this.#upsert = db.prepare(
      'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    );
    this.#remove = db.prepare('DELETE FROM settings WHERE key = ?');
  }

  /** The text as it is stored. Readers use {@link json} and {@link text}, which survive a damaged one. */
  get(key: string): string | undefined {
    const value = this.#select.get(key)?.value;
    return typeof value === 'string' ? value : undefined;
  }

  /**
   * Stored JSON; SQLite does not notice a bit that changed inside a text. A damaged value is replaced by its copy; without
   * one the fact begins again.
   *
   * @param fallback of a fact that is absent, or begins again
   */
  json<T, F>(key: string, schema: ValueSchema<T>, fallback: F): T | F {
    return this.#read(key, (text) => storedJson(text, schema), fallback);
  }

  /** A stored text that matches a pattern, as {@link json} has JSON. */
  text(key: string, pattern: RegExp): string | undefined {
    return this.#read(key, (text) => (pattern.test(text) ? text : undefined), undefined);
  }

  set(key: string, value: string): void {
    this.#options.checkChange?.(key);
    this.#upsert.run(key, value);
    this.#options.onChange?.(key, value);
  }

  delete(key: string): void {
    this.#options.checkChange?.(key);
    this.#remove.run(key);
    this.#options.onChange?.(key, undefined);
  }

  /** @param decode undefined: the text is damaged */
  #read<T, F>(key: string, decode: (text: string) => T | undefined, fallback: F): T | F {
    const { copied, onAccept, logger } = this.#options;
    const text = this.get(key);
    if (text === undefined) return fallback;
    const value = decode(text);
    if (value !== undefined) {
      onAccept?.(key, text);
      return value;
    }
    const copy = copied?.(key);
    const restored = copy === undefined ? undefined : decode(copy);
    if (copy !== undefined && restored !== undefined) {
      logger?.error({ key }, 'a stored fact is damaged and restored from its copy');
      this.#tryToSet(key, copy);
      return restored;
    }
    if (!this.#reported.has(key)) logger?.error({ key }, 'a stored fact is damaged and begins again');
    this.#reported.add(key);
    return fallback;
  }

  /** On a full disk the copy is read at the next start again. */
  #tryToSet(key: string, value: string): void {
    try {
      this.set(key, value);
    } catch {
      // The device reports a full disk elsewhere.
    }
  }
}
