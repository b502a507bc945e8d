import type { UnitKind } from '@heliograph/metrics';
import type { Sample, Snapshot } from '../../poll/snapshot.ts';

/** The values of a snapshot by topic; what is not there is as unknown as what could not be read. */
export class SnapshotValues {
  readonly #samples: Snapshot['samples'];

  constructor({ samples }: Snapshot) {
    this.#samples = samples;
  }

  /** The topics of one device, such as `battery_1`, or of all. */
  samples(device?: string): readonly Sample[] {
    const all = [...this.#samples.values()];
    return device === undefined
      ? all
      : all.filter(({ definition }) => definition.topic.startsWith(`${device}/`));
  }

  /** The topic prefix of each unit of a kind, in their order: `inverter_1`, `inverter_2`. */
  devices(kind: UnitKind): readonly string[] {
    const ofKind = this.samples().filter(({ definition }) => definition.device === kind);
    return [...new Set(ofKind.map(({ definition: { topic } }) => topic.slice(0, topic.indexOf('/'))))];
  }

  has(topic: string): boolean {
    return this.#samples.has(topic);
  }

  number(topic: string): number | null {
    const value = this.#samples.get(topic)?.value;
    return typeof value === 'number' ? value : null;
  }

  text(topic: string): string | null {
    const value = this.#samples.get(topic)?.value;
    return typeof value === 'string' ? value : null;
  }
}

/** When the latest of these values was read, in milliseconds since the epoch; undefined while none was. */
export function lastReadAt(samples: readonly Sample[]): number | undefined {
  const latest = Math.max(0, ...samples.map(({ readAt }) => readAt));
  return latest === 0 ? undefined : latest;
}
