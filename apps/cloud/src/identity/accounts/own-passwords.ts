import { ValidationError } from '@heliograph/kit';
import type { ClientAddress } from '../../common/client-address.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import type { PasswordHashing } from '../../common/secrets/password-hashing.ts';
import type { AttemptLimits } from './attempts.ts';
import { CONFIRMATIONS_PER_ACCOUNT } from './limits.ts';
import type { AccountRecord } from './repository.ts';
import type { SignInFailures } from './sign-in-failures.ts';

export interface OwnPasswordOptions {
  readonly attempts: AttemptLimits;
  readonly failures: SignInFailures;
  readonly limits: RateLimits;
  readonly hashing: PasswordHashing;
}

/** Verifies the password of an account in one of its sessions. */
export class OwnPasswords {
  readonly #options: OwnPasswordOptions;

  constructor(options: OwnPasswordOptions) {
    this.#options = options;
  }

  /** @throws ValidationError for a wrong password; TooManyRequests; Unavailable */
  async verify(
    { id, email, passwordHash }: AccountRecord,
    client: ClientAddress,
    password: string,
  ): Promise<void> {
    // Counted as from a known network, whose attempts do not consume the points of other clients.
    const { attempts, failures, limits, hashing } = this.#options;
    const attempt = { email, network: client.network, fromKnownNetwork: true };
    const subject = { userId: id, client };
    // Counted before the password is verified, too: a thief's many sessions and networks count for one account.
    await failures.recordLockout(subject, limits.consume(CONFIRMATIONS_PER_ACCOUNT, String(id)));
    const verification = attempts.verify(attempt, () => hashing.matches(passwordHash, password));
    if (!(await failures.recordLockout(subject, verification))) {
      failures.record({ action: 'account.sign_in_failed', ...subject });
      throw new ValidationError({ password: ['is wrong'] });
    }
    await limits.reward(CONFIRMATIONS_PER_ACCOUNT, String(id));
  }
}
