import type { DatabaseSync } from 'node:sqlite';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { KeyValueStore } from '../key-value.ts';
import type { Salvage, TableSalvage } from './salvage.ts';

const KEY = 'store_loss';

/** Setting: since when the history is in the hours of energy, in milliseconds since the epoch. */
export const HOURS_REACHED = 'energy_hours_since';

const Gap = Type.Object({
  after: Type.Union([Type.Integer(), Type.Null()]),
  before: Type.Union([Type.Integer(), Type.Null()]),
  absent: Type.Optional(Type.Integer({ description: 'Hours between both that had no energy' })),
});
const Kept = Type.Object({
  hours: Type.Integer(),
  days: Type.Integer(),
  entries: Type.Integer({ description: 'Of logs and alerts' }),
});

const Moment = Type.Union([Type.Integer(), Type.Null()]);

const Cause = Type.Enum(['damaged', 'unreadable', 'replaced']);

/** Why another database was needed; `unreadable`: the disk could not read a part of the former one. */
export type LossCause = Static<typeof Cause>;

/** The data that another database cost. Fields that a former release did not record are absent. */
const StoreLoss = Type.Object({
  /** Milliseconds since the epoch. */
  at: Type.Number(),
  cause: Type.Optional(Cause),
  /** Name of the former file; null where there was none. */
  file: Type.Union([Type.String(), Type.Null()]),
  /** Between which hours energy was lost, in milliseconds since the epoch; null: none was. */
  hours: Type.Union([Gap, Type.Null()]),
  /** Between which days totals were lost, in days since the epoch; null: none was. */
  days: Type.Optional(Type.Union([Gap, Type.Null()])),
  settings: Type.Boolean({ description: 'Whether settings were lost' }),
  /** Entries of logs and alerts that were lost; null: their number is unknown. */
  entries: Type.Union([Type.Integer(), Type.Null()]),
  /** Rows of the former database; absent: all of them were lost. */
  kept: Type.Optional(Kept),
  newIdentity: Type.Optional(Type.Boolean()),
  isUntried: Type.Optional(Type.Boolean({ description: 'The device has not started with it yet' })),
  /** Between which moments readings of the history were lost, in milliseconds since the epoch; null: from its beginning, to its end. */
  history: Type.Optional(Type.Object({ fromMs: Moment, untilMs: Moment })),
});
export type StoreLoss = Static<typeof StoreLoss>;

const STORED = Compile(StoreLoss);

/** For so long a loss is shown, in milliseconds. */
const SHOWN_MS = 30 * 24 * 60 * 60 * 1000;

/** The last loss, until the owner knows of it or restores a backup. */
export class StoreLosses {
  readonly #store: KeyValueStore;
  #current: StoreLoss | null;

  constructor(store: KeyValueStore, nowMs: number) {
    this.#store = store;
    const stored = store.json(KEY, STORED, null);
    this.#current = stored !== null && nowMs - stored.at > SHOWN_MS ? null : stored;
  }

  get current(): StoreLoss | null {
    return this.#current;
  }

  /** A loss of the history stays, which is in a file of its own. */
  record(loss: StoreLoss): void {
    const { history } = this.#current ?? {};
    this.#current = { ...(history === undefined ? {} : { history }), ...loss };
    this.#store.set(KEY, JSON.stringify(this.#current));
  }

  /** @throws the store's error */
  recordHistory(history: NonNullable<StoreLoss['history']>, cause: LossCause, nowMs: number): void {
    const none = { at: nowMs, cause, file: null, hours: null, settings: false, entries: 0 };
    this.record({ ...(this.#current ?? none), history });
  }

  /** The device runs with the store, which a further one therefore has the rows of. @throws the store's error */
  started(): void {
    if (this.#current?.isUntried !== true) return;
    const { isUntried: _, ...loss } = this.#current;
    this.record(loss);
  }

  /** @throws the store's error */
  dismiss(): void {
    if (this.#current === null) return;
    this.#store.delete(KEY);
    this.#current = null;
  }
}

type Lost = Pick<StoreLoss, 'hours' | 'days' | 'settings' | 'entries'>;

/** @param hasSettings whether a copy has the settings */
export function lossOf(salvage: Salvage, hasSettings: boolean): Lost {
  const {
    settings,
    energy_days: days,
    energy_hours: hours,
    write_log: writes,
    audit_log: audits,
    alerts,
  } = salvage;
  return {
    hours: hours.gap,
    days: days.gap,
    settings: isIncomplete(settings) && !hasSettings,
    entries: sumOf([writes.lost, audits.lost, alerts.lost]),
  };
}

/** Nothing but the copy is left. */
export function totalLoss(hasSettings: boolean): Lost {
  const all = { after: null, before: null };
  return { hours: all, days: all, settings: !hasSettings, entries: null };
}

/** The rows that a new database has of the former one. */
export function keptIn(db: DatabaseSync): Static<typeof Kept> {
  const count = (table: string): number =>
    Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
  return {
    hours: count('energy_hours'),
    days: count('energy_days'),
    entries: count('write_log') + count('audit_log') + count('alerts'),
  };
}

export function isIncomplete({ lost }: TableSalvage): boolean {
  return lost !== 0;
}

function sumOf(counts: readonly (number | null)[]): number | null {
  return counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);
}
