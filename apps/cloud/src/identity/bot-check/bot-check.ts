import { createHash } from 'node:crypto';
import type { BotCheckChallenge, BotCheckPassed, BotCheckSolution } from '@heliograph/contracts';
import { Unprocessable, ValidationError } from '@heliograph/kit';
import type { ClientAddress } from '../../common/client-address.ts';
import type { RateRule } from '../../common/limits/rate-limits.ts';
import { issueOneTimeToken, spendOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import type { Platform, ServerPlatform } from '../../platform.ts';
import type { Challenges } from './challenges.ts';

/** Challenges cost the cloud a little; a page that is reloaded now and then remains far below. */
export const CHALLENGES_PER_ADDRESS: RateRule = { name: 'bot_check_challenges', points: 60, durationS: 600 };

/** Solutions, right and wrong ones alike; enough for a company behind one address. */
export const SOLUTIONS_PER_ADDRESS: RateRule = { name: 'bot_check_solutions', points: 30, durationS: 600 };

const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

const TOKEN_LIFETIME_MS = 5 * 60 * 1000;

/**
 * Makes bulk registration expensive without puzzles for people: the browser computes for a second and gets a verification
 * token for it.
 *
 * @throws TooManyRequests
 */
export async function getBotCheckChallenge(
  { limits, clock }: Platform,
  { network }: ClientAddress,
  challenges: Challenges,
): Promise<BotCheckChallenge> {
  await limits.consume(CHALLENGES_PER_ADDRESS, network);
  return challenges.make(clock.now() + CHALLENGE_LIFETIME_MS);
}

/**
 * Exchanges a solution, once, for a verification token.
 *
 * @throws TooManyRequests, Unprocessable for a wrong, expired or used solution
 */
export async function verifyBotCheck(
  { db, limits, clock }: Platform,
  { network }: ClientAddress,
  solution: BotCheckSolution,
  challenges: Challenges,
): Promise<BotCheckPassed> {
  await limits.consume(SOLUTIONS_PER_ADDRESS, network);
  const nowMs = clock.now();
  const { signature, parameters } = solution.challenge;
  const expiresAtMs = parameters.data.expires_at_ms;
  if (!(await challenges.isSolvedBy(solution))) throw new Unprocessable('The check was not passed');
  if (expiresAtMs <= nowMs) throw new Unprocessable('The check has expired: try again');
  const token = await exchange(db, signature, new Date(expiresAtMs), nowMs);
  if (token === undefined) throw new Unprocessable('The check was used already: try again');
  return { verification_token: token };
}

/**
 * Spends a verification token. Every token is accepted, also an empty one, where no check is required.
 *
 * @throws ValidationError for `verification_token`
 */
export async function acceptVerification(
  { db, config, clock }: ServerPlatform,
  token: string,
): Promise<void> {
  if (!config.botCheck) return;
  if ((await spendOneTimeToken(db, 'bot_check', token, clock.now())) !== undefined) return;
  throw new ValidationError({ verification_token: ['is invalid or has expired'] });
}

/**
 * Exchanges a solved challenge for a verification token; of concurrent callers exactly one gets it.
 *
 * @param signature identifies the challenge
 * @returns undefined for a challenge that was exchanged before
 */
function exchange(
  db: Database,
  signature: string,
  expiresAt: Date,
  nowMs: number,
): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('bot_check_solutions')
      .values({ challenge: createHash('sha256').update(signature).digest(), expires_at: expiresAt })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) return undefined;
    const subject = { userId: null, organizationId: null };
    return issueOneTimeToken(tx, 'bot_check', subject, { nowMs, lifetimeMs: TOKEN_LIFETIME_MS });
  });
}
