import type { ConfirmUserBody, Session } from '@heliograph/contracts';
import { BadRequest, type Clock, Unprocessable } from '@heliograph/kit';
import { actorOfAccount } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import { recordAudit } from '../../db/audit.ts';
import {
  issueOneTimeToken,
  readOneTimeToken,
  spendOneTimeToken,
  spendTokensOf,
} from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import type { Platform, ServerPlatform } from '../../platform.ts';
import { CONFIRMATION_MAIL_GAP_MS, CONFIRMATION_MAILS } from './limits.ts';
import { lockAccountForChange, lockAccountWithPassword } from './lock-account.ts';
import { chosenOrganization, organizationNotOfAccount } from './organization-choice.ts';
import { type AccountRecord, accountById, confirmAccount, markConfirmationMailed } from './records.ts';
import { openInTransaction, openSession } from './sessions.ts';

/** A client polls this long at most for the click on the mailed link. */
const PENDING_LIFETIME_MS = 10 * 60 * 1000;

/** Queues the mail. @returns a pending token, which signs in once the address is confirmed */
export async function requestConfirmation(
  { mail, clock }: Platform,
  tx: Database,
  userId: number,
  organizationId: number | null,
): Promise<string> {
  await mail.enqueue(tx, { kind: 'confirmation', userId, organizationId });
  return pendingToken(tx, clock, userId, organizationId);
}

/**
 * As `requestConfirmation`, at a further sign-in; a mail is sent only if the last one is some time ago.
 *
 * @param passwordHash the hash that the password was verified against
 * @returns undefined when the account has another password by now: the old one must not open a session
 */
export async function requestConfirmationAgain(
  { db, clock, limits, mail }: Platform,
  account: AccountRecord,
  passwordHash: string,
  organizationId: number | null,
): Promise<string | undefined> {
  const nowMs = clock.now();
  const notSince = new Date(nowMs - CONFIRMATION_MAIL_GAP_MS);
  const mailAllowed = await canMail(limits, account, notSince);
  return db.transaction().execute(async (tx) => {
    const { id } = account;
    if (!(await lockAccountWithPassword(tx, id, passwordHash))) return undefined;
    if (mailAllowed && (await markConfirmationMailed(tx, id, new Date(nowMs), notSince))) {
      const brand = organizationId ?? account.organizationId;
      await mail.enqueue(tx, { kind: 'confirmation', userId: id, organizationId: brand });
    }
    return pendingToken(tx, clock, id, organizationId);
  });
}

/**
 * Confirms an address with the token of its mail and opens a session.
 *
 * @throws BadRequest without an organization; ValidationError when it does not exist or is none the account may
 * enter; Unprocessable when the token is unknown, used or expired; SecondFactorRequired
 */
export async function confirmUser(
  platform: ServerPlatform,
  client: ClientAddress,
  { body: { token, organization_id: choice } }: { readonly body: ConfirmUserBody },
): Promise<Session> {
  const { db, config, clock } = platform;
  // If it may be left out, the organization of the mail counts.
  if (choice === undefined && !config.confirmWithoutOrganization)
    throw new BadRequest('organization_id is missing');
  const link = await readOneTimeToken(db, 'confirm', token, clock.now());
  if (!link?.userId) throw invalidLink();
  const organization = await chosenOrganization(db, choice ?? link.organizationId);
  const context = { organizationId: organization?.id ?? null, network: client.network };
  const account = await accountById(db, link.userId, context);
  if (account === undefined) throw invalidLink();
  if (!account.hasOrganizationAccess) throw organizationNotOfAccount();
  return openInTransaction(db, async (tx) => {
    const at = new Date(clock.now());
    await lockAccountForChange(tx, account.id);
    if ((await spendOneTimeToken(tx, 'confirm', token, clock.now())) === undefined) throw invalidLink();
    // Links of other confirmation mails are spent, too.
    await spendTokensOf(tx, account.id, ['confirm'], clock.now());
    await confirmAccount(tx, account.id, at);
    const event = { action: 'account.confirmed', userId: account.id, ...context } as const;
    await recordAudit(tx, actorOfAccount(account.id, client), at, event);
    return openSession(platform, tx, { account, organization, client, means: 'confirmation', factor: null });
  });
}

/** @returns the address that a link confirms, without spending it @throws Unprocessable as `confirmUser` */
export async function checkConfirmationLink(
  { db, clock }: Platform,
  token: string,
  { network }: ClientAddress,
): Promise<string> {
  const link = await readOneTimeToken(db, 'confirm', token, clock.now());
  const account = link?.userId && (await accountById(db, link.userId, { organizationId: null, network }));
  if (!account) throw invalidLink();
  return account.email;
}

async function canMail(
  limits: RateLimits,
  { id, confirmationMailedAt }: AccountRecord,
  notSince: Date,
): Promise<boolean> {
  if (confirmationMailedAt !== null && confirmationMailedAt > notSince) return false;
  return limits.tryConsume(CONFIRMATION_MAILS, String(id));
}

function pendingToken(
  tx: Database,
  clock: Clock,
  userId: number,
  organizationId: number | null,
): Promise<string> {
  const lifetime = { nowMs: clock.now(), lifetimeMs: PENDING_LIFETIME_MS };
  return issueOneTimeToken(tx, 'pending', { userId, organizationId }, lifetime);
}

/** One error for unknown, used and expired links, so that attempts reveal nothing. */
export function invalidLink(): Unprocessable {
  return new Unprocessable('The link is invalid, was used already or has expired');
}
