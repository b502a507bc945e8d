import {
  EMAIL_PATTERN,
  type Empty,
  NO_EMAIL_ADDRESS,
  type Session,
  type SetPasswordBody,
} from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import { actorOfAccount } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { emailKey } from '../../common/limits/email-key.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import {
  PASSWORD_TOKENS,
  readOneTimeToken,
  spendOneTimeToken,
  spendTokensOf,
} from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import { acceptByLink, isInvited } from '../../organizations/team/team-invitations.ts';
import type { Platform, ServerPlatform } from '../../platform.ts';
import { acceptVerification } from '../bot-check/bot-check.ts';
import { revokeSessions } from '../tokens/session-tokens.ts';
import type { OrganizationName } from '../users/present.ts';
import { resetAttempts } from './attempts.ts';
import { invalidLink } from './confirmations.ts';
import { RESET_MAILS, RESETS_PER_ADDRESS, RESETS_PER_PAIR } from './limits.ts';
import { lockAccountForChange } from './lock-account.ts';
import { chosenOrganization, organizationNotOfAccount } from './organization-choice.ts';
import { passwordErrors, requireStrongPassword } from './password-rule.ts';
import { type AccountRecord, accountById, personalTermsOf, setAccountPassword } from './records.ts';
import { openInTransaction, openSession } from './sessions.ts';

/** A mailed link sets another password, or the first one of an invited account. */
export type PasswordLink = 'reset' | 'invite';

/** Accepts the invitation to a site, for the account that sets its first password with its link. */
export type AcceptSiteInvitation = (
  platform: Platform,
  tx: Database,
  actor: Actor,
  siteId: number,
  userId: number,
) => Promise<void>;

/**
 * Queues a mail with a link. The account is looked up when the mail is written: nothing here depends on it, so
 * neither the answer nor its time reveals whether the address has one.
 *
 * @throws ValidationError, TooManyRequests
 */
export async function requestPasswordReset(
  platform: ServerPlatform,
  { network }: ClientAddress,
  { body }: InputOf<'requestPasswordReset'>,
): Promise<Empty> {
  const { db, limits, mail } = platform;
  const email = body.email.trim();
  refuseNoAddress(email);
  const organization = await chosenOrganization(db, body.organization_id ?? null);
  const key = emailKey(email);
  // First: requests without a passed check must not use up the limits of a household.
  await acceptVerification(platform, body.verification_token);
  await limits.consume(RESETS_PER_ADDRESS, network);
  await limits.consume(RESETS_PER_PAIR, `${network} ${key}`);
  if (await limits.tryConsume(RESET_MAILS, key)) {
    const job = { kind: 'reset', email, organizationId: organization?.id ?? null } as const;
    await db.transaction().execute((tx) => mail.enqueue(tx, job));
  }
  return {};
}

/**
 * Sets a password with the token of a mail, which confirms the address, ends every other session and link of the
 * account, and opens a session. A refused password does not spend the token.
 *
 * @throws ValidationError; Unprocessable when the token is unknown, used or expired; Unavailable; SecondFactorRequired
 * once the password is set
 */
export async function setPasswordByLink(
  platform: Platform,
  acceptSiteInvitation: AcceptSiteInvitation,
  link: PasswordLink,
  token: string,
  body: SetPasswordBody,
  client: ClientAddress,
): Promise<Session> {
  const errors = newPasswordErrors(body);
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
  const { account, organization, employerId, siteId } = await readLink(
    platform,
    link,
    token,
    body.organization_id,
    client,
  );
  requireStrongPassword(body.password, [...personalTermsOf(account), organization?.name ?? '']);
  const changes = {
    link,
    token,
    employerId,
    siteId,
    passwordHash: await platform.hashing.hash(body.password),
    acceptedTerms: body.accepted_terms === true,
  };
  const session = await change(platform, acceptSiteInvitation, account, organization, changes, client);
  await resetAttempts(platform.limits, { email: account.email, network: client.network });
  return session;
}

/**
 * Checks a link without spending it. It reveals no more than its use does.
 *
 * @throws as `setPasswordByLink`
 */
export async function checkPasswordLink(
  platform: Platform,
  link: PasswordLink,
  token: string,
  client: ClientAddress,
): Promise<void> {
  await readLink(platform, link, token, 'none', client);
}

async function readLink(
  platform: Platform,
  link: PasswordLink,
  token: string,
  organizationId: SetPasswordBody['organization_id'],
  { network }: ClientAddress,
): Promise<{
  readonly account: AccountRecord;
  readonly organization: OrganizationName | null;
  readonly employerId: number | null;
  readonly siteId: number | null;
}> {
  const { db, clock } = platform;
  const known = await readOneTimeToken(db, link, token, clock.now());
  if (!known?.userId) throw invalidLink();
  const organization = await chosenOrganization(db, organizationId);
  const account = await accountById(db, known.userId, { organizationId: organization?.id ?? null, network });
  if (account === undefined) throw invalidLink();
  const invitation = { organizationId: known.organizationId ?? 0, userId: known.userId };
  const mayWork = known.acceptsEmployment && (await isInvited(platform, invitation));
  const employerId = mayWork ? known.organizationId : null;
  if (!account.hasOrganizationAccess && organization?.id !== employerId) throw organizationNotOfAccount();
  return { account, organization, employerId, siteId: known.acceptsSiteId };
}

function change(
  platform: Platform,
  acceptSiteInvitation: AcceptSiteInvitation,
  account: AccountRecord,
  organization: OrganizationName | null,
  change: {
    readonly link: PasswordLink;
    readonly token: string;
    readonly passwordHash: string;
    readonly acceptedTerms: boolean;
    /** The organization whose invitation the link accepts. */
    readonly employerId: number | null;
    /** The site whose invitation the link accepts. */
    readonly siteId: number | null;
  },
  client: ClientAddress,
): Promise<Session> {
  const { db, clock, mail } = platform;
  const { id } = account;
  return openInTransaction(db, async (tx) => {
    const nowMs = clock.now();
    const at = new Date(nowMs);
    const actor = actorOfAccount(id, client);
    if (change.employerId !== null) {
      const employment = { organizationId: change.employerId, userId: id };
      const isAccepted = await acceptByLink(platform, tx, actor, employment);
      if (!isAccepted && !account.hasOrganizationAccess) throw organizationNotOfAccount();
    }
    if (change.siteId !== null) await acceptSiteInvitation(platform, tx, actor, change.siteId, id);
    const locked = await lockAccountForChange(tx, id);
    const spent = await spendOneTimeToken(tx, change.link, change.token, nowMs);
    if (locked === undefined || spent === undefined) throw invalidLink();
    await setAccountPassword(tx, id, { ...change, at });
    // The organization whose invitation is accepted decides, not that of the latest invitation.
    if (change.link === 'invite' && locked.confirmedAt === null) {
      const organization_id = spent.acceptsEmployment ? null : spent.organizationId;
      await tx.updateTable('users').set({ organization_id }).where('id', '=', id).execute();
    }
    await revokeSessions(tx, id, clock);
    await spendTokensOf(tx, id, PASSWORD_TOKENS, nowMs);
    const about = { userId: id, organizationId: organization?.id ?? null };
    const details = { link: change.link };
    await recordAudit(tx, actor, at, { action: 'account.password_changed', ...about, details });
    if (locked.confirmedAt === null)
      await recordAudit(tx, actor, at, { action: 'account.confirmed', ...about });
    await mail.enqueue(tx, {
      kind: 'passwordChanged',
      userId: id,
      organizationId: organization?.id ?? account.organizationId,
      at: at.toISOString(),
      address: client.address,
    });
    const means = change.link === 'invite' ? 'invitation' : 'reset';
    return openSession(platform, tx, { account, organization, client, means, factor: null });
  });
}

const EMAIL = new RegExp(EMAIL_PATTERN);

function refuseNoAddress(email: string): void {
  if (email === '') throw new ValidationError({ email: ["can't be blank"] });
  if (!EMAIL.test(email)) throw new ValidationError({ email: [NO_EMAIL_ADDRESS] });
}

/** Errors of the fields that are given, by rules that need no link. */
export function newPasswordErrors({
  password,
  password_confirmation,
  accepted_terms,
}: Partial<SetPasswordBody>): Record<string, readonly string[]> {
  const passwordProblems = password === undefined ? [] : passwordErrors(password);
  const differs =
    password !== undefined && password_confirmation !== undefined && password_confirmation !== password;
  return {
    ...(passwordProblems.length > 0 && { password: passwordProblems }),
    ...(differs && { password_confirmation: ["doesn't match the password"] }),
    ...(accepted_terms === false && { accepted_terms: ['must be accepted'] }),
  };
}
