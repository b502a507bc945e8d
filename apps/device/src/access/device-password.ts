import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { MAX_DEVICE_PASSWORD_LENGTH } from '@heliograph/contracts/password-rules';
import type { Clock } from '@heliograph/kit';
import { hash, verify } from '@node-rs/argon2';
import type { KeyValueStore } from '../storage/key-value.ts';
import { AttemptLimiter } from './attempt-limiter.ts';

const KEY = 'device_password_hash';

/** A hash by Argon2id as text, with costs that a computer can afford. */
const HASH = /^\$argon2id\$v=19\$m=\d{1,6},t=\d{1,2},p=\d{1,2}\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;

/** The cost of a hash by Argon2id. */
export interface HashCost {
  /** In KiB. */
  readonly memoryCost: number;
  /** Passes over the memory. */
  readonly timeCost: number;
  readonly parallelism: number;
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane (Password Storage Cheat Sheet). */
const COST: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Argon2id, as @node-rs/argon2 numbers it. */
const ALGORITHM = 2;

/** Listens to wrong passwords. */
export interface PasswordWatch {
  wrong(address: string): void;
  /** Further attempts are refused until the lock ends. @param address null: those of all addresses that did not know the password before */
  lockedOut(address: string | null): void;
}

/**
 * The one password of the device. Only its argon2id hash is stored. Hashing is slow on purpose, so the
 * password that was right is remembered for the life of the process, as a keyed digest.
 */
export class DevicePassword {
  readonly #store: KeyValueStore;
  readonly #limiter: AttemptLimiter;
  readonly #watch: PasswordWatch | undefined;
  readonly #cost: HashCost;
  readonly #digestKey = randomBytes(32);
  #isSet: boolean;
  #version: string;
  #verified: Buffer | undefined;
  readonly #running = new Map<string, Promise<boolean>>();
  #queue: Promise<unknown> = Promise.resolve();

  /** @param cost another one in tests alone */
  constructor(store: KeyValueStore, clock: Clock, watch?: PasswordWatch, cost = COST) {
    this.#store = store;
    this.#watch = watch;
    this.#cost = cost;
    this.#limiter = new AttemptLimiter(clock);
    // One that is damaged, and has no copy, is a password without anyone who knows it.
    const stored = store.text(KEY, HASH) ?? store.get(KEY);
    this.#isSet = stored !== undefined;
    this.#version = versionOf(stored ?? '');
  }

  get isSet(): boolean {
    return this.#isSet;
  }

  /** Another one whenever the password is set, the same after a restart; reveals nothing about the password. */
  get version(): string {
    return this.#version;
  }

  /** Forgets the password, and signs every browser out. */
  remove(): void {
    this.#store.delete(KEY);
    this.#isSet = false;
    this.#version = versionOf('');
    this.#verified = undefined;
  }

  /** Sets or replaces the password. */
  async set(password: string): Promise<void> {
    this.#save(password, await this.#hash(password));
  }

  /**
   * Sets the password unless the device has one by then: of several who want to be first, one is.
   *
   * @returns whether it is this one now
   */
  async setFirst(password: string): Promise<boolean> {
    const turn = this.#queue.then(async () => {
      if (this.#isSet) return false;
      const hashed = await this.#hash(password);
      // Another client may have set one meanwhile.
      if (this.#isSet) return false;
      this.#save(password, hashed);
      return true;
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Sets the password when the device has none: how a configured first password takes effect once. One that
   * is the password already is remembered, which spares the first client the wait for its hashing.
   *
   * @returns whether it was set
   */
  async setIfNone(password: string): Promise<boolean> {
    if (await this.setFirst(password)) return true;
    await this.#compareInTurn(password, this.#digest(password));
    return false;
  }

  /** Takes the configured first password for this run alone: a store in memory keeps none, and the next start sets it. */
  assume(password: string): void {
    if (this.#isSet) return;
    const digest = this.#digest(password);
    this.#isSet = true;
    this.#version = versionOf(digest.toString('base64'));
    this.#verified = digest;
  }

  /**
   * Whether this is the password.
   *
   * @param address the client's; different wrong passwords are limited per address
   * @throws TooManyAttempts when the address has sent too many of them
   */
  async matches(password: string, address: string): Promise<boolean> {
    this.#limiter.check(address);
    const digest = this.#digest(password);
    if (this.#verified !== undefined && timingSafeEqual(digest, this.#verified)) {
      this.#limiter.remember(address);
      return true;
    }
    if (this.#limiter.isRepeated(address, digest.toString('base64'))) {
      this.#reportWrong(address);
      return false;
    }
    return this.#attempt(password, address, digest);
  }

  /** Many requests that arrive at once with the same password are one attempt and one hashing. */
  #attempt(password: string, address: string, digest: Buffer): Promise<boolean> {
    const text = digest.toString('base64');
    const id = `${address} ${text}`;
    const running = this.#running.get(id);
    if (running !== undefined) return running;
    this.#limiter.count(address);
    const version = this.#version;
    const attempt = this.#compareInTurn(password, digest)
      .then((right) => {
        if (right) this.#limiter.forgive(address);
        else {
          if (version === this.#version) this.#limiter.noteWrong(address, text);
          this.#reportWrong(address);
        }
        return right;
      })
      .finally(() => this.#running.delete(id));
    this.#running.set(id, attempt);
    return attempt;
  }

  #reportWrong(address: string): void {
    this.#watch?.wrong(address);
    const { ofAddress, ofAll } = this.#limiter.exhausted(address);
    if (ofAddress) this.#watch?.lockedOut(address);
    if (ofAll) this.#watch?.lockedOut(null);
  }

  /** One hashing at a time: a flood of attempts must not take every thread and 19 MiB each. */
  #compareInTurn(password: string, digest: Buffer): Promise<boolean> {
    const turn = this.#queue.then(() => this.#compare(password, digest));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #compare(password: string, digest: Buffer): Promise<boolean> {
    if (this.#verified !== undefined) return timingSafeEqual(digest, this.#verified);
    const stored = this.#store.text(KEY, HASH);
    if (stored === undefined || password.length > MAX_DEVICE_PASSWORD_LENGTH) return false;
    const right = await verify(stored, password);
    if (right && this.#store.get(KEY) === stored) this.#verified = digest;
    return right;
  }

  #hash(password: string): Promise<string> {
    return hash(password, { algorithm: ALGORITHM, ...this.#cost });
  }

  #save(password: string, hashed: string): void {
    this.#store.set(KEY, hashed);
    this.#isSet = true;
    this.#version = versionOf(hashed);
    this.#verified = this.#digest(password);
    this.#limiter.forgetWrong();
  }

  #digest(password: string): Buffer {
    return createHmac('sha256', this.#digestKey).update(password).digest();
  }
}

/** Every hash has a salt of its own, so that it is another one even when the same password is set again. */
function versionOf(hashed: string): string {
  return createHash('sha256').update(hashed).digest('base64url');
}
