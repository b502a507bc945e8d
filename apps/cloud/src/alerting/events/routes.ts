import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { EventFeed } from './feed.ts';

export function eventRoutes(api: Api, events: EventFeed): void {
  api.serve(cloudOperations.listEvents, (request) => events.ofCaller(callerOf(request), request.query));

  api.serve(cloudOperations.listOrganizationEvents, (request) =>
    events.ofOrganization(callerOf(request), request.params.id, request.query),
  );
}
