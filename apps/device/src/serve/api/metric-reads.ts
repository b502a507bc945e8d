import { compileGlob } from '@heliograph/metrics';
import { EMPTY_SNAPSHOT, type Sample, type Snapshot, type SnapshotSource } from '../../poll/snapshot.ts';
import { fullRow, isSystem, metricRow } from '../stream/rows.ts';

/** How many different reads of one snapshot are remembered; clients ask the same few over and over. */
const REMEMBERED_READS = 64;

/** Answers reads from the latest snapshot. Each different read is serialised once per snapshot. */
export class MetricReads {
  readonly #snapshots: SnapshotSource;
  #snapshot: Snapshot = EMPTY_SNAPSHOT;
  readonly #answers = new Map<string, Buffer>();

  constructor(snapshots: SnapshotSource) {
    this.#snapshots = snapshots;
  }

  /** The rows whose topic matches the glob as a JSON array, with discovery fields on request. */
  rows(glob: string, discovery: boolean): Buffer {
    return this.#remembered(`${discovery ? 'd' : 'r'} ${glob}`, () =>
      this.#matching(glob).map(discovery ? fullRow : metricRow),
    );
  }

  /** The device's own rows as a JSON array, with discovery fields. */
  system(): Buffer {
    return this.#remembered('system', (snapshot) =>
      [...snapshot.samples.values()].filter(isSystem).map(fullRow),
    );
  }

  /** The value of the first match in the order of a read, as text: empty for an unknown one, undefined without a match. */
  text(glob: string): string | undefined {
    const [first] = this.#matching(glob);
    return first === undefined ? undefined : String(first.value ?? '');
  }

  #matching(glob: string): Sample[] {
    const { samples } = this.#snapshots.current;
    const exact = samples.get(glob);
    if (exact !== undefined) return [exact];
    const matches = compileGlob(glob);
    return [...samples.values()].filter((sample) => matches(sample.definition.topic));
  }

  #remembered(key: string, rowsOf: (snapshot: Snapshot) => readonly object[]): Buffer {
    const snapshot = this.#snapshots.current;
    if (snapshot !== this.#snapshot) {
      this.#snapshot = snapshot;
      this.#answers.clear();
    }
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = Buffer.from(JSON.stringify(rowsOf(snapshot)));
    if (this.#answers.size < REMEMBERED_READS) this.#answers.set(key, answer);
    return answer;
  }
}
