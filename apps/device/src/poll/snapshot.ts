import type { MetricDefinition, MetricValue } from '@heliograph/metrics';
import type { NamedMeasured } from './totals/measured.ts';

/** A metric, its latest value and when that was read. */
export interface Sample {
  readonly definition: MetricDefinition;
  readonly value: MetricValue;
  /** Milliseconds since the epoch; 0 before the first reading. */
  readonly readAt: number;
  /** Whether the value is null because the last one that was read is too old to be true. */
  readonly stale: boolean;
  /** Whether nothing is known of it since the start, and may be soon: its connection has not been polled three times. */
  readonly awaited?: boolean;
  /** The last reading, while the value is stale; null where none is known. */
  readonly lastValue?: MetricValue;
}

/** A sample of what was measured; one that is stale keeps the last value of the sample before. */
export function sampleOf(
  { definition, value, readAt, stale = false, awaited }: NamedMeasured,
  before?: Sample,
): Sample {
  const sample = { definition, value, readAt, stale, ...(awaited && { awaited }) };
  if (!stale) return sample;
  return { ...sample, lastValue: (before?.stale === true ? before.lastValue : before?.value) ?? null };
}

/** Everything the device knows after one poll, frozen: no listener sees half a reading. */
export interface Snapshot {
  /** Grows by one with every poll; 0 until there was one. */
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
  /** By topic, in the order in which a read lists them. */
  readonly samples: ReadonlyMap<string, Sample>;
  /** Whether a connection has neither answered nor failed three times since the start: it may have more units. */
  readonly isStarting?: boolean;
  /** By unit, such as `inverter_1`, the connection behind which it is. */
  readonly connections?: ReadonlyMap<string, string>;
}

/** A source of snapshots for listeners; the publisher does not know them. */
export interface SnapshotSource {
  readonly current: Snapshot;
  /** Calls the listener after every poll. @returns what ends the subscription */
  subscribe(listener: (snapshot: Snapshot) => void): () => void;
}

export const EMPTY_SNAPSHOT: Snapshot = { sequence: 0, takenAt: 0, samples: new Map() };

/** Holds the latest snapshot and hands each new one to its listeners. */
export class SnapshotPublisher implements SnapshotSource {
  #current = EMPTY_SNAPSHOT;
  readonly #listeners = new Set<(snapshot: Snapshot) => void>();

  get current(): Snapshot {
    return this.#current;
  }

  publish(snapshot: Snapshot): void {
    this.#current = Object.freeze(snapshot);
    for (const listener of this.#listeners) listener(snapshot);
  }

  subscribe(listener: (snapshot: Snapshot) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
