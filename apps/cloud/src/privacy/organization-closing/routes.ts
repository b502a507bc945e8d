import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { OrganizationClosing } from './service.ts';

export function organizationClosingRoutes(api: Api, closing: OrganizationClosing): void {
  api.serve(cloudOperations.getOrganizationClosing, (request) =>
    closing.describe(callerOf(request), request.params.id),
  );

  api.serve(cloudOperations.closeOrganization, async (request) => {
    await closing.close(callerOf(request), request.params.id);
  });
}
