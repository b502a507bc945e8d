import { type Clock, NotFound, Unprocessable } from '@heliograph/kit';
import { type Actor, recordAudit } from '../db/audit.ts';
import type { Database } from '../db/open.ts';
import { selectKeys, withLockedKeys } from './records.ts';
import {
  isDue,
  KEY_PURPOSES,
  type KeyPurpose,
  type KeyTimes,
  PUBLISHED_AHEAD_MS,
  type Scheduled,
  scheduleOf,
} from './schedule.ts';

export type ListedKey = Scheduled<KeyTimes & { readonly purpose: KeyPurpose }>;

interface KeyPlatform {
  readonly db: Database;
  readonly clock: Clock;
}

/** The published keys, by purpose and in the order of signing. */
export async function listKeys({ db, clock }: KeyPlatform): Promise<ListedKey[]> {
  const keys = await scheduleOfAll(db, clock);
  return keys.filter(({ state }) => state !== 'expired');
}

/**
 * Schedules the next key of a purpose to sign once it has been published long enough. A spare key is always published, so
 * that no verifier ever meets a key that it had no time to fetch, not even after a revocation. Each process of the cloud
 * creates the spare key (`Keyring`), not the rotation: that takes the cloud's secret.
 *
 * @throws Unprocessable while another rotation is scheduled, or without a next key
 */
export function rotateKeys(
  { db, clock }: KeyPlatform,
  actor: Actor,
  purpose: KeyPurpose,
): Promise<ListedKey> {
  return withLockedKeys(db, async (tx) => {
    const keys = await schedule(tx, purpose, clock);
    const scheduled = keys.find(({ state, signsFrom }) => state === 'next' && signsFrom !== null);
    if (scheduled !== undefined) {
      throw new Unprocessable(`Key ${scheduled.kid} is to sign from ${scheduled.signsFrom?.toISOString()}`);
    }
    const next = nextOf(keys);
    const earliestMs = next.createdAt.getTime() + PUBLISHED_AHEAD_MS;
    return start(tx, actor, next, new Date(Math.max(earliestMs, clock.now())), clock);
  });
}

/**
 * Rotates the keys of a purpose when the signing key has reached its age.
 *
 * @returns the new signing key, if any
 */
export function rotateKeysWhenDue(
  { db, clock }: KeyPlatform,
  actor: Actor,
  purpose: KeyPurpose,
  maxAgeMs: number,
): Promise<ListedKey | undefined> {
  return withLockedKeys(db, async (tx) => {
    const keys = await schedule(tx, purpose, clock);
    // Another process may have rotated them.
    if (!isDue(keys, maxAgeMs, clock.now())) return undefined;
    return start(tx, actor, nextOf(keys), new Date(clock.now()), clock);
  });
}

/**
 * Revokes a key at once: all its signatures become invalid. The next key replaces a signing key.
 *
 * @throws NotFound; Unprocessable for the signing key without a next one
 */
export function revokeKey({ db, clock }: KeyPlatform, actor: Actor, kid: string): Promise<void> {
  return withLockedKeys(db, async (tx) => {
    const keys = await scheduleOfAll(tx, clock);
    const revoked = keys.find((key) => key.kid === kid);
    if (revoked === undefined) throw new NotFound();
    await tx.deleteFrom('signing_keys').where('kid', '=', kid).execute();
    await recordAudit(tx, actor, new Date(clock.now()), {
      action: 'signing_key.revoked',
      details: { kid, purpose: revoked.purpose, state: revoked.state },
    });
    if (revoked.state !== 'signing') return;
    const next = nextOf(keys.filter(({ purpose }) => purpose === revoked.purpose));
    await start(tx, actor, next, new Date(clock.now()), clock);
  });
}

async function start(
  tx: Database,
  actor: Actor,
  next: ListedKey,
  signsFrom: Date,
  clock: Clock,
): Promise<ListedKey> {
  const { kid, purpose } = next;
  await tx.updateTable('signing_keys').set({ signs_from: signsFrom }).where('kid', '=', kid).execute();
  const details = { kid, purpose, signs_from: signsFrom.toISOString() };
  await recordAudit(tx, actor, new Date(clock.now()), { action: 'signing_key.rotated', details });
  const started = (await schedule(tx, purpose, clock)).find((key) => key.kid === kid);
  return started ?? next;
}

async function scheduleOfAll(db: Database, clock: Clock): Promise<ListedKey[]> {
  const schedules: ListedKey[] = [];
  for (const purpose of KEY_PURPOSES) schedules.push(...(await schedule(db, purpose, clock)));
  return schedules;
}

async function schedule(db: Database, purpose: KeyPurpose, clock: Clock): Promise<ListedKey[]> {
  const keys = await selectKeys(db, purpose);
  return scheduleOf(
    purpose,
    keys.map(({ kid, createdAt, signsFrom }) => ({ kid, purpose, createdAt, signsFrom })),
    clock.now(),
  );
}

/** @throws Unprocessable */
function nextOf(keys: readonly ListedKey[]): ListedKey {
  const next = keys.find(({ state }) => state === 'next');
  if (next === undefined) {
    throw new Unprocessable('No key waits to sign: a cloud that runs makes one within seconds');
  }
  return next;
}
