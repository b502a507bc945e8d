import type { AuditEntry } from '@heliograph/contracts';
import type { AuditRecord } from './repository.ts';

export function presentAuditEntry(record: AuditRecord): AuditEntry {
  return {
    id: Number(record.id),
    at: record.at.toISOString(),
    action: record.action,
    actor: actorOf(record),
    via: record.via,
    address: record.address,
    site_id: record.siteId,
    organization_id: record.organizationId,
    user_id: record.userId,
    device_uid: record.deviceUid,
    details: record.details,
  };
}

function actorOf({ actorId, actorEmail, actorFirstName, actorLastName }: AuditRecord): AuditEntry['actor'] {
  if (actorId === null || actorEmail === null) return null;
  return { id: actorId, email: actorEmail, name: `${actorFirstName} ${actorLastName}`.trim() };
}
