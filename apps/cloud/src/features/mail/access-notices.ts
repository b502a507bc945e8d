import type { Locale } from '@heliograph/contracts';
import { fill } from '@heliograph/locales/read';
import type { MailJob } from './jobs.ts';
import type { Letter } from './letter.ts';
import { personalName, siteName } from './names.ts';
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

/** To the owner, who learns who did it, and to members, whose access has ended. */
export async function siteReleasedNotice(
  repository: MailRepository,
  job: Extract<MailJob, { kind: 'siteReleased' }>,
  locale: Locale,
  brand: string,
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
  if (person === undefined || person.staff) return service;
  const name = personalName(person.name);
  return name === undefined ? person.email : `${name} (${person.email})`;
}
