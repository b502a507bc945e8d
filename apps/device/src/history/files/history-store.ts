import type { DatabaseSync } from 'node:sqlite';
import { HistoryWriter } from '../history-writer.ts';
import { HistoryReader } from '../reading/history-reader.ts';
import { Retention } from './retention.ts';

/** The history's file, open. */
export class HistoryStore {
  readonly writer: HistoryWriter;
  readonly reader: HistoryReader;
  readonly retention: Retention;
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync, maxBytes: number) {
    this.#db = db;
    this.writer = new HistoryWriter(this.#db);
    this.reader = new HistoryReader(this.#db);
    this.retention = new Retention(this.#db, maxBytes);
  }

  close(): void {
    this.#db.close();
  }
}
