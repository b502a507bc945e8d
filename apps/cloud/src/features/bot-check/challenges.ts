import type { BotCheckChallenge, BotCheckSolution } from '@heliograph/contracts';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey as pbkdf2 } from 'altcha-lib/algorithms/pbkdf2';
import { deriveKey } from '../../secrets/derive-key.ts';

/** How much work a challenge is: tries times rounds, where the answer lies between the fewest and the most tries. */
export interface Effort {
  readonly rounds: number;
  readonly fewestTries: number;
  readonly mostTries: number;
}

/** A laptop takes about a second and a cheap phone several. */
const EFFORT: Effort = { rounds: 1000, fewestTries: 1500, mostTries: 4500 };

/** What a challenge asks for: its algorithm is one that every browser has built in. */
const ALGORITHM = 'PBKDF2/SHA-256';

/** Makes challenges and checks solutions; keeps nothing, because a challenge carries its own signature. */
export class Challenges {
  readonly #hmacSignatureSecret: string;
  readonly #hmacKeySignatureSecret: string;
  readonly #effort: Effort;

  /** @param secret the cloud's secret, so that every process accepts what another one gave out */
  constructor(secret: string, effort = EFFORT) {
    this.#effort = effort;
    this.#hmacSignatureSecret = deriveKey(secret, 'bot check challenges').toString('hex');
    this.#hmacKeySignatureSecret = deriveKey(secret, 'bot check answers').toString('hex');
  }

  async make(expiresAtMs: number): Promise<BotCheckChallenge> {
    const { rounds, fewestTries, mostTries } = this.#effort;
    const { parameters, signature = '' } = await createChallenge({
      algorithm: ALGORITHM,
      cost: rounds,
      counter: randomInt(mostTries, fewestTries),
      deriveKey: pbkdf2,
      hmacSignatureSecret: this.#hmacSignatureSecret,
      hmacKeySignatureSecret: this.#hmacKeySignatureSecret,
      // Not `expiresAt`, which the widget holds against its own clock: visitors' clocks are often wrong.
      data: { expires_at_ms: expiresAtMs },
    });
    const { algorithm, nonce, salt, cost, keyLength, keyPrefix, keySignature = '' } = parameters;
    const data = { expires_at_ms: expiresAtMs };
    return {
      parameters: { algorithm, nonce, salt, cost, keyLength, keyPrefix, keySignature, data },
      signature,
    };
  }

  /** Whether the challenge is one of ours, unchanged, and this is its answer. */
  async isSolvedBy({ challenge, solution }: BotCheckSolution): Promise<boolean> {
    const { verified } = await verifySolution({
      challenge,
      solution,
      deriveKey: pbkdf2,
      hmacSignatureSecret: this.#hmacSignatureSecret,
      hmacKeySignatureSecret: this.#hmacKeySignatureSecret,
    });
    return verified;
  }
}
