import type { PasskeyAssertion, SecondFactorMethod } from '@heliograph/contracts';
import { Unauthorized } from '@heliograph/kit';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { SecondFactorProof } from '../../db/tables/identity.ts';
import type { ServerPlatform } from '../../platform.ts';
import { recoveryCodesLeft, selectApp, spendRecoveryCode, spendStep } from './factor-records.ts';
import { openTotp, recoveryKeys } from './factor-secrets.ts';
import { SECOND_FACTORS_PER_ACCOUNT, SECOND_FACTORS_PER_PAIR } from './limits.ts';
import { selectPasskeys } from './passkey-records.ts';
import { ClonedPasskey, verifyPasskey } from './passkeys.ts';
import { readRecoveryCode, recoveryCodeHash } from './recovery-codes.ts';
import { totpStepOf } from './totp.ts';

/** A code, or the assertion of an authenticator. */
export interface PresentedFactor {
  readonly otp?: string | undefined;
  readonly passkey?: PasskeyAssertion | undefined;
}

/** The actor in audit records, and the network that attempts are counted by. */
export interface Claimant {
  readonly actor: Actor;
  readonly network: string | null;
}

/** The methods of an account, the best first. */
export async function methodsOf(db: Database, userId: number): Promise<SecondFactorMethod[]> {
  const app = await selectApp(db, userId);
  const passkeys = await selectPasskeys(db, userId);
  const codes = await recoveryCodesLeft(db, userId);
  return [
    ...(app?.confirmedAt ? (['totp'] as const) : []),
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
    ...(codes > 0 ? (['recovery_code'] as const) : []),
  ];
}

/** Each host that a passkey of the account was added at. */
export async function passkeyHosts(db: Database, userId: number): Promise<string[]> {
  const passkeys = await selectPasskeys(db, userId);
  return [...new Set(passkeys.map(({ rpId }) => rpId))];
}

/**
 * @throws Unauthorized alike for a wrong and for a used one; TooManyRequests
 */
export async function verifySecondFactor(
  platform: ServerPlatform,
  userId: number,
  presented: PresentedFactor,
  claimant: Claimant,
): Promise<SecondFactorProof> {
  const { limits } = platform;
  const pair = `${claimant.network} ${userId}`;
  // Counted before it is verified, so that concurrent attempts all count.
  await limits.consume(SECOND_FACTORS_PER_PAIR, pair);
  await limits.consume(SECOND_FACTORS_PER_ACCOUNT, String(userId));
  const proof = await proofOf(platform, userId, presented, claimant);
  if (proof === undefined) {
    await record(platform, userId, claimant, 'second_factor.refused', { with: 'code' });
    throw new Unauthorized('The code is wrong or was used before');
  }
  await limits.reset(SECOND_FACTORS_PER_PAIR, pair);
  await limits.reward(SECOND_FACTORS_PER_ACCOUNT, String(userId));
  return proof;
}

/** Verifies a passkey as the only proof. @returns its owner's id @throws Unauthorized */
export async function verifyPasskeyOnly(
  platform: ServerPlatform,
  passkey: PasskeyAssertion,
  claimant: Claimant,
): Promise<number> {
  try {
    return await verifyPasskey(platform, null, passkey);
  } catch (error) {
    if (error instanceof ClonedPasskey) await reportClone(platform, error, claimant);
    throw error;
  }
}

async function proofOf(
  platform: ServerPlatform,
  userId: number,
  { otp, passkey }: PresentedFactor,
  claimant: Claimant,
): Promise<SecondFactorProof | undefined> {
  if (passkey !== undefined) return withPasskey(platform, userId, passkey, claimant);
  if (otp === undefined) return undefined;
  if (await isTotp(platform, userId, otp)) return 'totp';
  return (await acceptRecoveryCode(platform, userId, otp, claimant)) ? 'recovery_code' : undefined;
}

async function withPasskey(
  platform: ServerPlatform,
  userId: number,
  passkey: PasskeyAssertion,
  claimant: Claimant,
): Promise<SecondFactorProof | undefined> {
  try {
    await verifyPasskey(platform, userId, passkey);
    return 'passkey';
  } catch (error) {
    if (error instanceof ClonedPasskey) {
      await reportClone(platform, error, claimant);
      throw error;
    }
    if (error instanceof Unauthorized) {
      await record(platform, userId, claimant, 'second_factor.refused', { with: 'passkey' });
    }
    throw error;
  }
}

async function isTotp({ db, config, clock }: ServerPlatform, userId: number, otp: string): Promise<boolean> {
  const app = await selectApp(db, userId);
  if (app === undefined || app.confirmedAt === null) return false;
  const step = await totpStepOf(openTotp(config.secret, app.sealed), otp, clock.now());
  return step !== undefined && spendStep(db, userId, step, new Date(clock.now()));
}

function acceptRecoveryCode(
  { db, config, mail, clock }: ServerPlatform,
  userId: number,
  otp: string,
  { actor }: Claimant,
): Promise<boolean> {
  const code = readRecoveryCode(otp);
  if (code === undefined) return Promise.resolve(false);
  return db.transaction().execute(async (tx) => {
    const at = new Date(clock.now());
    const hashes = recoveryKeys(config.secret).map((key) => recoveryCodeHash(key, userId, code));
    if (!(await spendRecoveryCode(tx, userId, hashes, at))) return false;
    const left = await recoveryCodesLeft(tx, userId);
    await recordAudit(tx, actor, at, { action: 'recovery_code.used', userId, details: { left } });
    await mail.enqueue(tx, { kind: 'second_factor', event: 'code_used', userId, left });
    return true;
  });
}

async function reportClone(
  platform: ServerPlatform,
  { userId, passkeyName }: ClonedPasskey,
  claimant: Claimant,
): Promise<void> {
  await record(platform, userId, claimant, 'passkey.clone_refused', { name: passkeyName });
}

function record(
  { db, clock }: ServerPlatform,
  userId: number,
  { actor }: Claimant,
  action: 'second_factor.refused' | 'passkey.clone_refused',
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  return recordAudit(db, actor, new Date(clock.now()), { action, userId, details });
}
