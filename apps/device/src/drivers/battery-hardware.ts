import type { Clock } from '@heliograph/kit';
import type { MetricValue } from '@heliograph/metrics';
import { LinkDown } from '../bus/failures.ts';
import { batteryUnit } from './battery-unit.ts';
import { type Hardware, NotRecognised, type Reading, type Unit } from './driver.ts';
import { type Entry, hasNewQuantity, readingOf } from './entries.ts';
import { RequestRefused } from './frame-errors.ts';
import { Rotation, type SlowRead } from './rotation.ts';

/** How one battery is read. */
export interface BatteryReader {
  /**
   * The read of every poll without which there is no reading.
   *
   * @throws LinkDown, RequestRefused
   */
  status(): Promise<readonly Entry[]>;
  /** Further reads of every poll; one without an answer when the battery is opened is left out from then on. */
  readonly extras?: readonly ExtraRead[];
  /** Reads of constants, of which each poll repeats one. */
  readonly slow: readonly SlowRead[];
}

/** @throws LinkDown when no trustworthy answer came */
export type ExtraRead = () => Promise<readonly Entry[]>;

/** One battery that is only read. */
export class BatteryHardware implements Hardware {
  readonly units: readonly [Unit];
  readonly #reader: BatteryReader;
  readonly #extras: readonly ExtraRead[];
  readonly #rotation: Rotation;
  /** Read by the last poll itself, not in turn. */
  #polled: readonly Entry[];
  #needsReopen = false;

  private constructor(reader: BatteryReader, { extras, polled, rotation }: Opened) {
    this.#reader = reader;
    this.#extras = extras;
    this.#polled = polled;
    this.#rotation = rotation;
    this.units = [batteryUnit(merged(polled, rotation))];
  }

  /** @throws LinkDown when nothing answers, NotRecognised when the battery refuses its status */
  static async open(reader: BatteryReader, clock: Clock): Promise<BatteryHardware> {
    const polled = [...(await statusOf(reader, (message, cause) => new NotRecognised(message, { cause })))];
    const extras: ExtraRead[] = [];
    for (const read of reader.extras ?? []) {
      const first = await answerTo(read);
      // Left out for good by one answer that the line lost, it would be missing for as long as the device runs.
      const entries = first.length > 0 ? first : await answerTo(read);
      polled.push(...entries);
      if (entries.length > 0) extras.push(read);
    }
    const rotation = await Rotation.begin(reader.slow, clock);
    return new BatteryHardware(reader, { extras, polled, rotation });
  }

  get needsReopen(): boolean {
    return this.#needsReopen;
  }

  async poll(): Promise<readonly Reading[]> {
    const polled = [...(await statusOf(this.#reader, (message, cause) => new LinkDown(message, { cause })))];
    for (const read of this.#extras) polled.push(...(await answerTo(read)));
    this.#polled = polled;
    await this.#rotation.turn();
    const entries = merged(polled, this.#rotation);
    this.#needsReopen ||= hasNewQuantity(entries, this.units[0].quantities);
    return [readingOf(entries)];
  }

  readAt(unit: number, name: string): number | undefined {
    const isPolled = this.#polled.some(([quantity]) => quantity.name === name);
    return isPolled ? undefined : this.#rotation.readAt(unit, name);
  }

  async write(_unit: number, name: string): Promise<MetricValue> {
    throw new RangeError(`this battery has no setting ${name}`);
  }
}

interface Opened {
  readonly extras: readonly ExtraRead[];
  readonly polled: readonly Entry[];
  readonly rotation: Rotation;
}

/** The entries of poll and rotation; a value of the poll replaces an older one. */
function merged(polled: readonly Entry[], rotation: Rotation): readonly Entry[] {
  const named = new Set(polled.map(([{ name }]) => name));
  return [...polled, ...rotation.entriesOf(0).filter(([{ name }]) => !named.has(name))];
}

/** @throws LinkDown, and what `refused` makes of a refusal */
async function statusOf(
  reader: BatteryReader,
  refused: (message: string, cause: Error) => Error,
): Promise<readonly Entry[]> {
  try {
    return await reader.status();
  } catch (error) {
    throw error instanceof RequestRefused ? refused(error.message, error) : error;
  }
}

/** @returns none when nothing trustworthy answers */
async function answerTo(read: ExtraRead): Promise<readonly Entry[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LinkDown) return [];
    throw error;
  }
}
