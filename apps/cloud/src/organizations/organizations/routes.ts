import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import { CACHE_ONE_MINUTE } from './caching.ts';
import { documentRoutes } from './document-routes.ts';
import { employeeRoutes } from './employee-routes.ts';
import { logoRoutes } from './logo-routes.ts';
import type { OrganizationService } from './service.ts';
import { teamInvitationRoutes } from './team-invitation-routes.ts';
export function organizationRoutes(api: Api, organizations: OrganizationService): void {
  // No token: pages show the organization before the sign-in.
  api.serve(cloudOperations.getOrganization, async (request, reply) => {
    const organization = await organizations.show(request.params.id);
    return reply.headers(CACHE_ONE_MINUTE).send(organization);
  });

  api.serve(cloudOperations.listOrganizations, (request) =>
    organizations.list(callerOf(request), request.query),
  );

  api.serve(
    cloudOperations.createOrganization,
    (request) => organizations.create(callerOf(request), request.body),
    { fieldErrors: (fields) => organizations.fieldErrors(fields) },
  );

  api.serve(
    cloudOperations.updateOrganization,
    (request) => organizations.change(callerOf(request), request.params.id, request.body),
    { fieldErrors: (fields) => organizations.fieldErrors(fields) },
  );

  logoRoutes(api, organizations.logos);
  employeeRoutes(api, organizations.employees);
  teamInvitationRoutes(api, organizations.teamInvitations);
  documentRoutes(api, organizations.documents);
}
