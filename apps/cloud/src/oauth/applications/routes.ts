import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { ApplicationService } from './service.ts';
import { settingsErrors } from './settings.ts';

export function applicationRoutes(api: Api, applications: ApplicationService): void {
  api.serve(cloudOperations.listApplications, (request) =>
    applications.list(callerOf(request), request.params.id),
  );

  api.serve(
    cloudOperations.createApplication,
    (request) => applications.create(callerOf(request), request.params.id, request.body),
    { fieldErrors: settingsErrors },
  );

  api.serve(cloudOperations.getApplication, (request) =>
    applications.show(callerOf(request), keyOf(request.params)),
  );

  api.serve(
    cloudOperations.updateApplication,
    (request) => applications.change(callerOf(request), keyOf(request.params), request.body),
    { fieldErrors: settingsErrors },
  );

  api.serve(cloudOperations.replaceApplicationSecret, (request) =>
    applications.replaceSecret(callerOf(request), keyOf(request.params)),
  );

  api.serve(cloudOperations.deleteApplication, async (request) => {
    await applications.remove(callerOf(request), keyOf(request.params));
  });
}

function keyOf({ id, client_id: clientId }: { readonly id: number; readonly client_id: string }) {
  return { organizationId: id, clientId };
}
