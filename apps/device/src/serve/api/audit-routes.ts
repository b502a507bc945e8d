import { DEFAULT_LIMIT, MAX_LIMIT } from '@heliograph/contracts';
import { deviceOperations } from '@heliograph/contracts/operations/device';
import type { Api } from '@heliograph/http/api';
import type { AuditLog } from '../../storage/audit-log.ts';

/** The audit log of the device. */
export function auditRoutes(api: Api, log: Pick<AuditLog, 'recent'>): void {
  api.serve(deviceOperations.listDeviceAudit, ({ query: { limit = DEFAULT_LIMIT, before } }) => {
    const most = Math.min(Number(limit), MAX_LIMIT);
    return log
      .recent(most, before === undefined ? undefined : Number(before))
      .map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() }));
  });
}
