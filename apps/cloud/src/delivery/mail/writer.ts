import type { Clock } from '@heliograph/kit';
import { fullName } from '@heliograph/kit/person-name';
import type { MailTexts } from '@heliograph/locales/read';
import { fill } from '@heliograph/locales/read';
import { SERVICE_NAME } from '../../common/config/env.ts';
import type { UnsubscribeTokens } from '../../common/secrets/unsubscribe-token.ts';
import { takeNotified } from '../../db/notified.ts';
import { issueOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import { issueRegistrationCode, REGISTRATION_CODE_MS } from '../../db/registration-codes.ts';
import {
  accessLimitNotice,
  delegationSuspendedNotice,
  inviterName,
  type Message,
  type Notice,
  ownershipNotice,
  readerChangedNotice,
  secondFactorRuleNotice,
  siteAccessNotice,
  siteReleasedNotice,
  teamInvitationNotice,
  transferDueNotice,
  transferEndedNotice,
} from './access-notices.ts';
import { NOTICE_PATHS, noticeLink, noticeMessage } from './account-notices.ts';
import { alertNotice, repeatedText } from './alert-notices.ts';
import { htmlOf } from './html.ts';
import type { AccountNotice, MailJob, SecondFactorMail } from './jobs.ts';
import { type Brand, type Letter, textOf } from './letter.ts';
import { type LinkPurpose, linkTo, pageLink } from './links.ts';
import { oneLine, personalName, siteName } from './names.ts';
import { orderNotice } from './order-notices.ts';
import { recoveryNotice } from './recovery-notices.ts';
import type { MailRepository, Reader } from './repository.ts';
import { textsOf } from './texts.ts';
import { ticketNotice } from './ticket-notices.ts';
import { LINK_LIFETIMES_MS } from './timing.ts';
import type { Mail } from './transport.ts';

interface Sender extends Brand {
  /** Null when the service itself is the sender. */
  readonly organizationId: number | null;
  /** The origin that links lead to. */
  readonly portal: string;
}

/** Mails whose links carry tokens. */
type LinkJob = Extract<MailJob, { kind: 'confirmation' | 'emailChange' | 'reset' | 'invitation' }>;
/** Mails whose links lead to a page and carry no token. */
type NoticeJob = Extract<
  MailJob,
  {
    kind:
      | 'teamInvitation'
      | 'siteAccess'
      | 'readerChanged'
      | 'delegationSuspended'
      | 'accessLimit'
      | 'secondFactorRule'
      | 'ownership'
      | 'transferDue'
      | 'transferEnded'
      | 'siteReleased'
      | 'order'
      | 'ticket'
      | 'recovery'
      | 'alerts';
  }
>;

/** The relation of an invited account to the organization's team. */
type Team = 'invited' | 'employed' | 'none';

interface WrittenMessage {
  readonly message: Message;
  readonly link: string;
  readonly thread?: string | undefined;
}

/** Writes mails, each with a link of its own. */
export class MailWriter {
  readonly #db: Database;
  readonly #repository: MailRepository;
  readonly #cloudUrl: () => string;
  readonly #clock: Clock;
  readonly #unsubscribeTokens: UnsubscribeTokens | undefined;

  constructor(
    db: Database,
    repository: MailRepository,
    cloudUrl: () => string,
    clock: Clock,
    unsubscribeTokens?: UnsubscribeTokens,
  ) {
    this.#unsubscribeTokens = unsubscribeTokens;
    this.#db = db;
    this.#repository = repository;
    this.#cloudUrl = cloudUrl;
    this.#clock = clock;
  }

  /**
   * @param isRepetition whether the same mail may have been sent before
   * @returns undefined without a reader, or for an obsolete mail
   */
  async write(id: string, job: MailJob, isRepetition = false): Promise<Mail | undefined> {
    const reader = await this.#readerOf(job);
    if (reader === undefined || isObsolete(job, reader)) return undefined;
    const sender = await this.#senderOf(reader, job);
    const written = await this.#compose(job, reader, sender);
    if (written === undefined) return undefined;
    const letter = letterOf(reader, sender, written.message, written.link);
    return {
      id,
      recipient: { name: recipientName(reader), address: reader.email },
      senderName: sender.organizationId === null ? null : sender.name,
      subject:
        isRepetition && job.kind === 'alerts' ? repeatedText(letter.subject, reader.locale) : letter.subject,
      text: textOf(letter),
      html: htmlOf(letter),
      ...(job.kind === 'alerts' && this.#unsubscribeFor(reader.id)),
      ...(written.thread !== undefined && { thread: written.thread }),
    };
  }

  #unsubscribeFor(userId: number): Pick<Mail, 'unsubscribeUrl'> {
    const token = this.#unsubscribeTokens?.of(userId);
    if (token === undefined) return {};
    return { unsubscribeUrl: `${this.#cloudUrl()}/api/v1/notification_mails/unsubscribe?token=${token}` };
  }

  async #readerOf(job: MailJob): Promise<Reader | undefined> {
    if (job.kind === 'reset') return this.#repository.readerAt(job.email);
    const reader = await this.#repository.reader(job.userId);
    const email = otherAddressOf(job);
    return reader && email !== undefined ? { ...reader, email } : reader;
  }

  async #senderOf(reader: Reader, job: MailJob): Promise<Sender> {
    const { kind } = job;
    const organizationId = kind === 'second_factor' ? reader.organizationId : job.organizationId;
    const cloudUrl = this.#cloudUrl();
    const isInvitation = kind === 'invitation' || kind === 'teamInvitation';
    // Any client can request a reset in any organization's name; the brand is used only for its own people.
    const brand =
      organizationId === null
        ? undefined
        : await this.#repository.brandFor(reader.id, organizationId, isInvitation);
    if (brand === undefined) {
      return { organizationId: null, name: SERVICE_NAME, color: null, logoUrl: null, portal: cloudUrl };
    }
    return {
      organizationId: brand.id,
      name: oneLine(brand.name) || SERVICE_NAME,
      color: brand.color,
      logoUrl: brand.hasLogo ? `${cloudUrl}/api/v1/organizations/${brand.id}/logo` : null,
      // Before accepting, an account cannot sign in at the organization's own host.
      portal: brand.cloudHost === null || kind === 'teamInvitation' ? cloudUrl : `https://${brand.cloudHost}`,
    };
  }

  async #compose(job: MailJob, reader: Reader, sender: Sender): Promise<WrittenMessage | undefined> {
    if (isAccountNotice(job)) {
      const message = noticeMessage(job, reader.locale, sender.name);
      return { message, link: noticeLink(sender.portal, job) };
    }
    if (job.kind === 'second_factor') {
      const message = secondFactorMessage(textsOf(reader.locale).secondFactor, job, sender.name);
      // Without a token: a mail about another person's doing must not sign anyone in.
      return { message, link: pageLink(sender.portal, '/user/security') };
    }
    return isLinkJob(job) ? this.#linkMessageOf(job, reader, sender) : this.#noticeOf(job, reader, sender);
  }

  async #noticeOf(
    job: NoticeJob,
    { locale }: Reader,
    { name: brand, portal }: Sender,
  ): Promise<WrittenMessage | undefined> {
    const notice = await this.#readNotice(job, locale, brand, portal);
    return notice && { message: notice, link: pageLink(portal, notice.path), thread: notice.thread };
  }

  #readNotice(
    job: NoticeJob,
    locale: Reader['locale'],
    brand: string,
    portal: string,
  ): Promise<Notice | undefined> {
    if (job.kind === 'teamInvitation') return teamInvitationNotice(this.#repository, job, locale, brand);
    if (job.kind === 'ticket') return ticketNotice(this.#repository, job, locale, brand);
    if (job.kind === 'recovery') return recoveryNotice(this.#repository, job, locale, brand);
    if (job.kind === 'siteAccess') return siteAccessNotice(this.#repository, job, locale, brand);
    if (job.kind === 'readerChanged') return readerChangedNotice(this.#repository, job, locale, brand);
    if (job.kind === 'delegationSuspended') return delegationSuspendedNotice(this.#repository, job, locale);
    if (job.kind === 'accessLimit') return accessLimitNotice(this.#repository, job, locale);
    if (job.kind === 'secondFactorRule') return secondFactorRuleNotice(this.#repository, job, locale, brand);
    if (job.kind === 'siteReleased') return this.#siteReleasedNotice(job, locale, brand);
    if (job.kind === 'order') return orderNotice(this.#repository, job, locale, brand);
    if (job.kind === 'transferDue') return transferDueNotice(this.#repository, job, locale, brand);
    if (job.kind === 'transferEnded') return transferEndedNotice(this.#repository, job, locale, brand);
    if (job.kind === 'alerts') return this.#alertNotice(job, locale, { brand, portal });
    return ownershipNotice(this.#repository, job, locale, brand);
  }

  async #siteReleasedNotice(
    job: Extract<MailJob, { kind: 'siteReleased' }>,
    locale: Reader['locale'],
    brand: string,
  ): Promise<Notice> {
    const { deviceUid, siteId } = job;
    const expiresAt = new Date(this.#clock.now() + REGISTRATION_CODE_MS.mail);
    // A mail that was queued by the release before this one has no device. The device may have a site by now.
    const code = deviceUid ? await issueRegistrationCode(this.#db, deviceUid, expiresAt, siteId) : undefined;
    return siteReleasedNotice(this.#repository, job, locale, brand, code);
  }

  async #alertNotice(
    { notificationIds }: Extract<MailJob, { kind: 'alerts' }>,
    locale: Reader['locale'],
    sender: { readonly brand: string; readonly portal: string },
  ): Promise<Notice | undefined> {
    const now = new Date(this.#clock.now());
    return alertNotice(await takeNotified(this.#db, notificationIds, now), locale, sender);
  }

  async #linkMessageOf(job: LinkJob, reader: Reader, sender: Sender): Promise<WrittenMessage | undefined> {
    const team = await this.#teamOf(job);
    const message = await this.#messageOf(job, team, reader, sender);
    const link = await this.#linkOf(job, team, reader, sender);
    return link === undefined ? undefined : { message, link };
  }

  /** An invitation without a site is to the organization's team, or to an account alone. */
  async #teamOf(job: LinkJob): Promise<Team> {
    if (job.kind !== 'invitation' || job.siteId !== null || job.organizationId === null) return 'none';
    const { userId, organizationId } = job;
    if (await this.#repository.isInvited(userId, organizationId)) return 'invited';
    return (await this.#repository.isEmployed(userId, organizationId)) ? 'employed' : 'none';
  }

  async #messageOf(job: LinkJob, team: Team, { locale }: Reader, { name: brand }: Sender): Promise<Message> {
    const texts = textsOf(locale);
    if (job.kind !== 'invitation') {
      const { subject, text, button, validity, unexpected } = texts[job.kind];
      const paragraphs = [fill(text, { brand })];
      return { subject: fill(subject, { brand }), paragraphs, button, remarks: [validity, unexpected] };
    }
    const { subject, toSite, toTeam, toAccount, from, next, acceptsSite, button, validity, unexpected } =
      texts.invitation;
    const site = job.siteId === null ? undefined : await this.#repository.siteName(job.siteId);
    const inviter = await this.#inviterOf(job.invitedBy, locale);
    const invitation =
      site !== undefined
        ? fill(toSite, { site: siteName(site), brand })
        : fill(team === 'none' ? toAccount : toTeam, { brand });
    return {
      subject: fill(subject, { brand }),
      paragraphs: [
        invitation,
        ...(inviter === undefined ? [] : [fill(from, { inviter })]),
        site === undefined ? next : acceptsSite,
      ],
      button,
      remarks: [validity, unexpected],
    };
  }

  /** The site whose invitation the link accepts; null for one that is gone or that does not need it. */
  async #acceptedSiteOf({
    siteId,
    userId,
  }: Extract<MailJob, { kind: 'invitation' }>): Promise<number | null> {
    return siteId !== null && (await this.#repository.isInvitedToSite(siteId, userId)) ? siteId : null;
  }

  async #inviterOf(userId: number | null, locale: Reader['locale']): Promise<string | undefined> {
    const person = userId === null ? undefined : await this.#repository.person(userId, locale);
    return person && inviterName(person);
  }

  /** @returns undefined when the link would be mailed to an address that the account no longer has or asks for */
  async #linkOf(
    job: LinkJob,
    team: Team,
    reader: Reader,
    { organizationId, portal }: Sender,
  ): Promise<string | undefined> {
    const purpose = PURPOSES[job.kind];
    const lifetime = { nowMs: this.#clock.now(), lifetimeMs: LINK_LIFETIMES_MS[purpose] };
    const acceptsSiteId = job.kind === 'invitation' ? await this.#acceptedSiteOf(job) : null;
    const about = { userId: reader.id, organizationId, acceptsEmployment: team === 'invited', acceptsSiteId };
    // Under a lock: a change of the address ends all links that were mailed before.
    return this.#db.transaction().execute(async (tx) => {
      if (!(await this.#isCurrent(tx, job, reader, lifetime))) return undefined;
      const token = await issueOneTimeToken(tx, purpose, about, lifetime);
      return linkTo(portal, purpose, token, job.kind === 'invitation' ? job.siteId : null);
    });
  }

  async #isCurrent(
    tx: Database,
    { kind }: LinkJob,
    { id, email }: Reader,
    { nowMs, lifetimeMs }: { readonly nowMs: number; readonly lifetimeMs: number },
  ): Promise<boolean> {
    const address = await this.#repository.lockAddress(tx, id);
    if (kind !== 'emailChange') return address === email;
    return this.#repository.extendEmailChange(tx, id, email, {
      now: new Date(nowMs),
      expiresAt: new Date(nowMs + lifetimeMs),
    });
  }
}

const PURPOSES = {
  confirmation: 'confirm',
  emailChange: 'email_change',
  reset: 'reset',
  invitation: 'invite',
} as const satisfies Record<LinkJob['kind'], LinkPurpose>;

/** The address of a mail that does not go to the present one of its account. */
function otherAddressOf(job: Exclude<MailJob, { kind: 'reset' }>): string | undefined {
  if (job.kind === 'emailChange') return job.email;
  return 'formerEmail' in job ? job.formerEmail : undefined;
}

function isLinkJob(job: LinkJob | NoticeJob): job is LinkJob {
  return Object.hasOwn(PURPOSES, job.kind);
}

function secondFactorMessage(
  { button, unexpected, ...texts }: MailTexts['secondFactor'],
  job: SecondFactorMail,
  brand: string,
): Message {
  const { subject, text } = texts[job.event];
  const name = 'name' in job ? oneLine(job.name) : '';
  const left = 'left' in job ? String(job.left) : '';
  const paragraphs = [fill(text, { brand, name, left })];
  return { subject: fill(subject, { brand }), paragraphs, button, remarks: [unexpected] };
}

function isAccountNotice<Job extends MailJob>(job: Job): job is Extract<Job, AccountNotice> {
  return Object.hasOwn(NOTICE_PATHS, job.kind);
}

/** True for a mail whose request was fulfilled while it waited, or that does not concern the reader. */
function isObsolete(job: MailJob, { confirmed, hasPassword }: Reader): boolean {
  const { kind } = job;
  // An unconfirmed address may be a stranger's.
  if (
    isAccountNotice(job) ||
    kind === 'ticket' ||
    kind === 'recovery' ||
    kind === 'siteReleased' ||
    kind === 'transferDue' ||
    kind === 'transferEnded' ||
    kind === 'alerts'
  )
    return !confirmed;
  // An account that was invited meanwhile confirms the address with the link of the invitation.
  if (kind === 'confirmation') return confirmed || !hasPassword;
  return kind === 'invitation' && confirmed && hasPassword;
}

/** Languages in which a letter does not name a stranger by the first name alone. */
const GREETED_IN_FULL = /^(?:hu|zh)/;

/** Empty for a reader without a name: mail programs then show the address. */
function recipientName({ firstName, lastName, locale }: Reader): string {
  return oneLine(fullName({ first_name: firstName, last_name: lastName }, locale));
}

function letterOf(reader: Reader, brand: Sender, message: Message, link: string): Letter {
  const { locale } = reader;
  const texts = textsOf(locale);
  const name = personalName(GREETED_IN_FULL.test(locale) ? recipientName(reader) : reader.firstName);
  return {
    ...message,
    locale,
    brand,
    greeting: name === undefined ? texts.greetingWithoutName : fill(texts.greeting, { name }),
    link,
    linkHint: texts.linkHint,
    footer: fill(texts.sentBy, { brand: brand.name }),
  };
}
