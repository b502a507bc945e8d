import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import { activationCodeRoutes } from './code-routes.ts';
import type { ActivationCodeService, ActivationService } from './service.ts';

export interface ActivationRouteServices {
  readonly activation: ActivationService;
  readonly activationCodes: ActivationCodeService;
}

export function activationRoutes(api: Api, services: ActivationRouteServices): void {
  const { activation, activationCodes } = services;

  api.serve(cloudOperations.requestActivation, (request) =>
    activation.request(callerOf(request), request.body),
  );

  api.serve(cloudOperations.listActivationRequests, (request) =>
    activation.list(callerOf(request), request.query),
  );

  api.serve(cloudOperations.declineActivationRequest, async (request) => {
    await activation.decline(callerOf(request), request.params.uid);
  });

  activationCodeRoutes(api, activationCodes);
}
