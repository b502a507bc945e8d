import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A network is unknown again when the account has not signed in from it for this long. */
const KNOWN_FOR_MS = 90 * DAY_MS;

/** Networks per day of an account that are worth a mail. */
const MAX_PER_DAY = 5;

/**
 * True for a sign-in from a network, an IPv4 /24 or an IPv6 /48, that the account has not signed in from lately. False
 * for the very first sign-in, and beyond a number of networks a day.
 *
 * @param network the client's network
 */
export async function isUnknownNetwork(
  db: Database,
  userId: number,
  network: string,
  at: Date,
): Promise<boolean> {
  const ago = (ms: number) => new Date(at.getTime() - ms);
  const prefix = sql`network(set_masklen(${network}::inet, case family(${network}::inet) when 4 then 24 else 48 end))`;
  const seen = await db
    .selectFrom('known_addresses')
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) filter (where address <<= ${prefix} and seen_at > ${ago(KNOWN_FOR_MS)}))::int`.as(
        'near',
      ),
      sql<number>`(count(*) filter (where seen_at > ${ago(DAY_MS)}))::int`.as('today'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return seen.all > 0 && seen.near === 0 && seen.today < MAX_PER_DAY;
}

/** A cheap check before `isUnknownNetwork`: false when the account lately signed in from this very address. */
export function mayBeUnknown(seenHereAt: Date | null, at: Date): boolean {
  return seenHereAt === null || at.getTime() - seenHereAt.getTime() >= KNOWN_FOR_MS;
}
