import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { AuditService } from './service.ts';

export function auditRoutes(api: Api, audit: AuditService): void {
  api.serve(cloudOperations.listSiteAudit, (request) =>
    audit.ofSite(callerOf(request), request.params.id, request.query),
  );

  api.serve(cloudOperations.listOrganizationAudit, (request) =>
    audit.ofOrganization(callerOf(request), request.params.id, request.query),
  );

  api.serve(cloudOperations.listOwnAudit, (request) => audit.ofCaller(callerOf(request), request.query));

  api.serve(cloudOperations.listAudit, (request) => audit.all(callerOf(request), request.query));
}
