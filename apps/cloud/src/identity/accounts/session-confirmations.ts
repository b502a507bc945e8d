import type { ConfirmedSession, ConfirmSessionBody, SessionConfirmation } from '@heliograph/contracts';
import { Unauthorized, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { ServerPlatform } from '../../platform.ts';
import type { IdentityPlatform } from '../platform.ts';
import { requestOptions } from '../second-factor/passkeys.ts';
import type { RelyingParty } from '../second-factor/relying-party.ts';
import { methodsOf, passkeyHosts, verifySecondFactor } from '../second-factor/verifier.ts';
import { markAuthenticated } from '../tokens/session-tokens.ts';
import { verifyOwnPassword } from './own-passwords.ts';
import { type AccountRecord, accountById } from './records.ts';

/** The accepted methods. @throws Unauthorized */
export async function describeSessionConfirmation(
  platform: ServerPlatform,
  caller: Caller,
  party: RelyingParty,
): Promise<SessionConfirmation> {
  const { db } = platform;
  const { id, hasSecondFactor } = await accountOf(db, caller);
  if (!hasSecondFactor) return { methods: ['password'], passkey: null, passkey_hosts: [] };
  return {
    methods: await methodsOf(db, id),
    passkey: await requestOptions(platform, id, party),
    passkey_hosts: await passkeyHosts(db, id),
  };
}

/**
 * Authenticates the user of a session again, for operations that require a fresh sign-in. With a second factor the
 * password is not enough: a thief with an open browser and the password could remove the factor.
 *
 * @throws ValidationError for a wrong or insufficient proof; Unauthorized; TooManyRequests
 */
export async function confirmSession(
  platform: IdentityPlatform,
  caller: Caller,
  { body }: InputOf<'confirmSession'>,
): Promise<ConfirmedSession> {
  const { db, clock } = platform;
  const account = await accountOf(db, caller);
  const means = account.hasSecondFactor
    ? await withSecondFactor(platform, caller, body)
    : await withPassword(platform, account, caller, body.password ?? '');
  return db.transaction().execute(async (tx) => {
    const at = await markAuthenticated(tx, caller, clock);
    const event = { action: 'session.confirmed', userId: caller.userId, details: { means } } as const;
    await recordAudit(tx, actorOf(caller), at, event);
    return { authenticated_at: at.toISOString() };
  });
}

async function withSecondFactor(
  platform: IdentityPlatform,
  caller: Caller,
  { otp, passkey }: ConfirmSessionBody,
) {
  if (otp === undefined && passkey === undefined)
    throw new ValidationError({ password: ['is not enough: show the second factor'] });
  const claimant = { actor: actorOf(caller), network: caller.network };
  try {
    const verified = verifySecondFactor(platform, caller.userId, { otp, passkey }, claimant);
    return await platform.signInFailures.recordLockout({ userId: caller.userId, client: caller }, verified);
  } catch (error) {
    // 401 would mean that the session has ended.
    if (!(error instanceof Unauthorized)) throw error;
    throw new ValidationError(
      passkey ? { passkey: ['was refused'] } : { otp: ['is wrong or was used before'] },
    );
  }
}

async function withPassword(
  platform: IdentityPlatform,
  account: AccountRecord,
  client: ClientAddress,
  password: string,
) {
  await verifyOwnPassword(platform, account, client, password);
  return 'password';
}

async function accountOf(db: Database, { userId, organizationId, network }: Caller): Promise<AccountRecord> {
  const account = await accountById(db, userId, { organizationId, network });
  if (account === undefined) throw new Unauthorized('The token is invalid or has expired');
  return account;
}
