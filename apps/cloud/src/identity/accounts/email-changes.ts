import type { AccountEmail, ConfirmedEmail } from '@heliograph/contracts';
import { NotFound, Unauthorized, ValidationError } from '@heliograph/kit';
import { actorOf, actorOfAccount, type Caller, requireFreshSignIn } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { emailKey } from '../../common/limits/email-key.ts';
import { requireEmail } from '../../common/require-email.ts';
import { type AuditEvent, recordAudit } from '../../db/audit.ts';
import { readOneTimeToken, spendOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import { LINK_LIFETIMES_MS } from '../../delivery/mail/service.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import type { IdentityPlatform } from '../platform.ts';
import { lockTokenOf } from '../tokens/session-tokens.ts';
import { invalidLink } from './confirmations.ts';
import {
  type PendingEmail,
  pendingEmail,
  removePendingEmail,
  replacePendingEmail,
  setAccountEmail,
} from './email-change-records.ts';
import { EMAIL_CHANGE_MAILS, EMAIL_CHANGES_PER_ACCOUNT } from './limits.ts';
import { lockAccountForChange, lockAccountWithPassword } from './lock-account.ts';
import { verifyOwnPassword } from './own-passwords.ts';
import { type AccountRecord, accountById } from './records.ts';

export async function getEmail({ db, clock }: Platform, caller: Caller): Promise<AccountEmail> {
  const { id, email } = await accountOf(db, caller);
  return presentEmail(email, await pendingEmail(db, id, new Date(clock.now())));
}

/**
 * Mails a link to a new address, which takes effect once the link is confirmed; the present one is notified of the request,
 * and again of the change. No account is looked up by it: neither the answer nor its time reveals whether it has
 * one.
 *
 * @throws ValidationError for a wrong password, and for the address that the account has; FreshSignInRequired of an
 * account with a second factor; Unauthorized; TooManyRequests; Unavailable
 */
export async function requestEmailChange(
  platform: IdentityPlatform,
  caller: Caller,
  { body }: InputOf<'requestEmailChange'>,
): Promise<AccountEmail> {
  const { db, limits, clock } = platform;
  const account = await accountOf(db, caller);
  // As everywhere, the password is not enough where there is a second factor.
  if (account.hasSecondFactor) requireFreshSignIn(caller, clock.now());
  const email = requireEmail(body.email);
  if (email === account.email)
    throw new ValidationError({ email: ['is the address of the account already'] });
  await verifyOwnPassword(platform, account, caller, body.password);
  await limits.consume(EMAIL_CHANGES_PER_ACCOUNT, String(account.id));
  const isMailed = await limits.tryConsume(EMAIL_CHANGE_MAILS, emailKey(email));
  return presentEmail(account.email, await store(platform, caller, account, email, isMailed));
}

/** @throws NotFound when no change is pending */
export function cancelEmailChange({ db, clock }: Platform, caller: Caller): Promise<void> {
  const { userId } = caller;
  return db.transaction().execute(async (tx) => {
    await lockAccountForChange(tx, userId);
    const email = await removePendingEmail(tx, userId, clock.now());
    if (email === undefined) throw new NotFound();
    const about = { userId, ...UNCONFIRMED, details: { email } };
    const event = { action: 'account.email_change_cancelled', ...about } as const;
    await recordAudit(tx, actorOf(caller), new Date(clock.now()), event);
  });
}

/**
 * Puts a new address in force with the token from its mail. Sessions and API tokens stay.
 *
 * @throws Unprocessable when the token is unknown, used or expired, or its request has ended; ValidationError when
 * another account has the address by now, which does not spend the token
 */
export async function confirmEmailChange(
  { db, clock, mail }: Platform,
  client: ClientAddress,
  { body: { token } }: InputOf<'confirmEmailChange'>,
): Promise<ConfirmedEmail> {
  const link = await readOneTimeToken(db, 'email_change', token, clock.now());
  const userId = link?.userId;
  if (!userId) throw invalidLink();
  return db.transaction().execute(async (tx) => {
    const nowMs = clock.now();
    await lockAccountForChange(tx, userId);
    const spent = await spendOneTimeToken(tx, 'email_change', token, nowMs);
    const email = spent && (await removePendingEmail(tx, userId, nowMs));
    if (email === undefined) throw invalidLink();
    const former = await setAccountEmail(tx, userId, requireEmail(email), nowMs);
    const { organizationId } = link;
    const event = emailChanged(userId, organizationId, former, email);
    await recordAudit(tx, actorOfAccount(userId, client), new Date(nowMs), event);
    const { address } = client;
    const notice = { formerEmail: former, newEmail: email, at: new Date(nowMs).toISOString(), address };
    await mail.enqueue(tx, { kind: 'emailChanged', userId, organizationId, ...notice });
    return { email };
  });
}

/** @returns the address that a link puts in force, without spending it @throws Unprocessable as `confirmEmailChange` */
export async function checkEmailChangeLink({ db, clock }: Platform, token: string): Promise<string> {
  const link = await readOneTimeToken(db, 'email_change', token, clock.now());
  const pending = link?.userId && (await pendingEmail(db, link.userId, new Date(clock.now())));
  if (!pending) throw invalidLink();
  return pending.email;
}

function store(
  { db, clock, mail }: Platform,
  caller: Caller,
  account: AccountRecord,
  email: string,
  isMailed: boolean,
): Promise<PendingEmail> {
  const { id: userId, passwordHash } = account;
  return db.transaction().execute(async (tx) => {
    const nowMs = clock.now();
    const at = new Date(nowMs);
    // The account before the token: a password change takes the locks in this order.
    if (!(await lockAccountWithPassword(tx, userId, passwordHash ?? ''))) throw tokenEnded();
    await lockTokenOf(tx, caller, clock);
    const pending = { email, expiresAt: new Date(nowMs + LINK_LIFETIMES_MS.email_change) };
    await replacePendingEmail(tx, userId, pending, nowMs);
    const { organizationId, address } = caller;
    const about = { userId, ...UNCONFIRMED, details: { email } };
    const event = { action: 'account.email_change_requested', ...about } as const;
    await recordAudit(tx, actorOf(caller), at, event);
    const reader = { userId, organizationId: organizationId ?? account.organizationId };
    if (isMailed) await mail.enqueue(tx, { kind: 'emailChange', ...reader, email });
    const notice = { formerEmail: account.email, newEmail: email, at: at.toISOString(), address };
    await mail.enqueue(tx, { kind: 'emailChangeRequested', ...reader, ...notice });
    return pending;
  });
}

async function accountOf(db: Database, { userId, organizationId, network }: Caller): Promise<AccountRecord> {
  const account = await accountById(db, userId, { organizationId, network });
  if (account === undefined) throw tokenEnded();
  return account;
}

/** Records of an address that is not in force are none of an organization: it may be a stranger's, mistyped. */
const UNCONFIRMED = { organizationId: null } as const;

/** The record of an address that was replaced. */
export function emailChanged(
  userId: number,
  organizationId: number | null,
  from: string,
  to: string,
): AuditEvent {
  return { action: 'account.email_changed', userId, organizationId, details: { email: { from, to } } };
}

function presentEmail(email: string, pending: PendingEmail | undefined): AccountEmail {
  return {
    email,
    pending: pending ? { email: pending.email, expires_at: pending.expiresAt.toISOString() } : null,
  };
}

function tokenEnded(): Unauthorized {
  return new Unauthorized('The token is invalid or has expired');
}
