import type { Caller } from '../../access/caller.ts';
import { TooManyRequests } from '../../common/errors.ts';
import type { RateRule } from '../../common/limits/rate-limits.ts';
import type { Platform } from '../../platform.ts';

const DAY_S = 24 * 60 * 60;

/** Access to sites of others that an account gives which looks after them. */
export const ACCESS_PER_ACCOUNT: RateRule = { name: 'access-by-account', points: 30, durationS: DAY_S };

/** The same of all accounts of one organization. */
export const ACCESS_PER_ORGANIZATION: RateRule = {
  name: 'access-by-organization',
  points: 100,
  durationS: DAY_S,
};

const MAILS_ABOUT_ACCOUNT: RateRule = { name: 'access-limit-mails', points: 1, durationS: DAY_S };

/**
 * Bounds the access that installers and operators give to homes of others: a whole fleet takes days, and is noticed.
 *
 * @param organizationId of the site
 * @throws TooManyRequests, of which the operators are mailed once a day
 */
export async function countGivenAccess(
  platform: Platform,
  { userId }: Caller,
  organizationId: number | null,
): Promise<void> {
  await consume(platform, ACCESS_PER_ACCOUNT, userId, userId);
  if (organizationId !== null) await consume(platform, ACCESS_PER_ORGANIZATION, organizationId, userId);
}

async function consume(platform: Platform, rule: RateRule, key: number, actorId: number): Promise<void> {
  try {
    await platform.limits.consume(rule, String(key));
  } catch (error) {
    if (error instanceof TooManyRequests) await notifyOperators(platform, actorId, rule.points);
    throw error;
  }
}

async function notifyOperators(
  { db, limits, mail }: Platform,
  actorId: number,
  count: number,
): Promise<void> {
  if (!(await limits.tryConsume(MAILS_ABOUT_ACCOUNT, String(actorId)))) return;
  const about = { kind: 'accessLimit', organizationId: null, actorId, count } as const;
  await db.transaction().execute(async (tx) => {
    const operators = await tx.selectFrom('users').select('id').where('staff', '=', true).execute();
    for (const { id } of operators) await mail.enqueue(tx, { ...about, userId: id });
  });
}
