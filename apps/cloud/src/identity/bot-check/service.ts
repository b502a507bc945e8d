import type { BotCheckChallenge, BotCheckPassed, BotCheckSolution } from '@heliograph/contracts';
import { type Clock, Unprocessable, ValidationError } from '@heliograph/kit';
import type { ClientAddress } from '../../common/client-address.ts';
import type { RateLimits, RateRule } from '../../common/limits/rate-limits.ts';
import type { CloudSecret } from '../../common/secrets/derive-key.ts';
import { Challenges, type Effort } from './challenges.ts';
import type { BotCheckRepository } from './repository.ts';

/** Challenges cost the cloud a little; a page that is reloaded now and then remains far below. */
export const CHALLENGES_PER_ADDRESS: RateRule = { name: 'bot_check_challenges', points: 60, durationS: 600 };

/** Solutions, right and wrong ones alike; enough for a company behind one address. */
export const SOLUTIONS_PER_ADDRESS: RateRule = { name: 'bot_check_solutions', points: 30, durationS: 600 };

export type { Effort } from './challenges.ts';

const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

export interface BotCheckOptions {
  /** The cloud's secret. */
  readonly secret: CloudSecret;
  /** Without it every token is accepted, also an empty one. */
  readonly required: boolean;
  /** Tests lower it. */
  readonly effort?: Effort | undefined;
}

/**
 * Makes bulk registration expensive without puzzles for people: the browser computes for a second and gets a verification
 * token for it.
 */
export class BotCheckService {
  readonly #repository: BotCheckRepository;
  readonly #limits: RateLimits;
  readonly #clock: Clock;
  readonly #challenges: Challenges;
  readonly #required: boolean;

  constructor(
    repository: BotCheckRepository,
    limits: RateLimits,
    { secret, required, effort }: BotCheckOptions,
    clock: Clock,
  ) {
    this.#repository = repository;
    this.#limits = limits;
    this.#clock = clock;
    this.#challenges = new Challenges(secret, effort);
    this.#required = required;
  }

  /** @throws TooManyRequests */
  async challenge({ network }: ClientAddress): Promise<BotCheckChallenge> {
    await this.#limits.consume(CHALLENGES_PER_ADDRESS, network);
    return this.#challenges.make(this.#clock.now() + CHALLENGE_LIFETIME_MS);
  }

  /**
   * Exchanges a solution, once, for a verification token.
   *
   * @throws TooManyRequests, Unprocessable for a wrong, expired or used solution
   */
  async verify(solution: BotCheckSolution, { network }: ClientAddress): Promise<BotCheckPassed> {
    await this.#limits.consume(SOLUTIONS_PER_ADDRESS, network);
    const nowMs = this.#clock.now();
    const { signature, parameters } = solution.challenge;
    const expiresAtMs = parameters.data.expires_at_ms;
    if (!(await this.#challenges.isSolvedBy(solution))) throw new Unprocessable('The check was not passed');
    if (expiresAtMs <= nowMs) throw new Unprocessable('The check has expired: try again');
    const token = await this.#repository.exchange(signature, new Date(expiresAtMs), nowMs);
    if (token === undefined) throw new Unprocessable('The check was used already: try again');
    return { verification_token: token };
  }

  /**
   * Spends a verification token. Every token is accepted where no check is required.
   *
   * @throws ValidationError for `verification_token`
   */
  async accept(token: string): Promise<void> {
    if (!this.#required) return;
    if (await this.#repository.spend(token, this.#clock.now())) return;
    throw new ValidationError({ verification_token: ['is invalid or has expired'] });
  }
}
