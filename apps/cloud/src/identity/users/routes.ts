import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { UserService } from './service.ts';

export function userRoutes(api: Api, users: UserService): void {
  api.serve(cloudOperations.getCurrentUser, (request) => users.current(callerOf(request)));

  api.serve(cloudOperations.updateCurrentUser, (request) => users.update(callerOf(request), request.body));

  api.serve(cloudOperations.updateProfile, (request) => users.updateProfile(callerOf(request), request.body));

  api.serve(cloudOperations.joinOrganization, (request) =>
    users.joinOrganization(callerOf(request), request.body),
  );

  api.serve(cloudOperations.listJoinedOrganizations, (request) =>
    users.joinedOrganizations(callerOf(request)),
  );

  api.serve(cloudOperations.leaveOrganization, (request) =>
    users.leaveOrganization(callerOf(request), request.params.id),
  );

  api.serve(cloudOperations.getSiteViews, (request) => users.siteViews(callerOf(request)));

  api.serve(cloudOperations.setSiteViews, (request) => users.setSiteViews(callerOf(request), request.body));

  api.serve(cloudOperations.listUsers, (request) => users.list(callerOf(request), request.query));
}
