import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { HashQueue } from './hash-queue.ts';

/** The cost of a hash by Argon2id. */
export interface HashCost {
  /** In KiB. */
  readonly memoryCost: number;
  /** Passes over the memory. */
  readonly timeCost: number;
  readonly parallelism: number;
}

/** 19 MiB, two passes, one lane: the first choice of OWASP's password storage cheat sheet. */
const COST: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** One per process, like libuv's threads. */
const queue = new HashQueue();

/** Hashes passwords with Argon2id. The work runs on libuv's threads, not on the event loop. */
export class PasswordHashing {
  readonly #cost: HashCost;
  /** Verified in place of the hash that a missing account does not have. */
  readonly #absentAccountHash: string;

  /** @param cost another one in tests alone */
  constructor(cost = COST) {
    this.#cost = cost;
    this.#absentAccountHash = hashOfNoPassword(cost);
  }

  /** @throws Unavailable when the queue is full */
  hash(password: string): Promise<string> {
    return queue.run(() => hash(password, this.#cost));
  }

  /**
   * Verifies a password. One hash is computed without a stored hash (no such account), too, so that the time of the
   * answer does not reveal whether an account exists.
   *
   * @throws Unavailable when the queue is full
   */
  async matches(stored: string | null, password: string): Promise<boolean> {
    const reference = stored ?? this.#absentAccountHash;
    const matches = await queue.run(() => verify(reference, password));
    return matches && stored !== null;
  }

  /** The stored hash has another cost than today's and should be replaced. */
  isOutdated(stored: string): boolean {
    const { memoryCost, timeCost, parallelism } = parseOptions(stored);
    const cost = this.#cost;
    return memoryCost !== cost.memoryCost || timeCost !== cost.timeCost || parallelism !== cost.parallelism;
  }
}

/** Of the salts and digests that the library makes. */
const SALT_BYTES = 16;
const DIGEST_BYTES = 32;

/** A hash that no password has in practice, as Argon2 encodes it: verifying takes as long as with any other of this cost. */
export function hashOfNoPassword({ memoryCost, timeCost, parallelism }: HashCost): string {
  const [salt, digest] = [SALT_BYTES, DIGEST_BYTES].map((length) =>
    randomBytes(length).toString('base64').replaceAll('=', ''),
  );
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${digest}`;
}
