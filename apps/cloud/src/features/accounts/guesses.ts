import { emailKey } from '../../limits/email-key.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import { SIGN_INS_PER_ADDRESS, SIGN_INS_PER_EMAIL, SIGN_INS_PER_PAIR } from './limits.ts';

/** A password that somebody tries. */
export interface Guess {
  readonly email: string;
  /** Where it comes from; null when that is not known. */
  readonly network: string | null;
  /** Whether the account has signed in from there before. */
  readonly atHome: boolean;
}

/**
 * Bounds how many passwords can be tried. Where an account signed in before, only wrong passwords of this account
 * from there count, so that whoever guesses from elsewhere cannot lock its owner out.
 */
export class GuessLimits {
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
  async attempt(guess: Guess, isRight: () => Promise<boolean>): Promise<boolean> {
    await this.#count(guess);
    let right = false;
    try {
      right = await isRight();
    } catch (error) {
      await this.#takeBack(guess);
      throw error;
    }
    // Of what is shared only one's own point is taken back: others may be guessing at the same time.
    if (right) await Promise.all([this.forget(guess), ...this.#takeBackShared(guess)]);
    return right;
  }

  /** Forgets what was tried here before the owner came in. */
  async forget(guess: Pick<Guess, 'email' | 'network'>): Promise<void> {
    await this.#limits.reset(SIGN_INS_PER_PAIR, pairOf(guess));
  }

  async #count(guess: Guess): Promise<void> {
    // In this order, each only if the one before lets it pass: a guesser who is refused uses up nothing of others.
    if (!guess.atHome) await this.#limits.consume(SIGN_INS_PER_ADDRESS, guess.network);
    await this.#limits.consume(SIGN_INS_PER_PAIR, pairOf(guess));
    if (!guess.atHome) await this.#limits.consume(SIGN_INS_PER_EMAIL, nameOf(guess));
  }

  async #takeBack(guess: Guess): Promise<void> {
    await Promise.all([
      this.#limits.reward(SIGN_INS_PER_PAIR, pairOf(guess)),
      ...this.#takeBackShared(guess),
    ]);
  }

  #takeBackShared(guess: Guess): Promise<void>[] {
    if (guess.atHome) return [];
    return [
      this.#limits.reward(SIGN_INS_PER_ADDRESS, guess.network),
      this.#limits.reward(SIGN_INS_PER_EMAIL, nameOf(guess)),
    ];
  }
}

function nameOf({ email }: Pick<Guess, 'email'>): string {
  return emailKey(email);
}

function pairOf(guess: Pick<Guess, 'email' | 'network'>): string {
  return `${guess.network} ${nameOf(guess)}`;
}
