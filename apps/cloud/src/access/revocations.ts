import type { DeviceConnectAnswer, ProxyAnnounceAnswer } from '@heliograph/contracts';
import { SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';
import type { Database } from '../db/open.ts';

/** Revocations in one answer to a proxy, about: the oldest come first, and the next answer has the rest. */
const MAX_REVOCATIONS = 10_000;

/** Revocations in the answer to a device: the newest of its site. */
const MAX_REVOCATIONS_OF_SITE = 2_000;

/** A revocation is visible once its transaction ends, at most this many milliseconds after its date. */
const REVOCATION_DELAY_MS = 60_000;

/** The part of an answer to a proxy about revoked site tokens. */
type RevocationUpdate = Pick<ProxyAnnounceAnswer, 'revocations' | 'revocations_next' | 'revocations_more'>;

type DeviceRevocation = NonNullable<Extract<DeviceConnectAnswer, { status: 'ready' }>['revocations']>[number];

/**
 * Site tokens revoked after a date; without one, or with an invalid one (a leap second), within the lifetime of a
 * site token.
 */
export async function revocationsSince(db: Database, nowMs: number, date?: Date): Promise<RevocationUpdate> {
  // Includes revocations of exactly that age.
  const oldestMs = nowMs - SITE_TOKEN_LIFETIME_MS - 1;
  const requestedMs = date?.getTime() ?? Number.NaN;
  // More than the limit where several share the date of the last one.
  const found = await db
    .selectFrom('site_token_revocations')
    .select(['site_id', 'subject', 'user_id', 'revoked_at'])
    .where('revoked_at', '>', new Date(requestedMs > oldestMs ? requestedMs : oldestMs))
    .orderBy('revoked_at')
    .fetch(MAX_REVOCATIONS, 'with ties')
    .execute();
  const last = found.length < MAX_REVOCATIONS ? undefined : found.at(-1);
  return {
    revocations: found.map((row) => ({ ...row, revoked_at: row.revoked_at.toISOString() })),
    // A complete answer is followed by one that repeats the latest ones: some of that time may not be visible yet.
    revocations_next: (last?.revoked_at ?? new Date(nowMs - REVOCATION_DELAY_MS)).toISOString(),
    revocations_more: last !== undefined,
  };
}

/** Revocations of a site's tokens that may not have expired yet, for its device: the newest first. */
export async function revocationsOfSite(
  db: Database,
  nowMs: number,
  siteId: number,
): Promise<DeviceRevocation[]> {
  const found = await db
    .selectFrom('site_token_revocations')
    .select(['subject', 'revoked_at'])
    .where('site_id', '=', siteId)
    .where('revoked_at', '>', new Date(nowMs - SITE_TOKEN_LIFETIME_MS - 1))
    .orderBy('revoked_at', 'desc')
    .limit(MAX_REVOCATIONS_OF_SITE)
    .execute();
  return found.map((row) => ({ subject: row.subject, revoked_at: row.revoked_at.toISOString() }));
}
