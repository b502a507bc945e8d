import type { Clock } from '@heliograph/kit';
import { type Actor, recordAudit } from '../../db/audit.ts';
import { spendTokensOf } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import { revokeSessions } from '../tokens/session-tokens.ts';
import { FactorRepository } from './factor-repository.ts';
import { PasskeyRepository } from './passkey-repository.ts';

export interface SecondFactorAdministrationOptions {
  readonly db: Database;
  readonly mail: MailService;
  readonly clock: Clock;
}

export class SecondFactorAdministration {
  readonly #options: SecondFactorAdministrationOptions;
  readonly #factors: FactorRepository;
  readonly #passkeys: PasskeyRepository;

  constructor(options: SecondFactorAdministrationOptions) {
    this.#options = options;
    this.#factors = new FactorRepository(options.db);
    this.#passkeys = new PasskeyRepository(options.db);
  }

  /**
   * Removes all second factors of an account whose user has lost them, and ends all its sessions and pending sign-ins:
   * the next sign-in is by password alone. The account is mailed.
   *
   * @returns whether it had one
   */
  reset(actor: Actor, userId: number): Promise<boolean> {
    const { db, mail, clock } = this.#options;
    return db.transaction().execute(async (tx) => {
      const account = await this.#factors.lockAccount(tx, userId);
      if (account === undefined || account.secondFactorAt === null) return false;
      const at = new Date(clock.now());
      await this.#factors.removeApp(tx, userId);
      await this.#factors.replaceRecoveryCodes(tx, userId, [], at);
      await this.#passkeys.removeAll(tx, userId);
      await this.#factors.setSecondFactorAt(tx, userId, null);
      await revokeSessions(tx, userId, clock);
      await spendTokensOf(tx, userId, ['second_factor', 'session'], at.getTime());
      await recordAudit(tx, actor, at, { action: 'second_factor.reset', userId });
      await mail.enqueue(tx, { kind: 'second_factor', event: 'reset', userId });
      return true;
    });
  }
}
