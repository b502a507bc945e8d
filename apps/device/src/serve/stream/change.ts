import type { Framing } from '@heliograph/wire';
import type { Sample, Snapshot } from '../../poll/snapshot.ts';
import { dataPush, definitionJson } from './encoding.ts';
import type { TopicFilter } from './topic-filter.ts';

/** The changes of one poll, and their encodings, which clients that want the same share. */
export class Change {
  /** Samples with a new value, introduced ones included. */
  readonly changed: readonly Sample[];
  /** Samples whose topic is new or is defined otherwise than before. */
  readonly introduced: readonly Sample[];
  readonly #matching = new Map<string, readonly Sample[]>();
  readonly #pushes = new Map<string, Buffer>();

  constructor(previous: Snapshot, next: Snapshot) {
    const samples = [...next.samples.values()].filter(isStreamed);
    this.introduced = samples.filter((sample) => {
      const before = previous.samples.get(sample.definition.topic);
      return before === undefined || !sameDefinition(before, sample);
    });
    const introduced = new Set(this.introduced);
    this.changed = samples.filter((sample) => {
      const before = previous.samples.get(sample.definition.topic);
      return introduced.has(sample) || before?.value !== sample.value || before.stale !== sample.stale;
    });
  }

  /** The changed samples that the filter asks for. */
  matching(filter: TopicFilter): readonly Sample[] {
    const known = this.#matching.get(filter.key);
    if (known !== undefined) return known;
    const matching = this.changed.filter(
      ({ definition }) => filter.intervalMs(definition.topic) !== undefined,
    );
    this.#matching.set(filter.key, matching);
    return matching;
  }

  /** The `data` push of everything that matches. */
  dataPush(filter: TopicFilter, framing: Framing, joinRef: string | null): Buffer {
    const key = `${framing} ${joinRef ?? ''} ${joinRef === null} ${filter.key}`;
    const known = this.#pushes.get(key);
    if (known !== undefined) return known;
    const encoded = Buffer.from(dataPush(this.matching(filter), framing, joinRef));
    this.#pushes.set(key, encoded);
    return encoded;
  }
}

/** The stream carries Status, Settings and Info; `Ignore` is left to REST reads. */
export function isStreamed(sample: Sample): boolean {
  return sample.definition.group !== 'Ignore';
}

function sameDefinition(before: Sample, after: Sample): boolean {
  return (
    before.definition === after.definition ||
    definitionJson(before.definition) === definitionJson(after.definition)
  );
}
