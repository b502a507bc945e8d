import { hash, parseOptions, verify } from '@node-rs/argon2';
import { HashQueue } from './hash-queue.ts';

/**
 * Argon2id with 19 MiB, two passes, one lane: the first choice of OWASP's password storage cheat sheet.
 * The work runs on libuv's threads, not on the event loop.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** One for the process, as are the threads. */
const queue = new HashQueue();

/** @throws Unavailable when too many wait for theirs */
export function hashPassword(password: string): Promise<string> {
  return queue.run(() => hash(password, COST));
}

/** The hash of no password, of today's cost: what an account that does not exist is checked against. */
const NOBODY = hashPassword('');

/**
 * Whether the password is right. Takes as long without a stored hash (no such account) as with one.
 *
 * @throws Unavailable when too many wait for theirs
 */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  const reference = stored ?? (await NOBODY);
  const matches = await queue.run(() => verify(reference, password));
  return matches && stored !== null;
}

/** Whether a stored hash was made with a cost other than today's, so that it should be made again. */
export function isOutdated(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored);
  return memoryCost !== COST.memoryCost || timeCost !== COST.timeCost || parallelism !== COST.parallelism;
}
