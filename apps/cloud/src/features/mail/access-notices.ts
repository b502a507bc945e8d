import type { Locale } from '@heliograph/contracts';
import { fill } from '@heliograph/locales/read';
import type { MailJob } from './jobs.ts';
import type { Letter } from './letter.ts';
import { personalName, siteName, unlinked } from './names.ts';
import type { MailRepository, MentionedPerson } from './repository.ts';
import { textsOf } from './texts.ts';
import { timeIn } from './time-in.ts';

/** The parts of a letter that differ between kinds of mails. */
export type Message = Pick<Letter, 'subject' | 'paragraphs' | 'button' | 'remarks'>;

/** A notification, whose link leads to a page and carries no token. */
export interface Notice extends Message {
  /** Path of the page, below the portal. */
  readonly path: string;
}

interface SiteNoticeJob {
  readonly userId: number;
  readonly siteId: number;
  readonly actorId: number | null;
}

export async function teamInvitationNotice(
  repository: MailRepository,
  { organizationId, userId, invitedBy }: { organizationId: number; userId: number; invitedBy: number | null },
  locale: Locale,
  brand: string,
): Promise<Notice | undefined> {
  if (!(await repository.isInvited(userId, organizationId))) return undefined;
  const texts = textsOf(locale);
  const { subject, text, next, button, validity, unexpected } = texts.teamInvitation;
  const person = invitedBy === null ? undefined : await repository.person(invitedBy);
  const inviter = person && inviterName(person);
  return {
    subject: fill(subject, { brand }),
    paragraphs: [
      fill(text, { brand }),
      ...(inviter === undefined ? [] : [fill(texts.invitation.from, { inviter })]),
      fill(next, { brand }),
    ],
    button,
    remarks: [validity, fill(unexpected, { brand })],
    path: '/user/invitations',
  };
}

/** @returns undefined when the reader no longer has a role on the site */
export async function siteAccessNotice(
  repository: MailRepository,
  { userId, siteId, actorId }: SiteNoticeJob,
  locale: Locale,
  brand: string,
): Promise<Notice | undefined> {
  const name = await repository.siteName(siteId);
  if (name === undefined || !(await repository.hasRoleOn(siteId, userId))) return undefined;
  const site = siteName(name);
  const { invitation, siteAccess } = textsOf(locale);
  return {
    subject: fill(siteAccess.subject, { site }),
    paragraphs: [
      fill(invitation.toSite, { site, brand }),
      fill(siteAccess.by, { actor: await nameOf(repository, actorId, brand) }),
    ],
    button: siteAccess.button,
    remarks: [siteAccess.leave, siteAccess.unexpected],
    path: `/sites/${siteId}`,
  };
}

/** @returns undefined when the site or the person is gone, or the reader does not own the site any more */
export async function readerChangedNotice(
  repository: MailRepository,
  job: Extract<MailJob, { kind: 'readerChanged' }>,
  locale: Locale,
  brand: string,
): Promise<Notice | undefined> {
  const name = await repository.siteName(job.siteId);
  const found = await repository.person(job.personId);
  if (name === undefined || found === undefined || !(await repository.hasRoleOn(job.siteId, job.userId)))
    return undefined;
  const { readerChanged: texts, ownership, siteAccess } = textsOf(locale);
  const isAdded = job.change === 'added';
  const values = { site: siteName(name), person: await nameOf(repository, job.personId, brand) };
  const actor = await nameOf(repository, job.actorId, brand);
  return {
    subject: fill(isAdded ? texts.subjectAdded : texts.subjectRemoved, values),
    paragraphs: [
      fill(isAdded ? texts.textAdded : texts.textRemoved, values),
      fill(ownership.by, { actor, time: timeIn(locale, job.at) }),
    ],
    button: siteAccess.button,
    remarks: [texts.unexpected],
    path: `/sites/${job.siteId}`,
  };
}

/** Names no account: a device reports the number of any. @returns undefined when the reader does not own the site any more */
export async function delegationSuspendedNotice(
  repository: MailRepository,
  { userId, siteId, delegations }: Extract<MailJob, { kind: 'delegationSuspended' }>,
  locale: Locale,
): Promise<Notice | undefined> {
  const name = await repository.siteName(siteId);
  if (name === undefined || !(await repository.hasRoleOn(siteId, userId))) return undefined;
  const { delegationSuspended: texts, siteAccess } = textsOf(locale);
  const values = { site: siteName(name) };
  const sentences = {
    mqtt: texts.mqtt,
    connection: texts.connection,
    setting_writes: texts.setting_writes,
  };
  return {
    subject: fill(texts.subject, values),
    paragraphs: [
      fill(texts.text, values),
      ...delegations.map(({ kind, subject }) => fill(sentences[kind], { subject: unlinked(subject) })),
      texts.next,
    ],
    button: siteAccess.button,
    remarks: [],
    path: `/sites/${siteId}/device`,
  };
}

/** Names operators, too: its readers are operators. @returns undefined for a reader who is none any more */
export async function accessLimitNotice(
  repository: MailRepository,
  { userId, actorId, count }: Extract<MailJob, { kind: 'accessLimit' }>,
  locale: Locale,
): Promise<Notice | undefined> {
  const [reader, person] = [await repository.person(userId), await repository.person(actorId)];
  if (reader?.staff !== true || person === undefined) return undefined;
  const { subject, text, button, unexpected } = textsOf(locale).accessLimit;
  const values = { actor: fullNameOf(person), count: String(count) };
  return {
    subject: fill(subject, values),
    paragraphs: [fill(text, values)],
    button,
    remarks: [unexpected],
    path: '/operator/users',
  };
}

export async function secondFactorRuleNotice(
  repository: MailRepository,
  job: Extract<MailJob, { kind: 'secondFactorRule' }>,
  locale: Locale,
  brand: string,
): Promise<Notice> {
  const { secondFactorRule: texts, ownership } = textsOf(locale);
  const actor = await nameOf(repository, job.actorId, brand);
  return {
    subject: fill(job.isRequired ? texts.subjectOn : texts.subjectOff, { brand }),
    paragraphs: [
      fill(job.isRequired ? texts.textOn : texts.textOff, { brand }),
      fill(ownership.by, { actor, time: timeIn(locale, job.at) }),
    ],
    button: texts.button,
    remarks: [texts.unexpected],
    path: `/organizations/${job.organizationId}`,
  };
}

/** @returns undefined when the site is gone */
export async function ownershipNotice(
  repository: MailRepository,
  job: SiteNoticeJob & {
    readonly reader: 'new' | 'former';
    readonly newOwnerId: number;
    readonly at: string;
  },
  locale: Locale,
  brand: string,
): Promise<Notice | undefined> {
  const name = await repository.siteName(job.siteId);
  if (name === undefined) return undefined;
  const site = siteName(name);
  const texts = textsOf(locale).ownership;
  const isNew = job.reader === 'new';
  const actor = await nameOf(repository, job.actorId, brand);
  const owner = await nameOf(repository, job.newOwnerId, brand);
  return {
    subject: fill(isNew ? texts.subjectNew : texts.subjectFormer, { site }),
    paragraphs: [
      isNew ? fill(texts.textNew, { site }) : fill(texts.textFormer, { site, owner }),
      fill(texts.by, { actor, time: timeIn(locale, job.at) }),
    ],
    button: texts.button,
    remarks: [isNew ? texts.unexpectedNew : texts.unexpectedFormer],
    path: `/sites/${job.siteId}`,
  };
}

/**
 * To the owner, who learns who did it, and to members, whose access has ended.
 *
 * @param code registers the device; undefined where none does
 */
export async function siteReleasedNotice(
  repository: MailRepository,
  job: Extract<MailJob, { kind: 'siteReleased' }>,
  locale: Locale,
  brand: string,
  code: string | undefined,
): Promise<Notice> {
  const { ownership, siteReleased: texts } = textsOf(locale);
  const site = siteName(job.siteName ?? `#${job.siteId}`);
  const { subject, button } = texts;
  const about = { subject: fill(subject, { site }), button, path: '/sites' };
  if (job.reader === 'member') {
    return { ...about, paragraphs: [fill(texts.textMember, { site })], remarks: [] };
  }
  const actor = await nameOf(repository, job.actorId, brand);
  return {
    ...about,
    paragraphs: [
      fill(texts.textOwner, { site, brand }),
      ...(code === undefined ? [] : [fill(texts.code, { code })]),
      fill(ownership.by, { actor, time: timeIn(locale, job.at) }),
    ],
    remarks: [texts.unexpected],
  };
}

/**
 * The name of an inviter; without one, the email address, but not that of an operator. Undefined also for a name that
 * mail programs would turn into a link.
 */
export function inviterName({ name, email, staff }: MentionedPerson): string | undefined {
  if (name !== '') return personalName(name);
  return staff ? undefined : email;
}

/** Includes the email address, since people choose their own names; the service stands for its operators. */
async function nameOf(repository: MailRepository, id: number | null, service: string): Promise<string> {
  const person: MentionedPerson | undefined = id === null ? undefined : await repository.person(id);
  return person === undefined || person.staff ? service : fullNameOf(person);
}

function fullNameOf(person: MentionedPerson): string {
  const name = personalName(person.name);
  return name === undefined ? person.email : `${name} (${person.email})`;
}
