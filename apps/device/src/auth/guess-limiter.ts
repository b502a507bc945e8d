import type { Clock } from '@heliograph/kit';
import { TooManyGuesses } from './caller.ts';

/** Wrong guesses that one address may make within a window before it must wait for the window's end. */
export const MAX_WRONG_GUESSES = 10;
export const GUESS_WINDOW_MS = 60_000;

/** How many addresses are remembered; beyond it the one that guessed first is forgotten. */
const REMEMBERED_ADDRESSES = 1_000;

interface Window {
  guesses: number;
  readonly endsAt: number;
}

/** Counts wrong password guesses per address, so that one guesser shuts out nobody else. */
export class GuessLimiter {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws TooManyGuesses when the address has no guess left; counts nothing */
  check(address: string): void {
    const window = this.#current(address);
    if (window === undefined || window.guesses < MAX_WRONG_GUESSES) return;
    throw new TooManyGuesses(Math.ceil((window.endsAt - this.#clock.monotonic()) / 1000));
  }

  /**
   * Counts a guess before its outcome is known, so that many at once do not slip through; take it back with
   * {@link forgive} when it was right.
   *
   * @throws TooManyGuesses when the address has no guess left
   */
  count(address: string): void {
    this.check(address);
    const window = this.#current(address);
    if (window !== undefined) {
      window.guesses++;
      return;
    }
    this.#makeRoom();
    this.#windows.set(address, { guesses: 1, endsAt: this.#clock.monotonic() + GUESS_WINDOW_MS });
  }

  /** Forgets what the address guessed. */
  forgive(address: string): void {
    this.#windows.delete(address);
  }

  #current(address: string): Window | undefined {
    const window = this.#windows.get(address);
    if (window === undefined || window.endsAt > this.#clock.monotonic()) return window;
    this.#windows.delete(address);
    return undefined;
  }

  #makeRoom(): void {
    if (this.#windows.size < REMEMBERED_ADDRESSES) return;
    const [oldest] = this.#windows.keys();
    if (oldest !== undefined) this.#windows.delete(oldest);
  }
}
