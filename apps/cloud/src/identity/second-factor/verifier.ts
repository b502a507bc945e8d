import type { PasskeyAssertion, PasskeyRequestOptions, SecondFactorMethod } from '@heliograph/contracts';
import { type Clock, Unauthorized } from '@heliograph/kit';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { SecondFactorProof } from '../../db/second-factor-tables.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import type { FactorRepository } from './factor-repository.ts';
import type { FactorSecrets } from './factor-secrets.ts';
import { SECOND_FACTORS_PER_ACCOUNT, SECOND_FACTORS_PER_PAIR } from './limits.ts';
import type { PasskeyRepository } from './passkey-repository.ts';
import { ClonedPasskey, type Passkeys } from './passkeys.ts';
import { readRecoveryCode } from './recovery-codes.ts';
import type { RelyingParty } from './relying-party.ts';
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

export interface FactorVerifierOptions {
  readonly db: Database;
  readonly factors: FactorRepository;
  readonly passkeyRecords: PasskeyRepository;
  readonly passkeys: Passkeys;
  readonly secrets: FactorSecrets;
  readonly mail: MailService;
  readonly limits: RateLimits;
  readonly clock: Clock;
}

/** Verifies second factors. Each code and each signature is accepted once. */
export class FactorVerifier {
  readonly #options: FactorVerifierOptions;

  constructor(options: FactorVerifierOptions) {
    this.#options = options;
  }

  /** The methods of an account, the best first. */
  async methodsOf(userId: number, db?: Database): Promise<SecondFactorMethod[]> {
    const { factors, passkeyRecords } = this.#options;
    const app = await factors.app(userId, db);
    const passkeys = await passkeyRecords.list(userId, db);
    const codes = await factors.recoveryCodesLeft(userId, db);
    return [
      ...(app?.confirmedAt ? (['totp'] as const) : []),
      ...(passkeys.length > 0 ? (['passkey'] as const) : []),
      ...(codes > 0 ? (['recovery_code'] as const) : []),
    ];
  }

  /** @returns null when the account has no passkey for the host */
  passkeyOptions(userId: number, party: RelyingParty): Promise<PasskeyRequestOptions | null> {
    return this.#options.passkeys.requestOptions(userId, party);
  }

  /** Each host that a passkey of the account was added at. */
  async passkeyHosts(userId: number): Promise<string[]> {
    const passkeys = await this.#options.passkeyRecords.list(userId);
    return [...new Set(passkeys.map(({ rpId }) => rpId))];
  }

  /**
   * @throws Unauthorized alike for a wrong and for a used one; TooManyRequests
   */
  async verify(userId: number, presented: PresentedFactor, claimant: Claimant): Promise<SecondFactorProof> {
    const { limits } = this.#options;
    const pair = `${claimant.network} ${userId}`;
    // Counted before it is verified, so that concurrent attempts all count.
    await limits.consume(SECOND_FACTORS_PER_PAIR, pair);
    await limits.consume(SECOND_FACTORS_PER_ACCOUNT, String(userId));
    const proof = await this.#proofOf(userId, presented, claimant);
    if (proof === undefined) {
      await this.#record(userId, claimant, 'second_factor.refused', { with: 'code' });
      throw new Unauthorized('The code is wrong or was used before');
    }
    await limits.reset(SECOND_FACTORS_PER_PAIR, pair);
    await limits.reward(SECOND_FACTORS_PER_ACCOUNT, String(userId));
    return proof;
  }

  /** Verifies a passkey as the only proof. @returns its owner's id @throws Unauthorized */
  async verifyPasskeyOnly(passkey: PasskeyAssertion, claimant: Claimant): Promise<number> {
    try {
      return await this.#options.passkeys.verify(null, passkey);
    } catch (error) {
      if (error instanceof ClonedPasskey) await this.#reportClone(error, claimant);
      throw error;
    }
  }

  async #proofOf(
    userId: number,
    { otp, passkey }: PresentedFactor,
    claimant: Claimant,
  ): Promise<SecondFactorProof | undefined> {
    if (passkey !== undefined) return this.#withPasskey(userId, passkey, claimant);
    if (otp === undefined) return undefined;
    if (await this.#isTotp(userId, otp)) return 'totp';
    return (await this.#spendRecoveryCode(userId, otp, claimant)) ? 'recovery_code' : undefined;
  }

  async #withPasskey(
    userId: number,
    passkey: PasskeyAssertion,
    claimant: Claimant,
  ): Promise<SecondFactorProof | undefined> {
    try {
      await this.#options.passkeys.verify(userId, passkey);
      return 'passkey';
    } catch (error) {
      if (error instanceof ClonedPasskey) {
        await this.#reportClone(error, claimant);
        throw error;
      }
      if (error instanceof Unauthorized) {
        await this.#record(userId, claimant, 'second_factor.refused', { with: 'passkey' });
      }
      throw error;
    }
  }

  async #isTotp(userId: number, otp: string): Promise<boolean> {
    const { factors, secrets, clock } = this.#options;
    const app = await factors.app(userId);
    if (app === undefined || app.confirmedAt === null) return false;
    const step = await totpStepOf(secrets.openTotp(app.sealed), otp, clock.now());
    return step !== undefined && factors.spendStep(userId, step, new Date(clock.now()));
  }

  #spendRecoveryCode(userId: number, otp: string, { actor }: Claimant): Promise<boolean> {
    const { db, factors, secrets, mail, clock } = this.#options;
    const code = readRecoveryCode(otp);
    if (code === undefined) return Promise.resolve(false);
    return db.transaction().execute(async (tx) => {
      const at = new Date(clock.now());
      if (!(await factors.spendRecoveryCode(tx, userId, secrets.recoveryCodeHashes(userId, code), at)))
        return false;
      const left = await factors.recoveryCodesLeft(userId, tx);
      await recordAudit(tx, actor, at, { action: 'recovery_code.used', userId, details: { left } });
      await mail.enqueue(tx, { kind: 'second_factor', event: 'code_used', userId, left });
      return true;
    });
  }

  async #reportClone({ userId, passkeyName }: ClonedPasskey, claimant: Claimant): Promise<void> {
    await this.#record(userId, claimant, 'passkey.clone_refused', { name: passkeyName });
  }

  #record(
    userId: number,
    { actor }: Claimant,
    action: 'second_factor.refused' | 'passkey.clone_refused',
    details: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { db, clock } = this.#options;
    return recordAudit(db, actor, new Date(clock.now()), { action, userId, details });
  }
}
