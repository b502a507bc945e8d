import { ValidationError } from '@heliograph/kit';
import type { ClientAddress } from '../../common/client-address.ts';
import type { IdentityPlatform } from '../platform.ts';
import { verifyAttempt } from './attempts.ts';
import { CONFIRMATIONS_PER_ACCOUNT } from './limits.ts';
import type { AccountRecord } from './records.ts';

/** Verifies the password of an account in one of its sessions. @throws ValidationError for a wrong password; TooManyRequests; Unavailable */
export async function verifyOwnPassword(
  { limits, hashing, signInFailures: failures }: IdentityPlatform,
  { id, email, passwordHash }: AccountRecord,
  client: ClientAddress,
  password: string,
): Promise<void> {
  // Counted as from a known network, whose attempts do not consume the points of other clients.
  const attempt = { email, network: client.network, fromKnownNetwork: true };
  const subject = { userId: id, client };
  // Counted before the password is verified, too: a thief's many sessions and networks count for one account.
  await failures.recordLockout(subject, limits.consume(CONFIRMATIONS_PER_ACCOUNT, String(id)));
  const verification = verifyAttempt(limits, attempt, () => hashing.matches(passwordHash, password));
  if (!(await failures.recordLockout(subject, verification))) {
    failures.record({ action: 'account.sign_in_failed', ...subject });
    throw new ValidationError({ password: ['is wrong'] });
  }
  await limits.reward(CONFIRMATIONS_PER_ACCOUNT, String(id));
}
