import { emailKey } from '../../limits/email-key.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import { SIGN_INS_PER_ADDRESS, SIGN_INS_PER_EMAIL, SIGN_INS_PER_PAIR } from './limits.ts';

/** A password that somebody tries. */
export interface PasswordAttempt {
  readonly email: string;
  /** Where it comes from; null when that is not known. */
  readonly network: string | null;
  /** Whether the account has signed in from there before. */
  readonly fromKnownNetwork: boolean;
}

/**
 * Bounds how many passwords can be tried. Where an account signed in before, only wrong passwords of this account
 * from there count, so that whoever guesses from elsewhere cannot lock its owner out.
 */
export class AttemptLimits {
  readonly #limits: RateLimits;

  constructor(limits: RateLimits) {
    this.#limits = limits;
  }

  /**
   * Counts before the password is looked at, so that many guesses at once are many, and takes it back when the
   * guess was right or could not be checked.
   *
   * @throws TooManyRequests, and whatever `isRight` throws
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
    // Of what is shared only one's own point is taken back: others may be guessing at the same time.
    if (right) await Promise.all([this.reset(attempt), ...this.#refundShared(attempt)]);
    return right;
  }

  /** Forgets what was tried here before the owner came in. */
  async reset(attempt: Pick<PasswordAttempt, 'email' | 'network'>): Promise<void> {
    await this.#limits.reset(SIGN_INS_PER_PAIR, networkEmailKey(attempt));
  }

  async #count(attempt: PasswordAttempt): Promise<void> {
    // In this order, each only if the one before lets it pass: a guesser who is refused uses up nothing of others.
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
