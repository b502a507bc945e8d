import { setImmediate } from 'node:timers/promises';
import { AppError } from '@heliograph/kit';

/** Answers that are worked on at a time: each takes some megabytes of memory. */
const MAX_CONCURRENT = 8;

/** Requests that may wait beyond those; clients behind more of them would give up first. */
const MAX_WAITING = 200;

/** Runs a few reads at a time, one per turn of the event loop: many of them delay polls no more than one. */
export class ReadScheduler {
  #working = 0;
  readonly #waiting: (() => void)[] = [];
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Does the work once there is a place for it.
   *
   * @throws HistoryBusy when too many wait already
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#working === MAX_CONCURRENT) await this.#place();
    else this.#working++;
    try {
      return await work();
    } finally {
      const nextTurn = this.#waiting.shift();
      if (nextTurn === undefined) this.#working--;
      else nextTurn();
    }
  }

  /** Resolves when earlier callers have had a turn of the event loop, and everything else one after that. */
  next(): Promise<unknown> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }

  #place(): Promise<void> {
    if (this.#waiting.length === MAX_WAITING) throw new HistoryBusy();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

class HistoryBusy extends AppError {
  constructor() {
    super('Too many ask for the history at once: try again later', {
      code: 'history_busy',
      status: 503,
      expose: true,
    });
  }
}
