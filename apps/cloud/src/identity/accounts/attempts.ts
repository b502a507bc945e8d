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
 */
export class AttemptLimits {
  readonly #limits: RateLimits;

  constructor(limits: RateLimits) {
    this.#limits = limits;
  }

  /**
   * Counts an attempt before the password is verified, so that concurrent attempts all count; refunds it when the
   * password is right or could not be verified.
   *
   * @throws TooManyRequests, and errors of `isRight`
   */
  async verify(attempt: PasswordAttempt, isRight: () => Promise<boolean>): Promise<boolean> {
    await this.#count(attempt);
    let right = false;
    try {
      right = await isRight();
    } catch (error) {
      await this.#refund(attempt);
      throw error;
    }
    // Of the shared counters only this attempt's own point is refunded: other clients count there too.
    if (right) await Promise.all([this.reset(attempt), ...this.#refundShared(attempt)]);
    return right;
  }

  /** Clears the count of one account from one network, once its owner has signed in there. */
  async reset(attempt: Pick<PasswordAttempt, 'email' | 'network'>): Promise<void> {
    await this.#limits.reset(SIGN_INS_PER_PAIR, networkEmailKey(attempt));
  }

  async #count(attempt: PasswordAttempt): Promise<void> {
    // The order matters: an attempt that one limit refuses consumes no points of the shared limits after it.
    if (!attempt.fromKnownNetwork) await this.#limits.consume(SIGN_INS_PER_ADDRESS, attempt.network);
    await this.#limits.consume(SIGN_INS_PER_PAIR, networkEmailKey(attempt));
    if (!attempt.fromKnownNetwork) await this.#limits.consume(SIGN_INS_PER_EMAIL, emailKey(attempt.email));
  }

  async #refund(attempt: PasswordAttempt): Promise<void> {
    await Promise.all([
      this.#limits.reward(SIGN_INS_PER_PAIR, networkEmailKey(attempt)),
      ...this.#refundShared(attempt),
    ]);
  }

  #refundShared(attempt: PasswordAttempt): Promise<void>[] {
    if (attempt.fromKnownNetwork) return [];
    return [
      this.#limits.reward(SIGN_INS_PER_ADDRESS, attempt.network),
      this.#limits.reward(SIGN_INS_PER_EMAIL, emailKey(attempt.email)),
    ];
  }
}

function networkEmailKey(attempt: Pick<PasswordAttempt, 'email' | 'network'>): string {
  return `${attempt.network} ${emailKey(attempt.email)}`;
}
