import type { PasskeyRequestOptions } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import type { Database } from '../../db/open.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import type { MailService } from '../mail/service.ts';
import { Enrolment } from './enrolment.ts';
import { FactorRepository } from './factor-repository.ts';
import { FactorSecrets } from './factor-secrets.ts';
import { PasskeyRepository } from './passkey-repository.ts';
import { Passkeys } from './passkeys.ts';
import type { RelyingParty } from './relying-party.ts';
import { FactorVerifier } from './verifier.ts';

export { RelyingParties, type RelyingParty } from './relying-party.ts';
export type { Claimant, PresentedFactor } from './verifier.ts';

export interface SecondFactorServiceOptions {
  readonly db: Database;
  readonly mail: MailService;
  readonly limits: RateLimits;
  readonly clock: Clock;
  /** The cloud's secret. */
  readonly secret: string;
}

/** Second factors: passkeys, authenticator apps, recovery codes. */
export class SecondFactorService {
  readonly enrolment: Enrolment;
  readonly verifier: FactorVerifier;
  readonly #passkeys: Passkeys;

  constructor({ secret, ...shared }: SecondFactorServiceOptions) {
    const passkeyRecords = new PasskeyRepository(shared.db);
    const secrets = new FactorSecrets(secret);
    this.#passkeys = new Passkeys(passkeyRecords, secrets.userHandleKey, shared.clock);
    const options = {
      ...shared,
      factors: new FactorRepository(shared.db),
      passkeyRecords,
      passkeys: this.#passkeys,
      secrets,
    };
    this.enrolment = new Enrolment(options);
    this.verifier = new FactorVerifier(options);
  }

  /** Request options for signing in by a passkey alone. */
  passkeySignInOptions(party: RelyingParty): Promise<PasskeyRequestOptions> {
    return this.#passkeys.signInOptions(party);
  }
}
