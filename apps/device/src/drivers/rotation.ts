import { LinkDown } from '../bus/failures.ts';
import type { Entry } from './entries.ts';

/** A read of what hardly ever changes: identity, limits, settings. */
export interface SlowRead {
  /** Index of the unit that it is about. */
  readonly unit: number;
  /** @throws LinkDown when no trustworthy answer came */
  read(): Promise<readonly Entry[]>;
}

/**
 * Reads that are too many for every poll: one is made anew in each, in turn, and the others' last answers stand
 * in between. So none is older than as many polls as there are reads; one that fails is forgotten at once.
 */
export class Rotation {
  readonly #reads: readonly SlowRead[];
  readonly #answers: (readonly Entry[])[];
  #next = 0;

  private constructor(reads: readonly SlowRead[], answers: (readonly Entry[])[]) {
    this.#reads = reads;
    this.#answers = answers;
  }

  /** Makes every read once; what does not answer now is not part of it. */
  static async begin(reads: readonly SlowRead[]): Promise<Rotation> {
    const answering: SlowRead[] = [];
    const answers: (readonly Entry[])[] = [];
    for (const read of reads) {
      const entries = await answerOf(read);
      if (entries.length === 0) continue;
      answering.push(read);
      answers.push(entries);
    }
    return new Rotation(answering, answers);
  }

  /** Makes the read whose turn it is. */
  async turn(): Promise<void> {
    const read = this.#reads[this.#next];
    if (read === undefined) return;
    this.#answers[this.#next] = await answerOf(read);
    this.#next = (this.#next + 1) % this.#reads.length;
  }

  entriesOf(unit: number): readonly Entry[] {
    return this.#answers.filter((_, index) => this.#reads[index]?.unit === unit).flat();
  }
}

async function answerOf(read: SlowRead): Promise<readonly Entry[]> {
  try {
    return await read.read();
  } catch (error) {
    if (error instanceof LinkDown) return [];
    throw error;
  }
}
