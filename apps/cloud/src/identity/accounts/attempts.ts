import { emailKey } from '../../common/limits/email-key.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import { SIGN_INS_PER_ADDRESS, SIGN_INS_PER_EMAIL, SIGN_INS_PER_PAIR } from './limits.ts';

export interface PasswordAttempt {
  readonly email: string;
  /** The client's network; null when it is unknown. */
  readonly network: string | null;
  /** The account has signed in from this network before. */
  readonly fromKnownNetwork: boolean;
}

/**
 * Limits password attempts. From a network that an account signed in from before, only wrong passwords of this account
 * from that network count: attempts from elsewhere cannot lock its owner out.
 *
 * Counts an attempt before the password is verified, so that concurrent attempts all count; refunds it when the
 * password is right or could not be verified.
 *
 * @throws TooManyRequests, and errors of `isRight`
 */
export async function verifyAttempt(
  limits: RateLimits,
  attempt: PasswordAttempt,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  await count(limits, attempt);
  let right = false;
  try {
    right = await isRight();
  } catch (error) {
    await refund(limits, attempt);
    throw error;
  }
  // Of the shared counters only this attempt's own point is refunded: other clients count there too.
  if (right) await Promise.all([resetAttempts(limits, attempt), ...refundShared(limits, attempt)]);
  return right;
}

/** Clears the count of one account from one network, once its owner has signed in there. */
export async function resetAttempts(
  limits: RateLimits,
  attempt: Pick<PasswordAttempt, 'email' | 'network'>,
): Promise<void> {
  await limits.reset(SIGN_INS_PER_PAIR, networkEmailKey(attempt));
}

async function count(limits: RateLimits, attempt: PasswordAttempt): Promise<void> {
  // The order matters: an attempt that one limit refuses consumes no points of the shared limits after it.
  if (!attempt.fromKnownNetwork) await limits.consume(SIGN_INS_PER_ADDRESS, attempt.network);
  await limits.consume(SIGN_INS_PER_PAIR, networkEmailKey(attempt));
  if (!attempt.fromKnownNetwork) await limits.consume(SIGN_INS_PER_EMAIL, emailKey(attempt.email));
}

async function refund(limits: RateLimits, attempt: PasswordAttempt): Promise<void> {
  await Promise.all([
    limits.reward(SIGN_INS_PER_PAIR, networkEmailKey(attempt)),
    ...refundShared(limits, attempt),
  ]);
}

function refundShared(limits: RateLimits, attempt: PasswordAttempt): Promise<void>[] {
  if (attempt.fromKnownNetwork) return [];
  return [
    limits.reward(SIGN_INS_PER_ADDRESS, attempt.network),
    limits.reward(SIGN_INS_PER_EMAIL, emailKey(attempt.email)),
  ];
}

function networkEmailKey(attempt: Pick<PasswordAttempt, 'email' | 'network'>): string {
  return `${attempt.network} ${emailKey(attempt.email)}`;
}
