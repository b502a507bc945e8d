import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import {
  ALERT_SEVERITIES,
  type AlertSeverity,
  CONDITION_KINDS,
  type ConditionKind,
  MetricValue as Value,
} from '@heliograph/contracts';
import type { MetricValue } from '@heliograph/metrics';
import { Compile } from 'typebox/schema';
import { inTransaction } from '../storage/database.ts';
import { sqlList, storedJson, storedWord } from '../storage/stored-json.ts';

const VALUE = Compile(Value);

/** An alert as it is stored; times in milliseconds since the epoch. */
export interface StoredAlert {
  readonly id: number;
  /** Rises with every change of any alert. */
  readonly revision: number;
  readonly rule: string;
  readonly kind: ConditionKind;
  readonly severity: AlertSeverity;
  readonly topic: string | null;
  readonly name: string | null;
  readonly detail: string | null;
  readonly value: MetricValue;
  readonly limit: number | null;
  readonly unit: string;
  readonly since: number;
  readonly raisedAt: number;
  readonly lastAt: number;
  readonly clearedAt: number | null;
  readonly acknowledgedAt: number | null;
  readonly acknowledgedBy: string | null;
  readonly times: number;
}

export type NewAlert = Omit<
  StoredAlert,
  'id' | 'revision' | 'clearedAt' | 'acknowledgedAt' | 'acknowledgedBy' | 'times'
>;
export type AlertChanges = Partial<
  Pick<
    StoredAlert,
    'value' | 'limit' | 'severity' | 'lastAt' | 'clearedAt' | 'acknowledgedAt' | 'acknowledgedBy' | 'times'
  >
>;

/** Of about 250 bytes each: half a megabyte. The oldest go first. */
const MAX_ALERTS = 2_000;

const COLUMNS = `id, revision, rule, kind, severity, topic, name, detail, value, limit_value AS "limit", unit, since,
  raised_at AS raisedAt, last_at AS lastAt, cleared_at AS clearedAt, acknowledged_at AS acknowledgedAt,
  acknowledged_by AS acknowledgedBy, times`;

/** Rows that can be read. */
const UNDAMAGED = `kind IN ${sqlList(CONDITION_KINDS)} AND severity IN ${sqlList(ALERT_SEVERITIES)}`;

/** The alerts of the device. A change that returned is on the disk. */
export class AlertStore {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #prune: StatementSync;
  readonly #one: StatementSync;
  readonly #recent: StatementSync;
  readonly #recentOpen: StatementSync;
  readonly #ofSubject: StatementSync;
  readonly #since: StatementSync;
  readonly #newest: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    const next = '(SELECT coalesce(max(revision), 0) + 1 FROM alerts)';
    this.#insert = db.prepare(`
      INSERT INTO alerts (revision, rule, kind, severity, topic, name, detail, value, limit_value, unit, since, raised_at, last_at)
      VALUES (${next}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#update = db.prepare(`
      UPDATE alerts SET revision = ${next}, severity = ?, value = ?, limit_value = ?, last_at = ?, cleared_at = ?,
        acknowledged_at = ?, acknowledged_by = ?, times = ? WHERE id = ?`);
    this.#prune = db.prepare('DELETE FROM alerts WHERE id <= ? AND cleared_at IS NOT NULL');
    this.#one = db.prepare(`SELECT ${COLUMNS} FROM alerts WHERE id = ?`);
    this.#recent = db.prepare(
      `SELECT ${COLUMNS} FROM alerts WHERE ${UNDAMAGED} AND id < ? ORDER BY id DESC LIMIT ?`,
    );
    this.#recentOpen = db.prepare(
      `SELECT ${COLUMNS} FROM alerts WHERE ${UNDAMAGED} AND cleared_at IS NULL AND id < ? ORDER BY id DESC LIMIT ?`,
    );
    this.#ofSubject = db.prepare(
      `SELECT ${COLUMNS} FROM alerts WHERE rule = ? AND topic IS ? AND detail IS ? ORDER BY id DESC LIMIT 1`,
    );
    this.#since = db.prepare(
      `SELECT ${COLUMNS} FROM alerts WHERE ${UNDAMAGED} AND revision > ? ORDER BY revision LIMIT ?`,
    );
    this.#newest = db.prepare('SELECT coalesce(max(revision), 0) AS revision FROM alerts');
  }

  insert(alert: NewAlert): StoredAlert {
    const { rule, kind, severity, topic, name, detail, value, limit, unit, since, raisedAt, lastAt } = alert;
    return inTransaction(this.#db, () => {
      const { lastInsertRowid } = this.#insert.run(
        rule,
        kind,
        severity,
        topic,
        name,
        detail,
        JSON.stringify(value),
        limit,
        unit,
        since,
        raisedAt,
        lastAt,
      );
      const id = Number(lastInsertRowid);
      this.#prune.run(id - MAX_ALERTS);
      return this.get(id) as StoredAlert;
    });
  }

  /** @returns undefined for an alert whose row is damaged, which stays as it is */
  update(id: number, changes: AlertChanges): StoredAlert | undefined {
    return inTransaction(this.#db, () => {
      const before = this.get(id);
      if (before === undefined) return undefined;
      const alert = { ...before, ...changes };
      this.#update.run(
        alert.severity,
        JSON.stringify(alert.value),
        alert.limit,
        alert.lastAt,
        alert.clearedAt,
        alert.acknowledgedAt,
        alert.acknowledgedBy,
        alert.times,
        id,
      );
      return this.get(id);
    });
  }

  get(id: number): StoredAlert | undefined {
    return alertOf(this.#one.get(id));
  }

  /** The newest alerts, newest first. @param before only those with a lower id */
  recent(limit: number, { before = Number.MAX_SAFE_INTEGER, open = false } = {}): readonly StoredAlert[] {
    return alertsOf((open ? this.#recentOpen : this.#recent).all(before, limit));
  }

  /** All that have not cleared, newest first. */
  open(): readonly StoredAlert[] {
    return alertsOf(this.#recentOpen.all(Number.MAX_SAFE_INTEGER, -1));
  }

  /** The newest alert of a rule about the same thing. */
  latest(rule: string, topic: string | null, detail: string | null): StoredAlert | undefined {
    return alertOf(this.#ofSubject.get(rule, topic, detail));
  }

  /** The alerts that changed after a revision, in the order of their changes. */
  changesSince(revision: number, limit: number): readonly StoredAlert[] {
    return alertsOf(this.#since.all(revision, limit));
  }

  get newestRevision(): number {
    return Number(this.#newest.get()?.revision);
  }
}

/** @returns undefined for a damaged row */
function alertOf(row: Row | undefined): StoredAlert | undefined {
  const kind = storedWord(row?.kind, CONDITION_KINDS);
  const severity = storedWord(row?.severity, ALERT_SEVERITIES);
  if (row === undefined || kind === undefined || severity === undefined) return undefined;
  return {
    id: Number(row.id),
    revision: Number(row.revision),
    rule: String(row.rule),
    kind,
    severity,
    topic: textOf(row.topic),
    name: textOf(row.name),
    detail: textOf(row.detail),
    value: storedJson(row.value, VALUE) ?? null,
    limit: numberOf(row.limit),
    unit: String(row.unit),
    since: Number(row.since),
    raisedAt: Number(row.raisedAt),
    lastAt: Number(row.lastAt),
    clearedAt: numberOf(row.clearedAt),
    acknowledgedAt: numberOf(row.acknowledgedAt),
    acknowledgedBy: textOf(row.acknowledgedBy),
    times: Number(row.times),
  };
}

type Row = Record<string, SQLOutputValue>;

function alertsOf(rows: readonly Row[]): readonly StoredAlert[] {
  return rows.flatMap((row) => alertOf(row) ?? []);
}

function textOf(value: SQLOutputValue | undefined): string | null {
  return value == null ? null : String(value);
}

function numberOf(value: SQLOutputValue | undefined): number | null {
  return value == null ? null : Number(value);
}
