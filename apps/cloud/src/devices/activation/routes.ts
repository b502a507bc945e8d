import type { CreateActivationCodeBody, PageQuery } from '@heliograph/contracts';
import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { actorOf, type Caller } from '../../access/caller.ts';
import { callerOf } from '../../http/guards.ts';
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

/** The codes of organizations, and those of the service itself, which activate devices of no organization. */
function activationCodeRoutes(api: Api, codes: ActivationCodeService): void {
  const create = async (caller: Caller, organizationId: number | null, body: CreateActivationCodeBody) => {
    const { uses = 1, expires_at = null } = body;
    await codes.authorize(caller, organizationId);
    codes.requireFresh(caller);
    const expiresAt = expires_at === null ? null : new Date(expires_at);
    return codes.create(actorOf(caller), { organizationId, uses, expiresAt });
  };
  const list = async (caller: Caller, organizationId: number | null, query: PageQuery) => {
    await codes.authorize(caller, organizationId);
    return codes.list(organizationId, query);
  };
  const revoke = async (caller: Caller, organizationId: number | null, codeId: number) => {
    await codes.authorize(caller, organizationId);
    await codes.revoke(actorOf(caller), organizationId, codeId);
  };

  api.serve(cloudOperations.createActivationCode, (request) =>
    create(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.listActivationCodes, (request) =>
    list(callerOf(request), request.params.id, request.query),
  );

  api.serve(cloudOperations.revokeActivationCode, (request) =>
    revoke(callerOf(request), request.params.id, request.params.code_id),
  );

  api.serve(cloudOperations.createServiceActivationCode, (request) =>
    create(callerOf(request), null, request.body),
  );

  api.serve(cloudOperations.listServiceActivationCodes, (request) =>
    list(callerOf(request), null, request.query),
  );

  api.serve(cloudOperations.revokeServiceActivationCode, (request) =>
    revoke(callerOf(request), null, request.params.code_id),
  );
}
