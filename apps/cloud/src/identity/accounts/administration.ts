import { isLocale, NO_LOCALE } from '@heliograph/contracts';
import { type CanonicalEmail, canonicalEmail } from '@heliograph/contracts/email-address';
import { type Clock, Unprocessable, ValidationError } from '@heliograph/kit';
import { sql } from 'kysely';
import { emailViolation } from '../../common/require-email.ts';
import type { PasswordHashing } from '../../common/secrets/password-hashing.ts';
import { type Actor, type AuditEvent, recordAudit } from '../../db/audit.ts';
import { PASSWORD_TOKENS, spendTokensOf } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import { revokeSiteTokensOfUsers } from '../../db/site-tokens.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import type { InvitationService } from '../../organizations/invitations/service.ts';
import { revokeSessions } from '../tokens/session-tokens.ts';
import { AccountList, type AmbiguousAccount, type ListedAccount } from './administration-repository.ts';
import { EmailChangeRepository } from './email-change-repository.ts';
import { emailChanged } from './email-changes.ts';
import { lockAccountForChange } from './lock-account.ts';
import { passwordErrors, requireStrongPassword } from './password-rule.ts';
import { AccountRepository, personalTermsOf } from './repository.ts';

export type { AmbiguousAccount, ListedAccount } from './administration-repository.ts';

export interface AccountTerms {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string | null;
  readonly locale: string | undefined;
  readonly password: string;
  readonly staff: boolean;
  /** The organization that the account belongs to. */
  readonly organizationId: number | null;
}

/** An operator's work on accounts, without limits, confirmation mails and bot checks. */
export class AccountAdministration {
  readonly #db: Database;
  readonly #accounts: AccountRepository;
  readonly #emailChanges: EmailChangeRepository;
  readonly #list: AccountList;
  readonly #mail: MailService;
  readonly #invitations: InvitationService;
  readonly #hashing: PasswordHashing;
  readonly #clock: Clock;

  constructor(
    db: Database,
    invitations: InvitationService,
    mail: MailService,
    hashing: PasswordHashing,
    clock: Clock,
  ) {
    this.#db = db;
    this.#accounts = new AccountRepository(db);
    this.#emailChanges = new EmailChangeRepository(db);
    this.#list = new AccountList(db);
    this.#mail = mail;
    this.#invitations = invitations;
    this.#hashing = hashing;
    this.#clock = clock;
  }

  /** @param email in any spelling */
  find(email: string): Promise<ListedAccount | undefined> {
    return this.#list.find(email);
  }

  /** The accounts that are found by the exact spelling of their address alone, by id. */
  ambiguous(): Promise<AmbiguousAccount[]> {
    return this.#list.ambiguous();
  }

  /** Accounts in the order of the ids. */
  async describe(ids: readonly number[]): Promise<ListedAccount[]> {
    const accounts = new Map((await this.#list.all(ids)).map((account) => [account.id, account]));
    return ids.flatMap((id) => accounts.get(id) ?? []);
  }

  /**
   * Creates an account with a password and a confirmed address: the operator vouches for it.
   *
   * @returns its id
   * @throws ValidationError
   */
  async create(actor: Actor, terms: AccountTerms): Promise<number> {
    const account = await this.#read(terms);
    const passwordHash = await this.#hashing.hash(terms.password);
    const at = new Date(this.#clock.now());
    return this.#db.transaction().execute(async (tx) => {
      const id = await this.#accounts.add(tx, { ...account, passwordHash, confirmedAt: at });
      if (id === undefined) throw new ValidationError({ email: ['has already been taken'] });
      const { organizationId, staff } = account;
      await this.#record(tx, actor, {
        action: 'account.created',
        userId: id,
        organizationId,
        details: { staff },
      });
      return id;
    });
  }

  /**
   * Makes an account an operator of the service, or revokes that.
   *
   * @returns whether anything changed
   * @throws Unprocessable for an account with a password and an unconfirmed address: a stranger may have registered it
   */
  setStaff(actor: Actor, id: number, staff: boolean): Promise<boolean> {
    return this.#db.transaction().execute(async (tx) => {
      const locked = await lockAccountForChange(tx, id);
      if (staff && locked?.confirmedAt === null && locked.hasPassword) {
        throw new Unprocessable('Its address is not confirmed: a stranger may have registered it');
      }
      if (!(await this.#list.setStaff(tx, id, staff))) return false;
      if (!staff) await revokeSiteTokensOfOperator(tx, id, new Date(this.#clock.now()));
      const details = { staff: { from: !staff, to: staff } };
      await this.#record(tx, actor, { action: 'account.changed', userId: id, details });
      return true;
    });
  }

  /** Confirms the address of an account. @returns false if it was confirmed already */
  confirm(actor: Actor, id: number): Promise<boolean> {
    return this.#db.transaction().execute(async (tx) => {
      const locked = await lockAccountForChange(tx, id);
      if (locked === undefined || locked.confirmedAt !== null) return false;
      await this.#accounts.confirm(tx, id, new Date(this.#clock.now()));
      await this.#record(tx, actor, { action: 'account.confirmed', userId: id });
      return true;
    });
  }

  /**
   * Sets a password, which confirms the address and ends every session and link of the account.
   *
   * @throws ValidationError
   */
  async setPassword(actor: Actor, id: number, password: string): Promise<void> {
    const account = await this.#accounts.byId(id, NO_CONTEXT);
    requireStrongPassword(password, account === undefined ? [] : personalTermsOf(account));
    const passwordHash = await this.#hashing.hash(password);
    const nowMs = this.#clock.now();
    const at = new Date(nowMs);
    await this.#db.transaction().execute(async (tx) => {
      await lockAccountForChange(tx, id);
      await this.#accounts.setPassword(tx, id, { passwordHash, acceptedTerms: false, at });
      await revokeSessions(tx, id, this.#clock);
      await spendTokensOf(tx, id, PASSWORD_TOKENS, nowMs);
      await this.#record(tx, actor, { action: 'account.password_changed', userId: id });
      await this.#mail.enqueue(tx, {
        kind: 'passwordChanged',
        userId: id,
        organizationId: account?.organizationId ?? null,
        at: at.toISOString(),
        address: actor.address,
      });
    });
  }

  /**
   * Changes the email address, which the operator vouches for, and mails the former one. Sessions stay; links that were
   * mailed before and a change that was requested end. An account that has yet to set its first password is invited again
   * at the new address, and the former one, which may be a stranger's, is not mailed.
   *
   * @returns false if the account had the address already
   * @throws ValidationError when another account has it
   */
  setEmail(actor: Actor, id: number, email: CanonicalEmail): Promise<boolean> {
    const nowMs = this.#clock.now();
    return this.#db.transaction().execute(async (tx) => {
      const account = await this.#accounts.byId(id, NO_CONTEXT);
      if (account === undefined || account.email === email) return false;
      const { organizationId } = account;
      const locked = await lockAccountForChange(tx, id);
      const formerEmail = await this.#emailChanges.setEmail(tx, id, email, nowMs);
      await this.#record(tx, actor, emailChanged(id, organizationId, formerEmail, email));
      if (locked?.hasPassword !== true) {
        await this.#invitations.repeat(tx, id);
        return true;
      }
      await this.#mail.enqueue(tx, {
        kind: 'emailChanged',
        userId: id,
        organizationId,
        at: new Date(nowMs).toISOString(),
        address: actor.address,
        formerEmail,
        newEmail: email,
      });
      return true;
    });
  }

  /** @throws ValidationError that names every field at fault */
  async #read({ password, locale = 'en', organizationId, ...terms }: AccountTerms) {
    const email = canonicalEmail(terms.email);
    const emailProblem = emailViolation(terms.email);
    const names = { firstName: terms.firstName.trim(), lastName: terms.lastName.trim() };
    const passwordProblems = passwordErrors(password, personalTermsOf({ email: terms.email, ...names }));
    const exists =
      organizationId === null || (await this.#accounts.organization(organizationId)) !== undefined;
    const errors = {
      ...(emailProblem !== undefined && { email: [emailProblem] }),
      ...(names.firstName === '' && { first_name: ["can't be blank"] }),
      ...(names.lastName === '' && { last_name: ["can't be blank"] }),
      ...(passwordProblems.length > 0 && { password: passwordProblems }),
      ...(!isLocale(locale) && { locale: [NO_LOCALE] }),
      ...(!exists && { organization_id: ['does not exist'] }),
    };
    if (Object.keys(errors).length > 0 || email === undefined || !isLocale(locale))
      throw new ValidationError(errors);
    return { ...terms, ...names, email, locale, organizationId };
  }

  #record(tx: Database, actor: Actor, event: AuditEvent): Promise<void> {
    return recordAudit(tx, actor, new Date(this.#clock.now()), event);
  }
}

/** Revokes tokens for sites that the account has no role on; as an employee it can authorize those it reads again. */
async function revokeSiteTokensOfOperator(tx: Database, userId: number, at: Date): Promise<void> {
  const lost = sql`select distinct issued.site_id, issued.user_id
    from site_token_sources as issued join sites on sites.id = issued.site_id
    where issued.user_id = ${userId} and sites.owner_id <> ${userId}
    and not exists (select from site_members where site_id = sites.id and user_id = ${userId})`;
  await revokeSiteTokensOfUsers(tx, lost, at);
}

const NO_CONTEXT = { organizationId: null, network: null };
