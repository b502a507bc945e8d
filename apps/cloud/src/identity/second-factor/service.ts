import type { PasskeyRequestOptions } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import type { CloudSecret } from '../../common/secrets/derive-key.ts';
import type { Database } from '../../db/open.ts';
import type { MailService } from '../../delivery/mail/service.ts';
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
  readonly secret: CloudSecret;
}

/** Second factors: passkeys, authenticator apps, recovery codes. */
export class SecondFactorService {
  readonly enrolment: Enrolment;
  readonly verifier: FactorVerifier;
  readonly #passkeys: Passkeys;
  readonly #factors: FactorRepository;
  readonly #secrets: FactorSecrets;

  constructor({ secret, ...shared }: SecondFactorServiceOptions) {
    const passkeyRecords = new PasskeyRepository(shared.db);
    const secrets = new FactorSecrets(secret);
    this.#secrets = secrets;
    this.#factors = new FactorRepository(shared.db);
    this.#passkeys = new Passkeys(passkeyRecords, secrets.userHandleKey, shared.clock);
    const options = {
      ...shared,
      factors: this.#factors,
      passkeyRecords,
      passkeys: this.#passkeys,
      secrets,
    };
    this.enrolment = new Enrolment(options);
    this.verifier = new FactorVerifier(options);
  }

  /** Seals with the cloud's secret in use what its accepted one sealed. @returns the number of authenticator apps */
  reseal(): Promise<number> {
    return this.#factors.resealApps((sealed) => this.#secrets.resealTotp(sealed));
  }

  /** Request options for signing in by a passkey alone. */
  passkeySignInOptions(party: RelyingParty): Promise<PasskeyRequestOptions> {
    return this.#passkeys.signInOptions(party);
  }
}
