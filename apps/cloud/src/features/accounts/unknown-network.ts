import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long an account need not have signed in from a network for it to be unknown again. */
const KNOWN_FOR_MS = 90 * DAY_MS;

/** Addresses that an account signs in from within a day; beyond them new ones are not worth another mail. */
const MOST_A_DAY = 5;

/**
 * Whether an account signs in from a network, an IPv4 /24 or an IPv6 /48, that it has not signed in from lately, and
 * whether that is worth a mail: not for its very first sign-in, and not for every one of many in a day.
 *
 * @param network where the request comes from
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
  return seen.all > 0 && seen.near === 0 && seen.today < MOST_A_DAY;
}

/** Whether it can be unknown, going by when the account last signed in from that very address. */
export function mayBeUnknown(seenHereAt: Date | null, at: Date): boolean {
  return seenHereAt === null || at.getTime() - seenHereAt.getTime() >= KNOWN_FOR_MS;
}
