import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  DEVICE_AUDIT_ACTIONS,
  DEVICE_AUDIT_OUTCOMES,
  type DeviceAuditAction,
  DeviceAuditEntry,
  type DeviceAuditOutcome,
} from '@heliograph/contracts';
import { Compile } from 'typebox/schema';
import { sqlList, storedJson, storedWord } from './stored-json.ts';

const CHANGES = Compile(DeviceAuditEntry.properties.changes);

/** One thing that was done to the device. */
export interface AuditRecord {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly action: DeviceAuditAction;
  readonly author: string;
  readonly via: string;
  /** The caller's; null for the device itself, and for many together. */
  readonly address: string | null;
  readonly subject: string | null;
  readonly changes: DeviceAuditEntry['changes'];
}

export interface StoredAuditRecord extends AuditRecord {
  readonly id: number;
  readonly outcome: DeviceAuditOutcome;
}

/** How many entries of each action are kept, so that one that comes often displaces no other; the oldest go first. */
const MAX_ENTRIES_OF_ACTION = 1_000;

/** The audit log of the device itself. An entry is `unknown` until its outcome is stored. */
export class AuditLog {
  readonly #insert: StatementSync;
  readonly #prune: StatementSync;
  readonly #finish: StatementSync;
  readonly #recent: StatementSync;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare(
      'INSERT INTO audit_log (at, action, author, via, address, subject, changes) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#prune = db.prepare(`
      DELETE FROM audit_log WHERE action = ?1 AND id <= (
        SELECT id FROM audit_log WHERE action = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${MAX_ENTRIES_OF_ACTION})`);
    this.#finish = db.prepare('UPDATE audit_log SET outcome = ? WHERE id = ?');
    this.#recent = db.prepare(
      `SELECT * FROM audit_log WHERE id < ? AND action IN ${sqlList(DEVICE_AUDIT_ACTIONS)} ORDER BY id DESC LIMIT ?`,
    );
  }

  /** @returns the entry's id, for {@link finish} */
  begin({ at, action, author, via, address, subject, changes }: AuditRecord): number {
    const values = [at, action, author, via, address, subject, JSON.stringify(changes)];
    const id = Number(this.#insert.run(...values).lastInsertRowid);
    this.#prune.run(action);
    return id;
  }

  finish(id: number, outcome: DeviceAuditOutcome): void {
    this.#finish.run(outcome, id);
  }

  /** The newest entries whose action is known, newest first. @param before only those with a lower id */
  recent(limit: number, before = Number.MAX_SAFE_INTEGER): readonly StoredAuditRecord[] {
    return this.#recent.all(before, limit).flatMap((row) => {
      const action = storedWord(row.action, DEVICE_AUDIT_ACTIONS);
      if (action === undefined) return [];
      return {
        id: Number(row.id),
        at: Number(row.at),
        action,
        author: String(row.author),
        via: String(row.via),
        address: row.address === null ? null : String(row.address),
        subject: row.subject === null ? null : String(row.subject),
        changes: storedJson(row.changes, CHANGES) ?? [],
        outcome: storedWord(row.outcome, DEVICE_AUDIT_OUTCOMES) ?? 'unknown',
      };
    });
  }
}
