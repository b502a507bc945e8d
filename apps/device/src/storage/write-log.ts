import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { WRITE_OUTCOMES, WRITE_REASONS, type WriteOutcome, type WriteReason } from '@heliograph/contracts';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { storedJson, storedWord } from './stored-json.ts';

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

/** A setting that the hardware changed along with another one; values as text. */
export interface AlsoChanged {
  readonly topic: string;
  readonly oldValue: string;
  readonly newValue: string;
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
  /** When the reading was made that corrected the outcome, in milliseconds since the epoch; null unless one did. */
  readonly settledAt: number | null;
  /** Whether later readings may still correct the outcome. */
  readonly isOpen: boolean;
  readonly alsoChanged: readonly AlsoChanged[];
  /** Of the unit that was written; null where that is not known. */
  readonly serialNumber: string | null;
}

/** An attempt before its end. */
export type NewWrite = Pick<WriteLogEntry, 'at' | 'author' | 'via' | 'topic' | 'oldValue' | 'newValue'> &
  Partial<Pick<WriteLogEntry, 'serialNumber'>>;

/** The end of an attempt. */
export interface WriteResult extends Pick<WriteLogEntry, 'outcome' | 'reason'> {
  /** Whether its request went to the line: a value in force already is not sent. */
  readonly isSent: boolean;
  /** Whether later readings may still correct it; false when left out. */
  readonly isOpen?: boolean;
  /** Whether the hardware refused it, so that only a reading that shows it in force all the same corrects it; false when left out. */
  readonly isRefused?: boolean;
}

const ALSO_CHANGED = Compile(
  Type.Array(Type.Object({ topic: Type.String(), oldValue: Type.String(), newValue: Type.String() })),
);

const COLUMNS = `id, at, author, via, topic, old_value AS oldValue, new_value AS newValue, outcome, reason,
  settled_at AS settledAt, is_open AS isOpen, also_changed AS alsoChanged, serial_number AS serialNumber`;

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
  readonly #oldValue: StatementSync;
  readonly #settle: StatementSync;
  readonly #close: StatementSync;
  readonly #alsoChanged: StatementSync;
  readonly #open: StatementSync;
  readonly #closeFormer: StatementSync;
  readonly #recent: StatementSync;
  readonly #sentBetween: StatementSync;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare(
      `INSERT INTO write_log (at, author, via, topic, old_value, new_value, serial_number, is_open)
        VALUES (?, ?, ?, ?, ?, ?, ?, 1)`,
    );
    this.#prune = db.prepare(
      'DELETE FROM write_log WHERE id <= (SELECT id FROM write_log ORDER BY id DESC LIMIT 1 OFFSET ?)',
    );
    this.#pruneUnsent = db.prepare(
      `DELETE FROM write_log WHERE sent = 0
        AND id <= (SELECT id FROM write_log WHERE sent = 0 ORDER BY id DESC LIMIT 1 OFFSET ?)`,
    );
    this.#finish = db.prepare(
      'UPDATE write_log SET outcome = ?, reason = ?, sent = ?, is_open = ? WHERE id = ?',
    );
    this.#oldValue = db.prepare('UPDATE write_log SET old_value = ? WHERE id = ?');
    this.#settle = db.prepare(
      'UPDATE write_log SET outcome = ?, reason = ?, settled_at = ?, is_open = 0 WHERE id = ?',
    );
    this.#close = db.prepare('UPDATE write_log SET is_open = 0 WHERE id = ? AND is_open = 1');
    this.#alsoChanged = db.prepare('UPDATE write_log SET also_changed = ? WHERE id = ?');
    this.#open = db.prepare(`SELECT ${COLUMNS} FROM write_log WHERE is_open = 1 ORDER BY id`);
    this.#closeFormer = db.prepare(
      `UPDATE write_log SET is_open = 0 WHERE is_open = 1 AND EXISTS (
        SELECT 1 FROM write_log AS newer
        WHERE newer.topic = write_log.topic AND newer.id > write_log.id AND newer.sent = 1)`,
    );
    this.#recent = db.prepare(`SELECT ${COLUMNS} FROM write_log WHERE id < ? ORDER BY id DESC LIMIT ?`);
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

  /** Stores an attempt that is about to be sent, on the disk. @returns its id, for {@link finish} */
  begin(attempt: NewWrite): number {
    const { at, author, via, topic, oldValue, newValue, serialNumber = null } = attempt;
    const { lastInsertRowid } = this.#insert.run(at, author, via, topic, oldValue, newValue, serialNumber);
    const id = Number(lastInsertRowid);
    this.#prune.run(MAX_ENTRIES);
    return id;
  }

  /** Corrects the value before by one that was read later, right before the write. */
  setOldValue(id: number, oldValue: string | null): void {
    this.#oldValue.run(oldValue, id);
  }

  finish(id: number, { outcome, reason, isSent, isOpen = false }: WriteResult): void {
    this.#finish.run(outcome, reason, isSent ? 1 : 0, isOpen ? 1 : 0, id);
    if (!isSent) this.#pruneUnsent.run(MAX_UNSENT);
  }

  /** Corrects the outcome by a later reading. @param at when that was made, in milliseconds since the epoch */
  settle(id: number, { outcome, reason }: Pick<WriteResult, 'outcome' | 'reason'>, at: number): void {
    this.#settle.run(outcome, reason, at, id);
  }

  /** Leaves the outcome as it is. */
  close(id: number): void {
    this.#close.run(id);
  }

  setAlsoChanged(id: number, changes: readonly AlsoChanged[]): void {
    this.#alsoChanged.run(changes.length === 0 ? null : JSON.stringify(changes), id);
  }

  /** Ends the corrections of attempts that were followed by a later one of their setting. */
  closeFormer(): void {
    this.#closeFormer.run();
  }

  /** Attempts whose outcome later readings may still correct, oldest first. */
  open(): readonly WriteLogEntry[] {
    return this.#open.all().map(entryOf);
  }

  /** The newest attempts, newest first. @param before only those with a lower id */
  recent(limit: number, before = Number.MAX_SAFE_INTEGER): readonly WriteLogEntry[] {
    return this.#recent.all(before, limit).map(entryOf);
  }
}

function entryOf(row: Record<string, SQLOutputValue>): WriteLogEntry {
  return {
    id: Number(row.id),
    at: Number(row.at),
    author: String(row.author),
    via: String(row.via),
    topic: String(row.topic),
    oldValue: row.oldValue === null ? null : String(row.oldValue),
    newValue: String(row.newValue),
    outcome: storedWord(row.outcome, WRITE_OUTCOMES) ?? 'unknown',
    reason: storedWord(row.reason, WRITE_REASONS) ?? null,
    settledAt: row.settledAt === null ? null : Number(row.settledAt),
    isOpen: row.isOpen === 1,
    alsoChanged: storedJson(row.alsoChanged, ALSO_CHANGED) ?? [],
    serialNumber: row.serialNumber === null ? null : String(row.serialNumber),
  };
}
