import type { AuditQuery } from '@heliograph/client';
import { useFilter } from '../../ui/lists/use-filter.ts';

/** The filters of the audit log, by their names in the address. */
const AUDIT_FILTERS = ['action', 'actor_id', 'user_id', 'site_id', 'organization_id', 'device_uid'] as const;
type AuditFilter = (typeof AUDIT_FILTERS)[number];

export function useAuditFilter() {
  const filter = useFilter(...AUDIT_FILTERS);
  return { ...filter, isSet: Object.keys(auditFilters(filter.values)).length > 0 };
}

/** Leaves out what is empty, and ids that are none: the service would not understand them. */
export function auditFilters(values: Readonly<Record<AuditFilter, string>>): AuditQuery {
  const { action, device_uid: uid, ...ids } = values;
  return {
    ...(action.trim() !== '' && { action: action.trim() }),
    ...(uid.trim() !== '' && { device_uid: uid.trim() }),
    ...Object.fromEntries(
      Object.entries(ids)
        .map(([name, id]) => [name, Number(id)] as const)
        .filter(([, id]) => Number.isInteger(id) && id > 0),
    ),
  };
}
