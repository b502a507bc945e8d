import type { Clock } from '@heliograph/kit';
import { LinkDown } from '../bus/failures.ts';
import type { Entry } from './entries.ts';

/** A read of values that hardly ever change: identity, limits, settings. */
export interface SlowRead {
  /** Index of the unit that it is about. */
  readonly unit: number;
  /** @throws LinkDown when no trustworthy answer came */
  read(): Promise<readonly Entry[]>;
}

/**
 * Reads that are too many for every poll: each poll repeats one of them, in turn, and serves the last answers of the
 * others. No answer is older than as many polls as there are reads; the answer of a failed read is dropped at once.
 */
export class Rotation {
  readonly #clock: Clock;
  readonly #slots: readonly Slot[];
  readonly #byUnit: ReadonlyMap<number, readonly Slot[]>;
  #next = 0;

  private constructor(clock: Clock, slots: readonly Slot[]) {
    this.#clock = clock;
    this.#slots = slots;
    this.#byUnit = Map.groupBy(slots, ({ read }) => read.unit);
  }

  /**
   * Makes every read once; a read without an answer is left out for good.
   *
   * @param clock of the monotonic times that `readAt` returns
   */
  static async begin(reads: readonly SlowRead[], clock: Clock): Promise<Rotation> {
    const slots: Slot[] = [];
    for (const read of reads) {
      const answer = await answerTo(read, clock);
      if (answer.entries.length > 0) slots.push({ read, answer });
    }
    return new Rotation(clock, slots);
  }

  /** Makes the next read. */
  async turn(): Promise<void> {
    const slot = this.#slots[this.#next];
    if (slot === undefined) return;
    slot.answer = await answerTo(slot.read, this.#clock);
    this.#next = (this.#next + 1) % this.#slots.length;
  }

  entriesOf(unit: number): readonly Entry[] {
    return this.#slotsOf(unit).flatMap(({ answer }) => answer.entries);
  }

  /** When a value was read, in monotonic milliseconds; undefined for a name that no entry has. */
  readAt(unit: number, name: string): number | undefined {
    return this.#slotsOf(unit).findLast(({ answer }) => answer.names.has(name))?.answer.atMs;
  }

  #slotsOf(unit: number): readonly Slot[] {
    return this.#byUnit.get(unit) ?? [];
  }
}

interface Slot {
  readonly read: SlowRead;
  answer: Answer;
}

interface Answer {
  readonly entries: readonly Entry[];
  readonly names: ReadonlySet<string>;
  readonly atMs: number;
}

async function answerTo(read: SlowRead, clock: Clock): Promise<Answer> {
  const entries = await entriesOrNone(read);
  return { entries, names: new Set(entries.map(([{ name }]) => name)), atMs: clock.monotonic() };
}

async function entriesOrNone(read: SlowRead): Promise<readonly Entry[]> {
  try {
    return await read.read();
  } catch (error) {
    if (error instanceof LinkDown) return [];
    throw error;
  }
}
