import { isLocale, NO_LOCALE } from '@heliograph/contracts';
import { type CanonicalEmail, canonicalEmail } from '@heliograph/contracts/email-address';
import { type Clock, Unprocessable, ValidationError } from '@heliograph/kit';
import { sql } from 'kysely';
import { emailViolation } from '../../common/require-email.ts';
import { type Actor, type AuditEvent, recordAudit } from '../../db/audit.ts';
import { PASSWORD_TOKENS, spendTokensOf } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import { revokeSiteTokensOfUsers } from '../../db/site-tokens.ts';
import { repeatInvitation } from '../../organizations/invitations/invitations.ts';
import type { Platform } from '../../platform.ts';
import { revokeSessions } from '../tokens/session-tokens.ts';
import { setAccountEmail } from './email-change-records.ts';
import { emailChanged } from './email-changes.ts';
import { setStaffFlag } from './listed-accounts.ts';
import { lockAccountForChange } from './lock-account.ts';
import { selectOrganization } from './organization-choice.ts';
import { passwordErrors, requireStrongPassword } from './password-rule.ts';
import { accountById, addAccount, confirmAccount, personalTermsOf, setAccountPassword } from './records.ts';

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

/**
 * Creates an account, without limits, a confirmation mail and a bot check, with a password and a confirmed address: the operator vouches for it.
 *
 * @returns its id
 * @throws ValidationError
 */
export async function createAccount(
  { db, hashing, clock }: Platform,
  actor: Actor,
  terms: AccountTerms,
): Promise<number> {
  const account = await read(db, terms);
  const passwordHash = await hashing.hash(terms.password);
  const at = new Date(clock.now());
  return db.transaction().execute(async (tx) => {
    const id = await addAccount(tx, { ...account, passwordHash, confirmedAt: at });
    if (id === undefined) throw new ValidationError({ email: ['has already been taken'] });
    const { organizationId, staff } = account;
    await record(tx, clock, actor, {
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
export function setStaff(
  { db, clock }: Platform,
  actor: Actor,
  id: number,
  staff: boolean,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const locked = await lockAccountForChange(tx, id);
    if (staff && locked?.confirmedAt === null && locked.hasPassword) {
      throw new Unprocessable('Its address is not confirmed: a stranger may have registered it');
    }
    if (!(await setStaffFlag(tx, id, staff))) return false;
    if (!staff) await revokeSiteTokensOfOperator(tx, id, new Date(clock.now()));
    const details = { staff: { from: !staff, to: staff } };
    await record(tx, clock, actor, { action: 'account.changed', userId: id, details });
    return true;
  });
}

/** Confirms the address of an account. @returns false if it was confirmed already */
export function vouchForEmail({ db, clock }: Platform, actor: Actor, id: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const locked = await lockAccountForChange(tx, id);
    if (locked === undefined || locked.confirmedAt !== null) return false;
    await confirmAccount(tx, id, new Date(clock.now()));
    await record(tx, clock, actor, { action: 'account.confirmed', userId: id });
    return true;
  });
}

/**
 * Sets a password, which confirms the address and ends every session and link of the account.
 *
 * @throws ValidationError
 */
export async function replacePassword(
  { db, hashing, mail, clock }: Platform,
  actor: Actor,
  id: number,
  password: string,
): Promise<void> {
  const account = await accountById(db, id, NO_CONTEXT);
  requireStrongPassword(password, account === undefined ? [] : personalTermsOf(account));
  const passwordHash = await hashing.hash(password);
  const nowMs = clock.now();
  const at = new Date(nowMs);
  await db.transaction().execute(async (tx) => {
    await lockAccountForChange(tx, id);
    await setAccountPassword(tx, id, { passwordHash, acceptedTerms: false, at });
    await revokeSessions(tx, id, clock);
    await spendTokensOf(tx, id, PASSWORD_TOKENS, nowMs);
    await record(tx, clock, actor, { action: 'account.password_changed', userId: id });
    await mail.enqueue(tx, {
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
export function replaceEmail(
  { db, mail, clock }: Platform,
  actor: Actor,
  id: number,
  email: CanonicalEmail,
): Promise<boolean> {
  const nowMs = clock.now();
  return db.transaction().execute(async (tx) => {
    const account = await accountById(tx, id, NO_CONTEXT);
    if (account === undefined || account.email === email) return false;
    const { organizationId } = account;
    const locked = await lockAccountForChange(tx, id);
    const formerEmail = await setAccountEmail(tx, id, email, nowMs);
    await record(tx, clock, actor, emailChanged(id, organizationId, formerEmail, email));
    if (locked?.hasPassword !== true) {
      await repeatInvitation({ mail, clock }, tx, id);
      return true;
    }
    await mail.enqueue(tx, {
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
async function read(db: Database, { password, locale = 'en', organizationId, ...terms }: AccountTerms) {
  const email = canonicalEmail(terms.email);
  const emailProblem = emailViolation(terms.email);
  const names = { firstName: terms.firstName.trim(), lastName: terms.lastName.trim() };
  const passwordProblems = passwordErrors(password, personalTermsOf({ email: terms.email, ...names }));
  const exists = organizationId === null || (await selectOrganization(db, organizationId)) !== undefined;
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

function record(tx: Database, clock: Clock, actor: Actor, event: AuditEvent): Promise<void> {
  return recordAudit(tx, actor, new Date(clock.now()), event);
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
