import { deviceOperations } from '@heliograph/contracts/operations/device';
import type { Api } from '@heliograph/http/api';
import { callerOf } from './guards.ts';
import type { ConfigurationFile } from './page-operations.ts';

/** The configuration of the device. */
export function configurationRoutes(api: Api, configuration: ConfigurationFile): void {
  api.serve(deviceOperations.getConfiguration, () => configuration.get());

  api.serve(deviceOperations.changeConfiguration, (request) =>
    configuration.change(request.body, callerOf(request)),
  );

  api.serve(deviceOperations.keepDelegation, (request) =>
    configuration.keepDelegation(request.params.id, callerOf(request)),
  );

  api.serve(deviceOperations.endDelegation, (request) =>
    configuration.endDelegation(request.params.id, callerOf(request)),
  );
}
