import type { AuditAction } from '@heliograph/contracts';
import { type Clock, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { emailKey } from '../../common/limits/email-key.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import { requireEmail } from '../../common/require-email.ts';
import { recordAudit } from '../../db/audit.ts';
import { spendTokensOf } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import {
  INVITATION_MAIL_GAP_MS,
  INVITATION_MAILS,
  INVITATIONS_PER_ADDRESS,
  INVITATIONS_PER_CALLER,
  INVITATIONS_PER_PERSON,
  SITE_INVITATION_MAILS,
} from './limits.ts';
import type { InvitationRepository, InvitedAccount } from './repository.ts';

export type { InvitedAccount } from './repository.ts';

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

/** Finds or creates the account of an email address, and mails accounts that have yet to set a first password. */
export class InvitationService {
  readonly #accounts: InvitationRepository;
  readonly #mail: MailService;
  readonly #limits: RateLimits;
  readonly #clock: Clock;

  constructor(accounts: InvitationRepository, mail: MailService, limits: RateLimits, clock: Clock) {
    this.#accounts = accounts;
    this.#mail = mail;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** The account of an email address in any spelling. */
  find(email: string): Promise<InvitedAccount | undefined> {
    return this.#accounts.find(email);
  }

  /**
   * Counts an invitation, unless it is an operator's at the console. Called before the transaction that invites, and
   * after the caller's permission is checked: strangers must not exhaust an address's limit of mails.
   *
   * @throws TooManyRequests
   */
  async admit(
    { kind, userId, network }: Caller,
    email: string,
    { siteId, organizationId }: Pick<Destination, 'siteId' | 'organizationId'>,
  ): Promise<Admission> {
    if (kind === 'console') return { mailAllowed: true };
    await this.#limits.consume(INVITATIONS_PER_ADDRESS, network);
    await this.#limits.consume(INVITATIONS_PER_CALLER, String(userId));
    const person = emailKey(email);
    // Whether or not the address has an account, which the answer does not reveal.
    const destination = siteId === null ? `organization ${organizationId}` : `site ${siteId}`;
    await this.#limits.consume(INVITATIONS_PER_PERSON, `${userId} ${destination} ${person}`);
    return { mailAllowed: await this.#limits.tryConsume(INVITATION_MAILS, person) };
  }

  /** Whether a site may mail a person who can sign in, and has not accepted it, about a role. Counts the mail. */
  maySend(siteId: number, email: string, about: 'access' | 'ownership' | 'return'): Promise<boolean> {
    return this.#limits.tryConsume(SITE_INVITATION_MAILS, `${siteId} ${emailKey(email)} ${about}`);
  }

  /**
   * The account of the invited person. A missing one is created, without a password; an unconfirmed one is reset to a new
   * one, since a stranger may have registered the address: the mailed link is then the only way to sign in. Part of the
   * transaction that grants the account its access.
   *
   * @param isMember true for an account that is a member already, and only gets another role
   * @throws ValidationError when a name is missing: of a new or an unconfirmed account; for an ambiguous address without one
   */
  async accountOf(
    tx: Database,
    caller: Caller,
    invitee: Invitee,
    destination: Destination,
    { mailAllowed }: Admission,
    isMember: (userId: number) => Promise<boolean> = async () => false,
  ): Promise<InvitedAccount> {
    const account = await this.#findOrCreate(tx, caller, invitee, destination, isMember);
    if (account.pending && mailAllowed) await this.#invite(tx, account.id, caller.userId, destination);
    return account;
  }

  /** Mails an account without a password its invitation again, at once: its address has changed. */
  async repeat(tx: Database, userId: number): Promise<void> {
    const last = await this.#accounts.lastInvitation(tx, userId);
    if (last === undefined) return;
    const at = new Date(this.#clock.now());
    await this.#accounts.markInvited(tx, userId, at, at);
    await this.#mail.enqueue(tx, { kind: 'invitation', userId, ...last });
  }

  async #findOrCreate(
    tx: Database,
    caller: Caller,
    invitee: Invitee,
    destination: Destination,
    isMember: (userId: number) => Promise<boolean>,
  ): Promise<InvitedAccount> {
    const { organizationId, makesCustomer } = destination;
    const found = await this.#accounts.lock(tx, invitee.email);
    const isKnown = found !== undefined && (await isMember(found.id));
    if (found?.confirmed) return found;
    if (isKnown && !found.hasPassword) return found;
    const locale = (await this.#accounts.invitationLocale(organizationId, caller.userId, tx)) ?? 'en';
    const profile = { ...namesOf(invitee), locale, organizationId: makesCustomer ? organizationId : null };
    if (found !== undefined) {
      await this.#accounts.reset(tx, found.id, profile);
      await spendTokensOf(tx, found.id, ['confirm', 'pending'], this.#clock.now());
      if (found.hasPassword)
        await this.#record(tx, caller, 'account.registration_voided', found.id, destination);
      return { ...found, ...namesOf(invitee), hasPassword: false };
    }
    const email = requireEmail(invitee.email);
    const id = await this.#accounts.add(tx, email, profile);
    if (id === undefined) {
      // Added concurrently; else an account of the release before has it, in a spelling that does not lead to it yet.
      const isFound = (await this.#accounts.find(email, tx)) !== undefined;
      if (!isFound) throw new ValidationError({ email: ['has already been taken'] });
      return this.#findOrCreate(tx, caller, invitee, destination, isMember);
    }
    await this.#record(tx, caller, 'account.created', id, destination);
    return { id, email, ...namesOf(invitee), pending: true, confirmed: false, hasPassword: false };
  }

  #record(
    tx: Database,
    caller: Caller,
    action: AuditAction,
    userId: number,
    { organizationId, siteId }: Destination,
  ): Promise<void> {
    // Not in the log of a site: that there was no account is not its to know.
    const event = { action, userId, organizationId: siteId === null ? organizationId : null };
    return recordAudit(tx, actorOf(caller), new Date(this.#clock.now()), event);
  }

  async #invite(tx: Database, userId: number, invitedBy: number, destination: Destination): Promise<void> {
    const nowMs = this.#clock.now();
    const isDue = await this.#accounts.markInvited(
      tx,
      userId,
      new Date(nowMs),
      new Date(nowMs - INVITATION_MAIL_GAP_MS),
    );
    const { organizationId, siteId } = destination;
    if (isDue)
      await this.#mail.enqueue(tx, { kind: 'invitation', userId, invitedBy, organizationId, siteId });
  }
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
