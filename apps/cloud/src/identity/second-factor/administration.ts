import { type Actor, recordAudit } from '../../db/audit.ts';
import { spendTokensOf } from '../../db/one-time-tokens.ts';
import type { Platform } from '../../platform.ts';
import { revokeSessions } from '../tokens/session-tokens.ts';
import { deleteApp, lockFactors, setSecondFactorAt, storeRecoveryCodes } from './factor-records.ts';
import { deletePasskeys } from './passkey-records.ts';

/**
 * Removes all second factors of an account whose user has lost them, and ends all its sessions and pending sign-ins:
 * the next sign-in is by password alone. The account is mailed.
 *
 * @returns whether it had one
 */
export function resetSecondFactor(
  { db, mail, clock }: Platform,
  actor: Actor,
  userId: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const account = await lockFactors(tx, userId);
    if (account === undefined || account.secondFactorAt === null) return false;
    const at = new Date(clock.now());
    await deleteApp(tx, userId);
    await storeRecoveryCodes(tx, userId, [], at);
    await deletePasskeys(tx, userId);
    await setSecondFactorAt(tx, userId, null);
    await revokeSessions(tx, userId, clock);
    await spendTokensOf(tx, userId, ['second_factor', 'session'], at.getTime());
    await recordAudit(tx, actor, at, { action: 'second_factor.reset', userId });
    await mail.enqueue(tx, { kind: 'second_factor', event: 'reset', userId });
    return true;
  });
}
