import type { Clock } from '@heliograph/kit';
import type { MetricValue } from '@heliograph/metrics';
import { BATTERY } from '../battery-quantities.ts';
import type { Hardware, Reading, Unit } from '../driver.ts';
import { type Entry, hasNewQuantity, quantitiesOf, readingOf } from '../entries.ts';
import { Rotation, type SlowRead } from '../rotation.ts';

/** How a BMS is read, whichever of the two protocols it speaks. */
export interface JkReader {
  /** The read of every poll. @throws LinkDown */
  status(): Promise<readonly Entry[]>;
  readonly slow: readonly SlowRead[];
}

/** One BMS. Nothing is written: no source confirms that a write does what it should. */
export class JkHardware implements Hardware {
  readonly units: readonly [Unit];
  readonly #reader: JkReader;
  readonly #rotation: Rotation;
  #status: readonly Entry[];
  #needsReopen = false;

  private constructor(reader: JkReader, status: readonly Entry[], rotation: Rotation) {
    this.#reader = reader;
    this.#status = status;
    this.#rotation = rotation;
    const entries = merged(status, rotation);
    const model = entries.find(([quantity]) => quantity === BATTERY.modelName)?.[1];
    this.units = [
      {
        kind: 'batteries',
        model: typeof model === 'string' ? model : null,
        quantities: quantitiesOf(entries),
      },
    ];
  }

  /** @throws LinkDown */
  static async open(reader: JkReader, clock: Clock): Promise<JkHardware> {
    const status = await reader.status();
    return new JkHardware(reader, status, await Rotation.begin(reader.slow, clock));
  }

  get needsReopen(): boolean {
    return this.#needsReopen;
  }

  async poll(): Promise<readonly Reading[]> {
    this.#status = await this.#reader.status();
    await this.#rotation.turn();
    const entries = merged(this.#status, this.#rotation);
    this.#needsReopen ||= hasNewQuantity(entries, this.units[0].quantities);
    return [readingOf(entries)];
  }

  readAt(unit: number, name: string): number | undefined {
    const inStatus = this.#status.some(([quantity]) => quantity.name === name);
    return inStatus ? undefined : this.#rotation.readAt(unit, name);
  }

  async write(_unit: number, name: string): Promise<MetricValue> {
    throw new RangeError(`a JK BMS has no setting ${name} here`);
  }
}

/** The entries of status and rotation; a value of the status replaces an older one. */
function merged(status: readonly Entry[], rotation: Rotation): readonly Entry[] {
  const named = new Set(status.map(([{ name }]) => name));
  return [...status, ...rotation.entriesOf(0).filter(([{ name }]) => !named.has(name))];
}
