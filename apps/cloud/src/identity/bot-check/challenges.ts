import type { BotCheckChallenge, BotCheckSolution } from '@heliograph/contracts';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey as pbkdf2 } from 'altcha-lib/algorithms/pbkdf2';
import { type CloudSecret, deriveKeys } from '../../common/secrets/derive-key.ts';

/** The work for a challenge is tries times rounds; the answer lies between the fewest and the most tries. */
export interface Effort {
  readonly rounds: number;
  readonly fewestTries: number;
  readonly mostTries: number;
}

/** About a second on a laptop, several on a cheap phone. */
const EFFORT: Effort = { rounds: 1000, fewestTries: 1500, mostTries: 4500 };

/** Built into every browser. */
const ALGORITHM = 'PBKDF2/SHA-256';

interface Signer {
  readonly hmacSignatureSecret: string;
  readonly hmacKeySignatureSecret: string;
}

/** Creates challenges and verifies solutions without state: a challenge carries its own signature. */
export class Challenges {
  /** The first one signs, each verifies. */
  readonly #signers: readonly Signer[];
  readonly #effort: Effort;

  /** @param secret the cloud's secret, so that each process accepts the challenges of the others */
  constructor(secret: CloudSecret, effort = EFFORT) {
    this.#effort = effort;
    const answerKeys = deriveKeys(secret, 'bot check answers');
    this.#signers = deriveKeys(secret, 'bot check challenges').map((key, index) => ({
      hmacSignatureSecret: key.toString('hex'),
      hmacKeySignatureSecret: (answerKeys[index] ?? answerKeys[0]).toString('hex'),
    }));
  }

  async make(expiresAtMs: number): Promise<BotCheckChallenge> {
    const { rounds, fewestTries, mostTries } = this.#effort;
    const { parameters, signature = '' } = await createChallenge({
      algorithm: ALGORITHM,
      cost: rounds,
      counter: randomInt(mostTries, fewestTries),
      deriveKey: pbkdf2,
      ...this.#signers[0],
      // Not `expiresAt`, which the widget compares with its own clock: browsers' clocks are often wrong.
      data: { expires_at_ms: expiresAtMs },
    });
    const { algorithm, nonce, salt, cost, keyLength, keyPrefix, keySignature = '' } = parameters;
    const data = { expires_at_ms: expiresAtMs };
    return {
      parameters: { algorithm, nonce, salt, cost, keyLength, keyPrefix, keySignature, data },
      signature,
    };
  }

  /** True for an unchanged challenge of this cloud with its right answer. */
  async isSolvedBy({ challenge, solution }: BotCheckSolution): Promise<boolean> {
    for (const signer of this.#signers) {
      const { verified } = await verifySolution({ challenge, solution, deriveKey: pbkdf2, ...signer });
      if (verified) return true;
    }
    return false;
  }
}
