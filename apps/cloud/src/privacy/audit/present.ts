import type { AuditEntry, Locale } from '@heliograph/contracts';
import { fullName } from '@heliograph/kit/person-name';
import type { Caller } from '../../access/caller.ts';
import type { AuditRecord } from './records.ts';

/** @param locale of the reader */
export function presentAuditEntry(record: AuditRecord, locale: Locale): AuditEntry {
  return {
    id: Number(record.id),
    at: record.at.toISOString(),
    action: record.action,
    actor: actorOf(record, locale),
    via: record.via,
    address: hidesAddress(record) ? null : record.address,
    site_id: record.siteId,
    site_name: record.siteName,
    organization_id: record.organizationId,
    organization_name: record.organizationName,
    user_id: record.userId,
    user: userOf(record, locale),
    device_uid: record.deviceUid,
    details: record.details,
  };
}

/** As `presentAuditEntry`, for the account that the event is about. */
export function presentOwnAuditEntry(
  record: AuditRecord,
  { userId, locale }: Pick<Caller, 'userId' | 'locale'>,
): AuditEntry {
  const entry = presentAuditEntry(record, locale);
  const isByOthers = record.actorNumber !== null && record.actorNumber !== userId;
  return isByOthers ? { ...entry, actor: null, address: null } : entry;
}

/** Hides the address of a person who declines or leaves an access that they may never have wanted. */
function hidesAddress({ action, actorNumber, userId }: AuditRecord): boolean {
  if (action === 'organization_member.invitation_declined') return true;
  const isOwnAct = actorNumber === userId;
  return isOwnAct && (action === 'site_member.removed' || action === 'site.ownership_returned');
}

function actorOf(record: AuditRecord, locale: Locale): AuditEntry['actor'] {
  const { action, actorNumber, actorEmail, actorFirstName, actorLastName } = record;
  // A person who declines an invitation remains as unknown as before.
  const isUnknown =
    action === 'organization_member.invitation_declined' ||
    record.isActorPending ||
    (isBeforeAcceptance(record) && actorNumber === record.userId);
  return isUnknown
    ? personOf(actorNumber, actorEmail, '', '', locale)
    : personOf(actorNumber, actorEmail, actorFirstName, actorLastName, locale);
}

function userOf(record: AuditRecord, locale: Locale): AuditEntry['user'] {
  const { action, userId, accountEmail, accountFirstName, accountLastName } = record;
  return BEFORE_ACCEPTANCE.has(action) || record.isUserPending || isBeforeAcceptance(record)
    ? personOf(userId, accountEmail, '', '', locale)
    : personOf(userId, accountEmail, accountFirstName, accountLastName, locale);
}

/** Whether the account had not accepted its role on the site: the people of the site know the address alone. */
function isBeforeAcceptance({ details }: AuditRecord): boolean {
  return details.pending === true;
}

/** About accounts of which an organization knows the address alone. */
const BEFORE_ACCEPTANCE: ReadonlySet<AuditRecord['action']> = new Set([
  'account.created',
  'account.registration_voided',
  'organization_member.invited',
  'organization_member.invitation_withdrawn',
  'organization_member.invitation_declined',
]);

function personOf(
  id: number | null,
  email: string | null,
  firstName: string | null,
  lastName: string | null,
  locale: Locale,
): AuditEntry['actor'] {
  if (id === null) return null;
  // Its person has left.
  if (email === null) return { id, email: '', name: `Deleted account ${id}` };
  return { id, email, name: fullName({ first_name: firstName ?? '', last_name: lastName ?? '' }, locale) };
}
