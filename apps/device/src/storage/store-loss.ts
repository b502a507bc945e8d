import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { KeyValueStore } from './key-value.ts';
import type { Salvage, TableSalvage } from './salvage.ts';

const KEY = 'store_loss';

/** Setting: since when the history is in the hours of energy, in milliseconds since the epoch. */
export const HOURS_REACHED = 'energy_hours_since';

const Gap = Type.Object({
  after: Type.Union([Type.Integer(), Type.Null()]),
  before: Type.Union([Type.Integer(), Type.Null()]),
  absent: Type.Optional(Type.Integer({ description: 'Hours between both that had no energy' })),
});

/** The data that a damaged database cost. */
const StoreLoss = Type.Object({
  /** Milliseconds since the epoch. */
  at: Type.Number(),
  /** Name of the damaged file; null where there was none. */
  file: Type.Union([Type.String(), Type.Null()]),
  /** Between which hours energy was lost, in milliseconds since the epoch; null: none was. */
  hours: Type.Union([Gap, Type.Null()]),
  settings: Type.Boolean({ description: 'Whether settings were lost' }),
  /** Entries of logs and alerts that were lost; null: their number is unknown. */
  entries: Type.Union([Type.Integer(), Type.Null()]),
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

  record(loss: StoreLoss): void {
    this.#store.set(KEY, JSON.stringify(loss));
    this.#current = loss;
  }

  /** @throws the store's error */
  dismiss(): void {
    this.#store.delete(KEY);
    this.#current = null;
  }
}

/** @param hasSettings whether a copy has the settings */
export function lossOf(salvage: Salvage, hasSettings: boolean): Omit<StoreLoss, 'at' | 'file'> {
  const { settings, energy_hours: hours, write_log: writes, audit_log: audits, alerts } = salvage;
  return {
    hours: hours.gap,
    settings: isIncomplete(settings) && !hasSettings,
    entries: sumOf([writes.lost, audits.lost, alerts.lost]),
  };
}

/** Nothing but the copy is left. */
export function totalLoss(hasSettings: boolean): Omit<StoreLoss, 'at' | 'file'> {
  return { hours: { after: null, before: null }, settings: !hasSettings, entries: null };
}

export function isIncomplete({ lost }: TableSalvage): boolean {
  return lost !== 0;
}

function sumOf(counts: readonly (number | null)[]): number | null {
  return counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);
}
