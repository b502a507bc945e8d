import type { Locale } from '@heliograph/contracts';
import { unlinked } from '@heliograph/contracts/unlinked';
import { fill } from '@heliograph/locales/read';
import type { MailJob } from './jobs.ts';
import type { Letter } from './letter.ts';
import { personalName, siteName } from './names.ts';
import type { MailRepository, MentionedPerson, OpenTransfer } from './repository.ts';
import { textsOf } from './texts.ts';
import { timeIn } from './time-in.ts';

/** The parts of a letter that differ between kinds of mails. */
export type Message = Pick<Letter, 'subject' | 'paragraphs' | 'button' | 'remarks'>;

/** A notification, whose link leads to a page and carries no token. */
export interface Notice extends Message {
  /** Path of the page, below the portal. */
  readonly path: string;
  /** As of a mail. */
  readonly thread?: string;
}

/** The page where people accept and decline. */
const INVITATIONS_PATH = '/user/invitations';

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
  const person = invitedBy === null ? undefined : await repository.person(invitedBy, locale);
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
    path: INVITATIONS_PATH,
  };
}

/** @returns undefined when the reader has no role on the site any more, or has accepted it */
export async function siteAccessNotice(
  repository: MailRepository,
  { userId, siteId, actorId }: SiteNoticeJob,
  locale: Locale,
  brand: string,
): Promise<Notice | undefined> {
  const name = await repository.siteName(siteId);
  const isPending = await repository.isInvitedToSite(siteId, userId);
  if (name === undefined || !isPending || !(await repository.hasRoleOn(siteId, userId))) return undefined;
  const site = siteName(name);
  const { invitation, siteAccess, teamInvitation } = textsOf(locale);
  return {
    subject: fill(siteAccess.subject, { site }),
    paragraphs: [
      fill(invitation.toSite, { site, brand }),
      fill(siteAccess.by, { actor: await nameOf(repository, actorId, brand, locale) }),
      siteAccess.next,
    ],
    button: teamInvitation.button,
    remarks: [siteAccess.unexpected],
    path: INVITATIONS_PATH,
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
  const found = await repository.person(job.personId, locale);
  if (name === undefined || found === undefined || !(await repository.hasRoleOn(job.siteId, job.userId)))
    return undefined;
  const { readerChanged: texts, ownership } = textsOf(locale);
  const isAdded = job.change === 'added';
  const person = await repository.personOn(job.siteId, job.personId, job.isPending === true, locale);
  const values = { site: siteName(name), person: shownName(person, brand) };
  const actor = await nameOf(repository, job.actorId, brand, locale);
  return {
    subject: fill(isAdded ? texts.subjectAdded : texts.subjectRemoved, values),
    paragraphs: [
      fill(isAdded ? texts.textAdded : texts.textRemoved, values),
      fill(ownership.by, { actor, time: timeIn(locale, job.at) }),
    ],
    button: ownership.button,
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
  const { delegationSuspended: texts, ownership } = textsOf(locale);
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
    button: ownership.button,
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
  const [reader, person] = [
    await repository.person(userId, locale),
    await repository.person(actorId, locale),
  ];
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
  const actor = await nameOf(repository, job.actorId, brand, locale);
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
  job: Extract<MailJob, { kind: 'ownership' }>,
  locale: Locale,
  brand: string,
): Promise<Notice | undefined> {
  const name = await repository.siteName(job.siteId);
  if (name === undefined) return undefined;
  const site = siteName(name);
  const texts = textsOf(locale).ownership;
  const isNew = job.reader === 'new';
  // A handover by the operator's console is final.
  const transfer = await repository.transfer(job.siteId);
  const isOpen = transfer !== undefined;
  const actor = await nameOf(repository, job.actorId, brand, locale);
  const newOwner = await repository.personOn(job.siteId, job.newOwnerId, job.isPending === true, locale);
  const owner = shownName(newOwner, brand);
  const next = fill(isNew ? texts.acceptNew : texts.recallFormer, { owner });
  return {
    subject: fill(isNew ? texts.subjectNew : texts.subjectFormer, { site }),
    paragraphs: [
      isNew ? fill(texts.textNew, { site }) : fill(texts.textFormer, { site, owner }),
      fill(texts.by, { actor, time: timeIn(locale, job.at) }),
      ...(isOpen ? [next, isNew ? endOf(transfer, locale) : endFor(transfer, newOwner, locale)] : []),
    ],
    button: isNew && isOpen ? textsOf(locale).teamInvitation.button : texts.button,
    remarks: isNew ? (isOpen ? [] : [texts.unexpectedNew]) : [texts.unexpectedFormer],
    path: isNew && isOpen ? INVITATIONS_PATH : `/sites/${job.siteId}`,
  };
}

/** @returns undefined when the handover has ended otherwise */
export async function transferDueNotice(
  repository: MailRepository,
  { siteId, userId }: Extract<MailJob, { kind: 'transferDue' }>,
  locale: Locale,
  brand: string,
): Promise<Notice | undefined> {
  const name = await repository.siteName(siteId);
  const transfer = await repository.transfer(siteId);
  if (name === undefined || transfer?.formerMemberId !== userId) return undefined;
  const { transferDue: texts, ownership } = textsOf(locale);
  const person = await repository.personOn(siteId, transfer.newOwnerId, transfer.isPending, locale);
  const values = { site: siteName(name), owner: shownName(person, brand) };
  return {
    subject: fill(texts.subject, values),
    paragraphs: [fill(texts.text, values), endFor(transfer, person, locale)],
    button: ownership.button,
    remarks: [],
    path: `/sites/${siteId}`,
  };
}

/** For the former owner, whose handover to a mistyped address does not become final. */
function endFor(transfer: OpenTransfer, newOwner: MentionedPerson | undefined, locale: Locale): string {
  if (transfer.newOwnerHasAccount || newOwner === undefined) return endOf(transfer, locale);
  return fill(textsOf(locale).ownership.noAccount, { email: newOwner.email });
}

function endOf({ endsAt }: OpenTransfer, locale: Locale): string {
  return fill(textsOf(locale).ownership.final, { time: timeIn(locale, endsAt.toISOString()) });
}

/** @returns undefined when the site is gone */
export async function transferEndedNotice(
  repository: MailRepository,
  job: Extract<MailJob, { kind: 'transferEnded' }>,
  locale: Locale,
  brand: string,
): Promise<Notice | undefined> {
  const name = await repository.siteName(job.siteId);
  if (name === undefined) return undefined;
  const { transferEnded: texts, ownership, siteReleased } = textsOf(locale);
  const person = await repository.personOn(job.siteId, job.newOwnerId, job.isPending, locale);
  const values = { site: siteName(name), owner: shownName(person, brand) };
  const actor = await nameOf(repository, job.actorId, brand, locale);
  const by = fill(ownership.by, { actor, time: timeIn(locale, job.at) });
  const toSite = { button: ownership.button, path: `/sites/${job.siteId}`, remarks: [] };
  const toSites = { button: siteReleased.button, path: '/sites', remarks: [] };
  if (job.outcome === 'final') {
    const isNew = job.reader === 'new';
    const text = fill(isNew ? texts.textFinalNew : texts.textFinal, values);
    const subject = fill(texts.subjectFinal, values);
    return { subject, paragraphs: [text], ...(isNew ? toSite : toSites) };
  }
  if (job.reader === 'new') {
    const { subjectGone, textGone } = texts;
    return { subject: fill(subjectGone, values), paragraphs: [fill(textGone, values)], ...toSites };
  }
  if (job.outcome === 'accepted' || job.outcome === 'kept') {
    const isKept = job.outcome === 'kept';
    const text = fill(isKept ? texts.textKept : texts.textAccepted, values);
    return {
      subject: fill(texts.subjectAccepted, values),
      paragraphs: [text],
      ...(isKept ? toSite : toSites),
    };
  }
  const isRecalled = job.outcome === 'recalled';
  return {
    ...toSite,
    subject: fill(texts.subjectBack, values),
    paragraphs: isRecalled ? [fill(texts.textRecalled, values), by] : [fill(texts.textDeclined, values)],
    remarks: isRecalled ? [ownership.unexpectedFormer] : [],
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
  const actor = await nameOf(repository, job.actorId, brand, locale);
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
async function nameOf(
  repository: MailRepository,
  id: number | null,
  service: string,
  locale: Locale,
): Promise<string> {
  return shownName(id === null ? undefined : await repository.person(id, locale), service);
}

/** As {@link nameOf}. */
function shownName(person: MentionedPerson | undefined, service: string): string {
  return person === undefined || person.staff ? service : fullNameOf(person);
}

function fullNameOf(person: MentionedPerson): string {
  const name = personalName(person.name);
  return name === undefined ? person.email : `${name} (${person.email})`;
}
