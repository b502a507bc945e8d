import type { Clock } from '@heliograph/kit';
import type { Snapshot } from '../poll/snapshot.ts';
import { Batch, MAX_BATCH_MS } from './columns/batch.ts';

/** A clock before this has not been set yet: what was read then has no place in time. */
const EARLIEST_BELIEVABLE_MS = Date.UTC(2026, 0, 1);

/** How many snapshots wait in memory while nothing can be written: an hour of polls every two seconds. */
const MAX_WAITING = 1_800;

/** A text that changes with every poll is no state: so many changes of one are kept a minute. */
const MAX_CHANGES = 6;

/** Longest text that is kept, in characters. */
const MAX_TEXT_LENGTH = 256;

/** Collects snapshots in memory until they are worth a write. */
export class Recorder {
  readonly #clock: Clock;
  #batches: Batch[] = [];
  /** The text that each topic had last; null while it is unknown. */
  readonly #texts = new Map<string, string | null>();
  #oldestAt: number | undefined;
  #latestAt = Number.NEGATIVE_INFINITY;
  #clockIsSet = true;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Batches not written yet, the oldest first. */
  get waiting(): readonly Batch[] {
    return this.#batches;
  }

  /** Whether the last snapshot had a place in time. */
  get clockIsSet(): boolean {
    return this.#clockIsSet;
  }

  /** @returns whether what waits should be written now, so that nothing waits for longer than a minute */
  record(snapshot: Snapshot): boolean {
    const { takenAt, sequence } = snapshot;
    this.#clockIsSet = takenAt >= EARLIEST_BELIEVABLE_MS;
    if (sequence === 0 || !this.#clockIsSet) return false;
    let batch = this.#batches.at(-1);
    if (batch === undefined || !batch.accepts(takenAt)) {
      batch = new Batch();
      this.#batches.push(batch);
    }
    batch.add(snapshot);
    this.#addChanges(batch, snapshot);

    const now = this.#clock.monotonic();
    const intervalMs = now - this.#latestAt;
    this.#latestAt = now;
    this.#oldestAt ??= now;
    return now + intervalMs - this.#oldestAt > MAX_BATCH_MS;
  }

  /** Everything that waited is on the disk. */
  written(): void {
    this.#batches = [];
    this.#oldestAt = undefined;
  }

  /**
   * It could not be written: it waits for the next time, unless it has become too much.
   *
   * @returns whether it was thrown away
   */
  postponed(): boolean {
    this.#oldestAt = this.#clock.monotonic();
    const waiting = this.#batches.reduce((sum, { times }) => sum + times.length, 0);
    if (waiting < MAX_WAITING) {
      this.#batches.push(new Batch());
      return false;
    }
    this.#batches = [];
    this.#texts.clear();
    return true;
  }

  #addChanges(batch: Batch, { takenAt, samples }: Snapshot): void {
    for (const [topic, { definition, value }] of samples) {
      if (typeof value === 'string' ? definition.group === 'Ignore' : value !== null) continue;
      const text = typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH) : null;
      const before = this.#texts.get(topic);
      if (text === before || (text === null && before === undefined)) continue;
      if (batch.changes.filter((change) => change.definition.topic === topic).length >= MAX_CHANGES) continue;
      batch.changes.push({ definition, at: takenAt, value: text });
      this.#texts.set(topic, text);
    }
  }
}
