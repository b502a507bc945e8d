import { availableParallelism } from 'node:os';
import { Unavailable } from '../errors.ts';

/** libuv's threads; hashing shares them with files and name look-ups (https://docs.libuv.org/en/v1.x/threadpool.html). */
const POOL_SIZE = Number(process.env.UV_THREADPOOL_SIZE ?? 4);

/** Waiting calls per running one. A hash takes some 20 ms, so the last call waits a few seconds. */
const WAITING_PER_RUNNING = 100;

/** Retry-After of a full queue, in seconds. */
const FULL_RETRY_S = 2;

/**
 * Limits concurrency, first in, first out. Passwords are hashed on libuv's threads: more at once than cores gain
 * nothing, and one thread must be free for everything else that needs one.
 */
export class HashQueue {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(
    maxRunning: number = Math.max(1, Math.min(availableParallelism(), POOL_SIZE - 1)),
    maxWaiting: number = maxRunning * WAITING_PER_RUNNING,
  ) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /** @throws Unavailable when too much is waiting already */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#maxRunning) this.#running += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      // The slot passes straight to the next waiting call, so that a new call cannot overtake it.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new Unavailable('Too many people are signing in: try again in a moment', FULL_RETRY_S);
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
