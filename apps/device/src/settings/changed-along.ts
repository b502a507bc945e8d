import type { Clock } from '@heliograph/kit';
import type { MetricValue } from '@heliograph/metrics';
import type { Snapshot } from '../poll/snapshot.ts';
import type { AlsoChanged } from '../storage/write-log.ts';

/** How long a change of another setting counts as one that came along, in milliseconds after the write. */
const ALONG_MS = 30_000;

/**
 * Settings that are read more rarely than this are not compared, in milliseconds. A change that is taken back within this
 * time was none: hardware that starts again after a write reports zeros meanwhile.
 */
const MAX_READING_AGE_MS = 10 * 60_000;

interface Known {
  readonly value: MetricValue;
  readonly readAt: number;
}

/** The settings of a unit around one write. */
interface Comparison {
  readonly id: number;
  /** The last values of the other settings, by topic; those that need no further look are gone. */
  readonly last: Map<string, Known>;
  /** The changes so far, by topic. */
  readonly changes: Map<string, AlsoChanged>;
  /** When the write ended, by the monotonic clock; undefined while it is under way. */
  endedAtMs: number | undefined;
  /** The one of the write before, which goes on if nothing was sent. */
  readonly former: Comparison | undefined;
}

/**
 * Finds the settings that hardware changes along with the one that was written: a mode that resets its schedule, say. A
 * reading is compared with the one before, until some time after the write or until the next write to the same unit.
 */
export class ChangedAlong {
  readonly #clock: Clock;
  readonly #onChange: (id: number, changes: readonly AlsoChanged[]) => void;
  /** By unit, such as `inverter_1`. */
  readonly #comparisons = new Map<string, Comparison>();

  /** @param onChange called with all changes that came along with a write so far, of which there may be none any more */
  constructor(clock: Clock, onChange: (id: number, changes: readonly AlsoChanged[]) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** @param id of the write, which is about to be sent */
  begin(id: number, topic: string, snapshot: Snapshot): void {
    const unit = unitOf(topic);
    const last = new Map<string, Known>();
    for (const [other, { definition, value, readAt }] of snapshot.samples) {
      if (definition.setting === undefined || other === topic || unitOf(other) !== unit) continue;
      if (value === null || this.#clock.now() - readAt > MAX_READING_AGE_MS) continue;
      last.set(other, { value, readAt });
    }
    const former = this.#comparisons.get(unit);
    this.#comparisons.set(unit, { id, last, changes: new Map(), endedAtMs: undefined, former });
  }

  /** @param wasTaken false for a write that certainly changed nothing */
  end(id: number, topic: string, wasTaken: boolean): void {
    const unit = unitOf(topic);
    const comparison = this.#comparisons.get(unit);
    if (comparison?.id !== id) return;
    if (wasTaken)
      this.#comparisons.set(unit, { ...comparison, endedAtMs: this.#clock.monotonic(), former: undefined });
    else if (comparison.former === undefined) this.#comparisons.delete(unit);
    else this.#comparisons.set(unit, comparison.former);
  }

  /** @param isExplained whether another write accounts for changes of a setting */
  compare(snapshot: Snapshot, isExplained: (topic: string) => boolean): void {
    for (const [unit, comparison] of this.#comparisons) {
      const { endedAtMs, last } = comparison;
      if (endedAtMs === undefined) continue;
      const sinceMs = this.#clock.monotonic() - endedAtMs;
      this.#compareUnit(comparison, snapshot, { isExplained, isLast: sinceMs >= ALONG_MS });
      if (last.size === 0 || sinceMs >= MAX_READING_AGE_MS) this.#comparisons.delete(unit);
    }
  }

  #compareUnit(
    { id, last, changes }: Comparison,
    { samples }: Snapshot,
    { isExplained, isLast }: { isExplained: (topic: string) => boolean; isLast: boolean },
  ): void {
    let isChanged = false;
    for (const [topic, known] of last) {
      const sample = samples.get(topic);
      if (sample === undefined || sample.value === null || sample.readAt === known.readAt) continue;
      const { value, readAt } = sample;
      const former = changes.get(topic);
      last.set(topic, { value, readAt });
      if (value !== known.value && !isExplained(topic)) {
        const [oldValue, newValue] = [former?.oldValue ?? String(known.value), String(value)];
        const isTakenBack = oldValue === newValue;
        if (isTakenBack) changes.delete(topic);
        else if (former === undefined || !isLast) changes.set(topic, { topic, oldValue, newValue });
        isChanged = true;
      }
      if (isLast && !changes.has(topic)) last.delete(topic);
    }
    if (isChanged) this.#onChange(id, [...changes.values()]);
  }
}

/** @example unitOf('inverter_1/work_mode') // inverter_1 */
function unitOf(topic: string): string {
  return topic.slice(0, topic.indexOf('/'));
}
