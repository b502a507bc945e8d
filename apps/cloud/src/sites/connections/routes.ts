import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { ConnectionService } from './service.ts';
export function connectionRoutes(api: Api, connections: ConnectionService): void {
  api.serve(cloudOperations.listConnections, (request) => connections.list(callerOf(request)));

  api.serve(cloudOperations.endConnection, async (request) => {
    await connections.revoke(callerOf(request), request.params.id);
  });

  api.serve(cloudOperations.listSiteConnections, (request) =>
    connections.listOfSite(callerOf(request), request.params.id),
  );

  api.serve(cloudOperations.endSiteConnection, async (request) => {
    const { id, connection_id: connectionId } = request.params;
    await connections.revokeOfSite(callerOf(request), id, connectionId);
  });
}
