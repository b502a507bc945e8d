import type { Clock } from '@heliograph/kit';
import { TooManyAttempts } from './caller.ts';

/** Different wrong passwords that one address may send within a window before it must wait for the window's end. */
export const MAX_FAILED_ATTEMPTS = 10;
export const ATTEMPT_WINDOW_MS = 60_000;

/**
 * Wrong passwords from all addresses together within a window: a client with one address of a network may have thousands. Beyond
 * it only addresses that knew the password before are admitted.
 */
export const MAX_FAILED_ATTEMPTS_OF_ALL = 100;

/** How many addresses are remembered; beyond it the oldest is forgotten. */
const REMEMBERED_ADDRESSES = 1_000;

interface Window {
  attempts: number;
  readonly endsAt: number;
}

interface AddressWindow extends Window {
  /** How often each wrong password was sent, by its digest. */
  readonly wrong: Map<string, number>;
}

/** Counts wrong passwords per address, so that one attacker does not shut out known addresses. */
export class AttemptLimiter {
  readonly #clock: Clock;
  readonly #windows = new Map<string, AddressWindow>();
  /** Addresses that knew the password. */
  readonly #known = new Set<string>();
  #all: Window = { attempts: 0, endsAt: Number.NEGATIVE_INFINITY };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws TooManyAttempts when the address has no attempt left; counts nothing */
  check(address: string): void {
    const window = this.#current(address);
    if (window !== undefined && window.attempts >= MAX_FAILED_ATTEMPTS) throw this.#refusal(window);
    const all = this.#currentOfAll();
    if (all.attempts >= MAX_FAILED_ATTEMPTS_OF_ALL && !this.#known.has(address)) throw this.#refusal(all);
  }

  /**
   * Counts an attempt before its outcome is known, so that many at once do not slip through; take it back with
   * {@link forgive} when it was right.
   *
   * @throws TooManyAttempts when the address has no attempt left
   */
  count(address: string): void {
    this.check(address);
    this.#currentOfAll().attempts++;
    const window = this.#current(address);
    if (window !== undefined) {
      window.attempts++;
      return;
    }
    evictOldest(this.#windows);
    this.#windows.set(address, {
      attempts: 1,
      endsAt: this.#clock.monotonic() + ATTEMPT_WINDOW_MS,
      wrong: new Map(),
    });
  }

  /**
   * Whether the address has sent this wrong password in the window before. Its repetition guesses nothing, so it counts for
   * itself alone: a client with a former password does not lock out the others of its address.
   *
   * @throws TooManyAttempts when it was sent too often
   */
  isRepeated(address: string, digest: string): boolean {
    const window = this.#current(address);
    const times = window?.wrong.get(digest);
    if (window === undefined || times === undefined) return false;
    if (times >= MAX_FAILED_ATTEMPTS) throw this.#refusal(window);
    window.wrong.set(digest, times + 1);
    return true;
  }

  /** The password with this digest, which was counted, was wrong. */
  noteWrong(address: string, digest: string): void {
    this.#current(address)?.wrong.set(digest, 1);
  }

  /** Another password is in force, and may be one that was wrong before. */
  forgetWrong(): void {
    for (const { wrong } of this.#windows.values()) wrong.clear();
  }

  /** Whether the address, or all together, have used up the window's attempts. */
  exhausted(address: string): { readonly ofAddress: boolean; readonly ofAll: boolean } {
    return {
      ofAddress: (this.#current(address)?.attempts ?? 0) >= MAX_FAILED_ATTEMPTS,
      ofAll: this.#currentOfAll().attempts >= MAX_FAILED_ATTEMPTS_OF_ALL,
    };
  }

  /** Forgets the address's wrong passwords; the last one was right. */
  forgive(address: string): void {
    this.#windows.delete(address);
    const all = this.#currentOfAll();
    all.attempts = Math.max(0, all.attempts - 1);
    this.remember(address);
  }

  /** The address knows the password. */
  remember(address: string): void {
    if (this.#known.has(address)) return;
    evictOldest(this.#known);
    this.#known.add(address);
  }

  #refusal({ endsAt }: Window): TooManyAttempts {
    return new TooManyAttempts(Math.ceil((endsAt - this.#clock.monotonic()) / 1000));
  }

  #current(address: string): AddressWindow | undefined {
    const window = this.#windows.get(address);
    if (window === undefined || window.endsAt > this.#clock.monotonic()) return window;
    this.#windows.delete(address);
    return undefined;
  }

  #currentOfAll(): Window {
    const now = this.#clock.monotonic();
    if (this.#all.endsAt <= now) this.#all = { attempts: 0, endsAt: now + ATTEMPT_WINDOW_MS };
    return this.#all;
  }
}

/** Forgets the address that came first when there are too many. */
function evictOldest(addresses: Map<string, unknown> | Set<string>): void {
  if (addresses.size < REMEMBERED_ADDRESSES) return;
  const [oldest] = addresses.keys();
  if (oldest !== undefined) addresses.delete(oldest);
}
