import type { MetricDefinition } from '@heliograph/metrics';
import type { Snapshot } from '../../poll/snapshot.ts';
import { isKeepable } from './scale.ts';

/** One topic's numbers at the snapshots of a batch. */
export interface BatchColumn {
  readonly definition: MetricDefinition;
  /** By snapshot; NaN, or nothing at the end, where the value was unknown. */
  readonly values: number[];
}

/** A text that became another one; null when it became unknown. */
export interface StateChange {
  readonly definition: MetricDefinition;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly value: string | null;
}

/** The longest time between the first and the last snapshot of a batch, in milliseconds. */
export const MAX_BATCH_MS = 60_000;

/** Some snapshots after each other, topic by topic, as they are written to the disk. */
export class Batch {
  readonly times: number[] = [];
  readonly columns = new Map<string, BatchColumn>();
  readonly changes: StateChange[] = [];

  /** Milliseconds since the epoch. */
  get start(): number {
    return this.times[0] ?? 0;
  }

  get end(): number {
    return this.times.at(-1) ?? 0;
  }

  /** Whether a snapshot of this time can be added: time only rises in a batch, whatever the clock does. */
  accepts(atMs: number): boolean {
    return this.times.length === 0 || (atMs >= this.end && atMs - this.start <= MAX_BATCH_MS);
  }

  /** Adds the numbers of a snapshot, flags as 0 and 1; another one of the same millisecond replaces the last. */
  add({ takenAt, samples }: Snapshot): void {
    if (this.times.length === 0 || takenAt > this.end) this.times.push(takenAt);
    const index = this.times.length - 1;
    for (const { definition, value } of samples.values()) {
      const number = typeof value === 'boolean' ? Number(value) : value;
      if (typeof number !== 'number' || !isKeepable(number, definition.decimals ?? 0)) continue;
      if (definition.group === 'Ignore') continue;
      const values = this.#columnOf(definition).values;
      while (values.length < index) values.push(Number.NaN);
      values[index] = number;
    }
  }

  #columnOf(definition: MetricDefinition): BatchColumn {
    const { topic } = definition;
    let column = this.columns.get(topic);
    if (column === undefined) {
      column = { definition, values: [] };
      this.columns.set(topic, column);
    }
    return column;
  }
}
