import type { AuditAction } from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { emailKey } from '../../common/limits/email-key.ts';
import { requireEmail } from '../../common/require-email.ts';
import { recordAudit } from '../../db/audit.ts';
import { spendTokensOf } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import type { Platform } from '../../platform.ts';
import {
  INVITATION_MAIL_GAP_MS,
  INVITATION_MAILS,
  INVITATIONS_PER_ADDRESS,
  INVITATIONS_PER_CALLER,
  INVITATIONS_PER_PERSON,
  SITE_INVITATION_MAILS,
} from './limits.ts';
import {
  addAccount,
  findInvited,
  type InvitedAccount,
  invitationLocale,
  lastInvitation,
  lockInvited,
  markInvited,
  resetAccount,
} from './rows.ts';

/** The invited person as the inviter describes them. A team requires names unless the address has a confirmed account. */
export interface Invitee {
  readonly email: string;
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
}

/** The site or team that an account is invited to. */
export interface Destination {
  /** The organization whose name the mail bears. */
  readonly organizationId: number | null;
  /** Null when it is no site. */
  readonly siteId: number | null;
  /** A new account becomes a customer of the organization; not so in its team. */
  readonly makesCustomer: boolean;
}

/** The limits allow an invitation, with or without a mail. */
export interface Admission {
  readonly mailAllowed: boolean;
}

/**
 * Counts an invitation, unless it is an operator's at the console. Called before the transaction that invites, and
 * after the caller's permission is checked: strangers must not exhaust an address's limit of mails.
 *
 * @throws TooManyRequests
 */
export async function admitInvitation(
  platform: Platform,
  { kind, userId, network }: Caller,
  email: string,
  { siteId, organizationId }: Pick<Destination, 'siteId' | 'organizationId'>,
): Promise<Admission> {
  if (kind === 'console') return { mailAllowed: true };
  await platform.limits.consume(INVITATIONS_PER_ADDRESS, network);
  await platform.limits.consume(INVITATIONS_PER_CALLER, String(userId));
  const person = emailKey(email);
  // Whether or not the address has an account, which the answer does not reveal.
  const destination = siteId === null ? `organization ${organizationId}` : `site ${siteId}`;
  await platform.limits.consume(INVITATIONS_PER_PERSON, `${userId} ${destination} ${person}`);
  return { mailAllowed: await platform.limits.tryConsume(INVITATION_MAILS, person) };
}

/** Whether a site may mail a person who can sign in, and has not accepted it, about a role. Counts the mail. */
export function maySendInvitation(
  platform: Platform,
  siteId: number,
  email: string,
  about: 'access' | 'ownership' | 'return',
): Promise<boolean> {
  return platform.limits.tryConsume(SITE_INVITATION_MAILS, `${siteId} ${emailKey(email)} ${about}`);
}

/**
 * The account of the invited person. A missing one is created, without a password; an unconfirmed one is reset to a new
 * one, since a stranger may have registered the address: the mailed link is then the only way to sign in. Part of the
 * transaction that grants the account its access.
 *
 * @param isMember true for an account that is a member already, and only gets another role
 * @throws ValidationError when a name is missing: of a new or an unconfirmed account; for an ambiguous address without one
 */
export async function invitedAccount(
  platform: Platform,
  tx: Database,
  caller: Caller,
  invitee: Invitee,
  destination: Destination,
  { mailAllowed }: Admission,
  isMember: (userId: number) => Promise<boolean> = async () => false,
): Promise<InvitedAccount> {
  const account = await findOrCreate(platform, tx, caller, invitee, destination, isMember);
  if (account.pending && mailAllowed)
    await mailInvitation(platform, tx, account.id, caller.userId, destination);
  return account;
}

/** Mails an account without a password its invitation again, at once: its address has changed. */
export async function repeatInvitation(
  platform: Pick<Platform, 'mail' | 'clock'>,
  tx: Database,
  userId: number,
): Promise<void> {
  const last = await lastInvitation(tx, userId);
  if (last === undefined) return;
  const at = new Date(platform.clock.now());
  await markInvited(tx, userId, at, at);
  await platform.mail.enqueue(tx, { kind: 'invitation', userId, ...last });
}

async function findOrCreate(
  platform: Platform,
  tx: Database,
  caller: Caller,
  invitee: Invitee,
  destination: Destination,
  isMember: (userId: number) => Promise<boolean>,
): Promise<InvitedAccount> {
  const { organizationId, makesCustomer } = destination;
  const found = await lockInvited(tx, invitee.email);
  const isKnown = found !== undefined && (await isMember(found.id));
  if (found?.confirmed) return found;
  if (isKnown && !found.hasPassword) return found;
  const locale = (await invitationLocale(tx, organizationId, caller.userId)) ?? 'en';
  const profile = { ...namesOf(invitee), locale, organizationId: makesCustomer ? organizationId : null };
  if (found !== undefined) {
    await resetAccount(tx, found.id, profile);
    await spendTokensOf(tx, found.id, ['confirm', 'pending'], platform.clock.now());
    if (found.hasPassword)
      await record(platform, tx, caller, 'account.registration_voided', found.id, destination);
    return { ...found, ...namesOf(invitee), hasPassword: false };
  }
  const email = requireEmail(invitee.email);
  const id = await addAccount(tx, email, profile);
  if (id === undefined) {
    // Added concurrently; else an account of the release before has it, in a spelling that does not lead to it yet.
    const isFound = (await findInvited(tx, email)) !== undefined;
    if (!isFound) throw new ValidationError({ email: ['has already been taken'] });
    return findOrCreate(platform, tx, caller, invitee, destination, isMember);
  }
  await record(platform, tx, caller, 'account.created', id, destination);
  return { id, email, ...namesOf(invitee), pending: true, confirmed: false, hasPassword: false };
}

function record(
  platform: Platform,
  tx: Database,
  caller: Caller,
  action: AuditAction,
  userId: number,
  { organizationId, siteId }: Destination,
): Promise<void> {
  // Not in the log of a site: that there was no account is not its to know.
  const event = { action, userId, organizationId: siteId === null ? organizationId : null };
  return recordAudit(tx, actorOf(caller), new Date(platform.clock.now()), event);
}

async function mailInvitation(
  platform: Platform,
  tx: Database,
  userId: number,
  invitedBy: number,
  destination: Destination,
): Promise<void> {
  const nowMs = platform.clock.now();
  const isDue = await markInvited(tx, userId, new Date(nowMs), new Date(nowMs - INVITATION_MAIL_GAP_MS));
  const { organizationId, siteId } = destination;
  if (isDue)
    await platform.mail.enqueue(tx, { kind: 'invitation', userId, invitedBy, organizationId, siteId });
}

/** @throws ValidationError */
export function namesOf({ firstName, lastName }: Omit<Invitee, 'email'>): {
  firstName: string;
  lastName: string;
} {
  const names = { firstName: firstName?.trim() ?? '', lastName: lastName?.trim() ?? '' };
  const errors = {
    ...(names.firstName === '' && { first_name: ["can't be blank"] }),
    ...(names.lastName === '' && { last_name: ["can't be blank"] }),
  };
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
  return names;
}
