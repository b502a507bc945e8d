import type { AuditEntry } from '@heliograph/contracts';
import type { AuditRecord } from './repository.ts';

export function presentAuditEntry(record: AuditRecord): AuditEntry {
  return {
    id: Number(record.id),
    at: record.at.toISOString(),
    action: record.action,
    actor: personOf(record.actorId, record.actorEmail, record.actorFirstName, record.actorLastName),
    via: record.via,
    address: record.address,
    site_id: record.siteId,
    site_name: record.siteName,
    organization_id: record.organizationId,
    organization_name: record.organizationName,
    user_id: record.userId,
    user: personOf(record.userId, record.accountEmail, record.accountFirstName, record.accountLastName),
    device_uid: record.deviceUid,
    details: record.details,
  };
}

/** As `presentAuditEntry`, for the account that it happened to. */
export function presentOwnAuditEntry(record: AuditRecord, userId: number): AuditEntry {
  const entry = presentAuditEntry(record);
  const isByOthers = record.actorNumber !== null && record.actorNumber !== userId;
  return isByOthers ? { ...entry, actor: null, address: null } : entry;
}

function personOf(
  id: number | null,
  email: string | null,
  firstName: string | null,
  lastName: string | null,
): AuditEntry['actor'] {
  if (id === null || email === null) return null;
  return { id, email, name: `${firstName ?? ''} ${lastName ?? ''}`.trim() };
}
