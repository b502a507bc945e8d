import type { ConfirmUserBody, Session } from '@heliograph/contracts';
import { BadRequest, type Clock, Unprocessable } from '@heliograph/kit';
import { actorOfAccount } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { recordAudit } from '../../db/audit.ts';
import {
  issueOneTimeToken,
  readOneTimeToken,
  spendOneTimeToken,
  spendTokensOf,
} from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import type { MailService } from '../mail/service.ts';
import { CONFIRMATION_MAIL_GAP_MS, CONFIRMATION_MAILS } from './limits.ts';
import { lockAccountForChange, lockAccountWithPassword } from './lock-account.ts';
import { chosenOrganization, organizationNotFound } from './organization-choice.ts';
import type { AccountRecord, AccountRepository } from './repository.ts';
import type { Sessions } from './sessions.ts';

/** How long a client may wait for somebody to click the link in the mail. */
const PENDING_LIFETIME_MS = 10 * 60 * 1000;

export interface ConfirmationOptions {
  readonly db: Database;
  readonly accounts: AccountRepository;
  readonly sessions: Sessions;
  readonly mail: MailService;
  readonly limits: RateLimits;
  readonly clock: Clock;
  /** Whether the organization may be left out, which then is the one that the mail was sent for. */
  readonly isOrganizationOptional: boolean;
}

/** How an email address is confirmed: the mail, the token that waits for it, the link. */
export class Confirmations {
  readonly #options: ConfirmationOptions;

  constructor(options: ConfirmationOptions) {
    this.#options = options;
  }

  get isOrganizationOptional(): boolean {
    return this.#options.isOrganizationOptional;
  }

  /** Queues the mail and makes the token that waits for it. */
  async request(tx: Database, userId: number, organizationId: number | null): Promise<string> {
    await this.#options.mail.enqueue(tx, { kind: 'confirmation', userId, organizationId });
    return this.#pendingToken(tx, userId, organizationId);
  }

  /**
   * As `ask`, for somebody who signs in again; mails only if the last mail is some time ago.
   *
   * @param passwordHash what the password was compared with
   * @returns undefined when the account has another one by now: who knew the old one must get no way in
   */
  async requestAgain(
    account: AccountRecord,
    passwordHash: string,
    organizationId: number | null,
  ): Promise<string | undefined> {
    const { accounts, clock, mail } = this.#options;
    const nowMs = clock.now();
    const notSince = new Date(nowMs - CONFIRMATION_MAIL_GAP_MS);
    const mailAllowed = await this.#canMail(account, notSince);
    return accounts.transaction(async (tx) => {
      const { id } = account;
      if (!(await lockAccountWithPassword(tx, id, passwordHash))) return undefined;
      if (mailAllowed && (await accounts.markConfirmationMailed(tx, id, new Date(nowMs), notSince))) {
        const brand = organizationId ?? account.organizationId;
        await mail.enqueue(tx, { kind: 'confirmation', userId: id, organizationId: brand });
      }
      return this.#pendingToken(tx, id, organizationId);
    });
  }

  /**
   * Confirms an address with the token of its mail and opens a session.
   *
   * @throws BadRequest without an organization; ValidationError when it does not exist or is none the account may
   * enter; Unprocessable when the token is unknown, used or expired; SecondFactorRequired
   */
  async confirm(
    { token, organization_id: choice }: ConfirmUserBody,
    client: ClientAddress,
  ): Promise<Session> {
    const { db, accounts, clock, sessions, isOrganizationOptional } = this.#options;
    if (choice === undefined && !isOrganizationOptional) throw new BadRequest('organization_id is missing');
    const link = await readOneTimeToken(db, 'confirm', token, clock.now());
    if (!link?.userId) throw invalidLink();
    const organization = await chosenOrganization(accounts, choice ?? link.organizationId);
    const entrance = { organizationId: organization?.id ?? null, network: client.network };
    const account = await accounts.byId(link.userId, entrance);
    if (account === undefined) throw invalidLink();
    if (!account.hasOrganizationAccess) throw organizationNotFound();
    return sessions.openInTransaction(async (tx) => {
      const at = new Date(clock.now());
      await lockAccountForChange(tx, account.id);
      if ((await spendOneTimeToken(tx, 'confirm', token, clock.now())) === undefined) throw invalidLink();
      // Other mails with the same purpose have done their duty.
      await spendTokensOf(tx, account.id, ['confirm'], clock.now());
      await accounts.confirm(tx, account.id, at);
      const event = { action: 'account.confirmed', userId: account.id, ...entrance } as const;
      await recordAudit(tx, actorOfAccount(account.id, client), at, event);
      return sessions.open(tx, { account, organization, client, means: 'confirmation', factor: null });
    });
  }

  async #canMail({ id, confirmationMailedAt }: AccountRecord, notSince: Date): Promise<boolean> {
    if (confirmationMailedAt !== null && confirmationMailedAt > notSince) return false;
    return this.#options.limits.tryConsume(CONFIRMATION_MAILS, String(id));
  }

  #pendingToken(tx: Database, userId: number, organizationId: number | null): Promise<string> {
    const life = { nowMs: this.#options.clock.now(), lifetimeMs: PENDING_LIFETIME_MS };
    return issueOneTimeToken(tx, 'pending', { userId, organizationId }, life);
  }
}

/** Unknown, used and expired links are one: whoever guesses learns nothing. */
export function invalidLink(): Unprocessable {
  return new Unprocessable('The link is invalid, was used already or has expired');
}
