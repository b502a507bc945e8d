import type { BotCheckChallenge, BotCheckPassed, BotCheckSolution } from '@heliograph/contracts';
import { type Clock, Unprocessable, ValidationError } from '@heliograph/kit';
import type { ClientAddress } from '../../common/client-address.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import { Challenges, type Effort } from './challenges.ts';
import { CHALLENGES_PER_ADDRESS, SOLUTIONS_PER_ADDRESS } from './limits.ts';
import type { BotCheckRepository } from './repository.ts';

export type { Effort } from './challenges.ts';

/** How long somebody may take for a challenge. */
const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

export interface BotCheckOptions {
  /** The cloud's secret. */
  readonly secret: string;
  /** Without it every token is accepted, also an empty one. */
  readonly required: boolean;
  /** How much work a challenge is; tests have little time. */
  readonly effort?: Effort | undefined;
}

/**
 * Makes registering in bulk expensive without asking anybody to read pictures: the client's browser works for a
 * second and gets a verification token for it.
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
   * Trades a solution, once, for a verification token.
   *
   * @throws TooManyRequests, Unprocessable when it is wrong, late or was traded before
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
   * Spends a verification token. Everything passes where no check is required.
   *
   * @throws ValidationError for `verification_token`
   */
  async accept(token: string): Promise<void> {
    if (!this.#required) return;
    if (await this.#repository.spend(token, this.#clock.now())) return;
    throw new ValidationError({ verification_token: ['is invalid or has expired'] });
  }
}
