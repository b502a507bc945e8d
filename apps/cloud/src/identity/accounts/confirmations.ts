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
import type { MailService } from '../../delivery/mail/service.ts';
import { CONFIRMATION_MAIL_GAP_MS, CONFIRMATION_MAILS } from './limits.ts';
import { lockAccountForChange, lockAccountWithPassword } from './lock-account.ts';
import { chosenOrganization, organizationNotOfAccount } from './organization-choice.ts';
import type { AccountRecord, AccountRepository } from './repository.ts';
import type { Sessions } from './sessions.ts';

/** A client polls this long at most for the click on the mailed link. */
const PENDING_LIFETIME_MS = 10 * 60 * 1000;

export interface ConfirmationOptions {
  readonly db: Database;
  readonly accounts: AccountRepository;
  readonly sessions: Sessions;
  readonly mail: MailService;
  readonly limits: RateLimits;
  readonly clock: Clock;
  /** Without an organization in the request, that of the mail counts. */
  readonly isOrganizationOptional: boolean;
}

/** Confirms email addresses: the mail, the pending token of the waiting client, the link. */
export class Confirmations {
  readonly #options: ConfirmationOptions;

  constructor(options: ConfirmationOptions) {
    this.#options = options;
  }

  get isOrganizationOptional(): boolean {
    return this.#options.isOrganizationOptional;
  }

  /** Queues the mail. @returns a pending token, which signs in once the address is confirmed */
  async request(tx: Database, userId: number, organizationId: number | null): Promise<string> {
    await this.#options.mail.enqueue(tx, { kind: 'confirmation', userId, organizationId });
    return this.#pendingToken(tx, userId, organizationId);
  }

  /**
   * As `request`, at a further sign-in; a mail is sent only if the last one is some time ago.
   *
   * @param passwordHash the hash that the password was verified against
   * @returns undefined when the account has another password by now: the old one must not open a session
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
    const context = { organizationId: organization?.id ?? null, network: client.network };
    const account = await accounts.byId(link.userId, context);
    if (account === undefined) throw invalidLink();
    if (!account.hasOrganizationAccess) throw organizationNotOfAccount();
    return sessions.openInTransaction(async (tx) => {
      const at = new Date(clock.now());
      await lockAccountForChange(tx, account.id);
      if ((await spendOneTimeToken(tx, 'confirm', token, clock.now())) === undefined) throw invalidLink();
      // Links of other confirmation mails are spent, too.
      await spendTokensOf(tx, account.id, ['confirm'], clock.now());
      await accounts.confirm(tx, account.id, at);
      const event = { action: 'account.confirmed', userId: account.id, ...context } as const;
      await recordAudit(tx, actorOfAccount(account.id, client), at, event);
      return sessions.open(tx, { account, organization, client, means: 'confirmation', factor: null });
    });
  }

  /** @returns the address that a link confirms, without spending it @throws Unprocessable as `confirm` */
  async check(token: string, { network }: ClientAddress): Promise<string> {
    const { db, accounts, clock } = this.#options;
    const link = await readOneTimeToken(db, 'confirm', token, clock.now());
    const account = link?.userId && (await accounts.byId(link.userId, { organizationId: null, network }));
    if (!account) throw invalidLink();
    return account.email;
  }

  async #canMail({ id, confirmationMailedAt }: AccountRecord, notSince: Date): Promise<boolean> {
    if (confirmationMailedAt !== null && confirmationMailedAt > notSince) return false;
    return this.#options.limits.tryConsume(CONFIRMATION_MAILS, String(id));
  }

  #pendingToken(tx: Database, userId: number, organizationId: number | null): Promise<string> {
    const lifetime = { nowMs: this.#options.clock.now(), lifetimeMs: PENDING_LIFETIME_MS };
    return issueOneTimeToken(tx, 'pending', { userId, organizationId }, lifetime);
  }
}

/** One error for unknown, used and expired links, so that attempts reveal nothing. */
export function invalidLink(): Unprocessable {
  return new Unprocessable('The link is invalid, was used already or has expired');
}
