import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CounterSet } from '@heliograph/contracts';
import { defineMetric, quantities } from '@heliograph/metrics';
import { FLOWS } from '../flows.ts';

const COUNTERS = new Map(
  FLOWS.map(({ quantity: { name } }) => [
    defineMetric('totals', null, quantities.periodEnergy(name)).topic,
    name,
  ]),
);

/** When another energy period set the counters, and by how much: nothing of that is energy. */
export class CounterSets {
  readonly #insert: StatementSync;
  readonly #select: StatementSync;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare(
      'INSERT OR REPLACE INTO counter_sets (at, counter, from_kwh, to_kwh) VALUES (?, ?, ?, ?)',
    );
    this.#select = db.prepare(
      'SELECT at, from_kwh, to_kwh FROM counter_sets WHERE counter = ? AND at >= ? AND at < ? ORDER BY at',
    );
  }

  /** @param counter its name, such as "PV energy" @param atMs milliseconds since the epoch */
  add(counter: string, atMs: number, fromKwh: number, toKwh: number): void {
    this.#insert.run(Math.round(atMs), counter, fromKwh, toKwh);
  }

  /** Those of a topic in a time, in milliseconds since the epoch, in its order. */
  of(topic: string, fromMs: number, toMs: number): readonly CounterSet[] {
    const counter = COUNTERS.get(topic);
    if (counter === undefined) return [];
    return this.#select.all(counter, Math.ceil(fromMs), Math.ceil(toMs)).map(({ at, from_kwh, to_kwh }) => ({
      at: Number(at) / 1000,
      from: Number(from_kwh),
      to: Number(to_kwh),
    }));
  }
}
