import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { WriteOutcome, WriteReason } from '@heliograph/contracts';

/** A person of a support recovery session. */
export interface RecoveryAuthor {
  readonly sessionId: number;
  readonly userId: number;
}

/** The author of a write, for the log that the homeowner can read. */
export interface Author {
  /** `local` with the device password, `user 12` with a site token, `support: Ada, session 12`, `MQTT` and the broker's address. */
  readonly name: string;
  /** Of an author that a support recovery session lets in. */
  readonly recovery?: RecoveryAuthor | null;
  readonly via: 'lan' | 'proxy' | 'mqtt';
  /** Signed in at pages of the device or at the service; a program otherwise. */
  readonly isPerson?: boolean;
}

/** One attempt to change a setting of the hardware. */
export interface WriteLogEntry {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly author: string;
  readonly via: string;
  readonly topic: string;
  /** The value before, as text; null when it was not known. */
  readonly oldValue: string | null;
  readonly newValue: string;
  /** `unknown` from before it is sent until its end is known, so that this is what remains after a power cut. */
  readonly outcome: WriteOutcome;
  /** Null for `ok`, for a fault of the program and while the end is not known. */
  readonly reason: WriteReason | null;
}

/** The end of an attempt. */
export interface WriteResult extends Pick<WriteLogEntry, 'outcome' | 'reason'> {
  /** Whether its request went to the line: a value in force already is not sent. */
  readonly isSent: boolean;
}

/** How many attempts are kept; the oldest go first. */
const MAX_ENTRIES = 5_000;

/** How many of them may be attempts that were not sent: a program may make any number of these. */
const MAX_UNSENT = 1_000;

/** Setting changes with their authors, for the homeowner to read. Holds writes that were sent, not those refused unsent. */
export class WriteLog {
  readonly #insert: StatementSync;
  readonly #prune: StatementSync;
  readonly #pruneUnsent: StatementSync;
  readonly #finish: StatementSync;
  readonly #recent: StatementSync;
  readonly #sentBetween: StatementSync;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare(
      'INSERT INTO write_log (at, author, via, topic, old_value, new_value) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#prune = db.prepare(
      'DELETE FROM write_log WHERE id <= (SELECT id FROM write_log ORDER BY id DESC LIMIT 1 OFFSET ?)',
    );
    this.#pruneUnsent = db.prepare(
      `DELETE FROM write_log WHERE sent = 0
        AND id <= (SELECT id FROM write_log WHERE sent = 0 ORDER BY id DESC LIMIT 1 OFFSET ?)`,
    );
    this.#finish = db.prepare('UPDATE write_log SET outcome = ?, reason = ?, sent = ? WHERE id = ?');
    this.#recent = db.prepare(`
      SELECT id, at, author, via, topic, old_value AS oldValue, new_value AS newValue, outcome, reason
      FROM write_log WHERE id < ? ORDER BY id DESC LIMIT ?`);
    this.#sentBetween = db.prepare(
      `SELECT at, old_value, new_value FROM write_log
        WHERE topic = ? AND at > ? AND at < ? AND sent = 1 ORDER BY at`,
    );
  }

  /** Writes of a setting that were or may have been sent to the hardware between two moments; oldest first. */
  sentBetween(
    topic: string,
    after: number,
    before: number,
  ): readonly Pick<WriteLogEntry, 'at' | 'oldValue' | 'newValue'>[] {
    return this.#sentBetween.all(topic, after, before).map((row) => ({
      at: Number(row.at),
      oldValue: row.old_value === null ? null : String(row.old_value),
      newValue: String(row.new_value),
    }));
  }

  /** Stores an attempt that is about to be sent. @returns its id, for {@link finish} */
  begin(attempt: Omit<WriteLogEntry, 'id' | 'outcome' | 'reason'>): number {
    const { at, author, via, topic, oldValue, newValue } = attempt;
    const id = Number(this.#insert.run(at, author, via, topic, oldValue, newValue).lastInsertRowid);
    this.#prune.run(MAX_ENTRIES);
    return id;
  }

  finish(id: number, { outcome, reason, isSent }: WriteResult): void {
    this.#finish.run(outcome, reason, isSent ? 1 : 0, id);
    if (!isSent) this.#pruneUnsent.run(MAX_UNSENT);
  }

  /** The newest attempts, newest first. @param before only those with a lower id */
  recent(limit: number, before = Number.MAX_SAFE_INTEGER): readonly WriteLogEntry[] {
    return this.#recent.all(before, limit).map((row) => ({
      id: Number(row.id),
      at: Number(row.at),
      author: String(row.author),
      via: String(row.via),
      topic: String(row.topic),
      oldValue: row.oldValue === null ? null : String(row.oldValue),
      newValue: String(row.newValue),
      outcome: row.outcome as WriteOutcome,
      reason: row.reason as WriteReason | null,
    }));
  }
}
