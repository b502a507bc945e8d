import { hash, parseOptions, verify } from '@node-rs/argon2';
import { HashQueue } from './hash-queue.ts';

/**
 * Argon2id with 19 MiB, two passes, one lane: the first choice of OWASP's password storage cheat sheet.
 * The work runs on libuv's threads, not on the event loop.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** One per process, like libuv's threads. */
const queue = new HashQueue();

/** @throws Unavailable when the queue is full */
export function hashPassword(password: string): Promise<string> {
  return queue.run(() => hash(password, COST));
}

/** A hash of today's cost, verified in place of the hash that a missing account does not have. */
const ABSENT_ACCOUNT_HASH = hashPassword('');

/**
 * Verifies a password. One hash is computed without a stored hash (no such account), too, so that the time of the
 * answer does not reveal whether an account exists.
 *
 * @throws Unavailable when the queue is full
 */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  const reference = stored ?? (await ABSENT_ACCOUNT_HASH);
  const matches = await queue.run(() => verify(reference, password));
  return matches && stored !== null;
}

/** The stored hash has another cost than today's and should be replaced. */
export function isOutdated(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored);
  return memoryCost !== COST.memoryCost || timeCost !== COST.timeCost || parallelism !== COST.parallelism;
}
