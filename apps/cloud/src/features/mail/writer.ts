import type { Clock } from '@heliograph/kit';
import { SERVICE_NAME } from '../../config/env.ts';
import { issueOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import { noticeLink, noticeMessage } from './account-notices.ts';
import { htmlOf } from './html.ts';
import type { AccountNotice, MailJob, SecondFactorMail } from './jobs.ts';
import { type Brand, type Letter, textOf } from './letter.ts';
import { type LinkPurpose, linkTo } from './links.ts';
import { oneLine, personalName } from './names.ts';
import type { MailRepository, Reader } from './repository.ts';
import { fill, textsOf } from './texts/index.ts';
import type { MailTexts } from './texts/mail-texts.ts';
import { LINK_LIFETIMES_MS } from './timing.ts';
import type { Mail } from './transport.ts';

interface Sender extends Brand {
  /** Null when the service itself writes. */
  readonly organizationId: number | null;
  /** The origin that links lead to. */
  readonly portal: string;
}

/** What a kind of mail says besides what all of them do. */
type Message = Pick<Letter, 'subject' | 'paragraphs' | 'button' | 'remarks'>;

/** Writes mails, each with a link of its own. */
export class MailWriter {
  readonly #db: Database;
  readonly #repository: MailRepository;
  readonly #cloudUrl: () => string;
  readonly #clock: Clock;

  constructor(db: Database, repository: MailRepository, cloudUrl: () => string, clock: Clock) {
    this.#db = db;
    this.#repository = repository;
    this.#cloudUrl = cloudUrl;
    this.#clock = clock;
  }

  /** @returns undefined when there is nobody to write to, or nothing left to say */
  async write(id: string, job: MailJob): Promise<Mail | undefined> {
    const reader = await this.#readerOf(job);
    if (reader === undefined || isSettled(job, reader)) return undefined;
    const sender = await this.#senderOf(
      reader.id,
      job.kind === 'second_factor' ? reader.organizationId : job.organizationId,
    );
    const message = await this.#messageOf(job, reader, sender);
    if (message === undefined) return undefined;
    const link = await this.#linkOf(job, reader, sender);
    const letter = letterOf(reader, sender, message, link);
    return {
      id,
      recipient: { name: oneLine(`${reader.firstName} ${reader.lastName}`), address: reader.email },
      senderName: sender.organizationId === null ? null : sender.name,
      subject: letter.subject,
      text: textOf(letter),
      html: htmlOf(letter),
    };
  }

  #readerOf(job: MailJob): Promise<Reader | undefined> {
    return job.kind === 'reset' ? this.#repository.readerAt(job.email) : this.#repository.reader(job.userId);
  }

  async #senderOf(userId: number, organizationId: number | null): Promise<Sender> {
    const cloudUrl = this.#cloudUrl();
    // Anybody can ask for a reset in any organization's name; it is written only to those who are of it.
    const brand =
      organizationId === null ? undefined : await this.#repository.brandFor(userId, organizationId);
    if (brand === undefined) {
      return { organizationId: null, name: SERVICE_NAME, color: null, logoUrl: null, portal: cloudUrl };
    }
    return {
      organizationId: brand.id,
      name: oneLine(brand.name) || SERVICE_NAME,
      color: brand.color,
      logoUrl: brand.hasLogo ? `${cloudUrl}/api/v1/organizations/${brand.id}/logo` : null,
      portal: brand.cloudHost === null ? cloudUrl : `https://${brand.cloudHost}`,
    };
  }

  async #messageOf(job: MailJob, { locale }: Reader, { name: brand }: Sender): Promise<Message | undefined> {
    if (isAccountNotice(job)) return noticeMessage(job, locale, brand);
    const texts = textsOf(locale);
    if (job.kind === 'second_factor') return secondFactorMessage(texts.secondFactor, job, brand);
    if (job.kind !== 'invitation') {
      const { subject, text, button, validity, unexpected } = texts[job.kind];
      const paragraphs = [fill(text, { brand })];
      return { subject: fill(subject, { brand }), paragraphs, button, remarks: [validity, unexpected] };
    }
    const { subject, toSite, toTeam, toAccount, from, next, button, validity, unexpected } = texts.invitation;
    const site = job.siteId === null ? undefined : await this.#repository.siteName(job.siteId);
    const inviter = await this.#inviterOf(job.invitedBy);
    const invitation =
      site !== undefined
        ? fill(toSite, { site: oneLine(site), brand })
        : fill(job.organizationId === null || job.siteId !== null ? toAccount : toTeam, { brand });
    return {
      subject: fill(subject, { brand }),
      paragraphs: [invitation, ...(inviter === undefined ? [] : [fill(from, { inviter })]), next],
      button,
      remarks: [validity, unexpected],
    };
  }

  async #inviterOf(userId: number | null): Promise<string | undefined> {
    const name = userId === null ? undefined : await this.#repository.personName(userId);
    return name === undefined ? undefined : personalName(name);
  }

  async #linkOf(job: MailJob, reader: Reader, { organizationId, portal }: Sender): Promise<string> {
    if (isAccountNotice(job)) return noticeLink(portal, job);
    // Who did not do it themselves is not to be signed in by a mail.
    if (job.kind === 'second_factor') return `${portal}/user/security`;
    const purpose = PURPOSES[job.kind];
    const life = { nowMs: this.#clock.now(), lifetimeMs: LINK_LIFETIMES_MS[purpose] };
    const token = await issueOneTimeToken(this.#db, purpose, { userId: reader.id, organizationId }, life);
    return linkTo(portal, purpose, token, job.kind === 'invitation' ? job.siteId : null);
  }
}

const PURPOSES = { confirmation: 'confirm', reset: 'reset', invitation: 'invite' } as const satisfies Record<
  Exclude<MailJob['kind'], AccountNotice['kind'] | 'second_factor'>,
  LinkPurpose
>;

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

/** Whether a mail is not needed: what it asks for was done while it waited, or it is none of the reader's business. */
function isSettled(job: MailJob, { confirmed, hasPassword }: Reader): boolean {
  const { kind } = job;
  // An address that nobody has confirmed may be a stranger's.
  if (isAccountNotice(job)) return !confirmed;
  // Who was invited meanwhile confirms the address with the link of the invitation.
  if (kind === 'confirmation') return confirmed || !hasPassword;
  return kind === 'invitation' && confirmed && hasPassword;
}

function letterOf(reader: Reader, brand: Sender, message: Message, link: string): Letter {
  const { locale } = reader;
  const texts = textsOf(locale);
  const name = personalName(reader.firstName);
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

function isAccountNotice<Job extends MailJob>(job: Job): job is Extract<Job, AccountNotice> {
  return job.kind === 'passwordChanged' || job.kind === 'tokenCreated' || job.kind === 'unknownNetwork';
}
