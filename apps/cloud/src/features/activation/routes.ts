import {
  ActivationRequest,
  DeviceParams,
  PageQuery,
  RequestActivationAnswer,
  RequestActivationBody,
} from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import { nestErrors } from '../../http/nested-errors.ts';
import { activationCodeRoutes } from './code-routes.ts';
import type { ActivationCodeService, ActivationService } from './service.ts';

export interface ActivationRouteServices {
  readonly activation: ActivationService;
  readonly activationCodes: ActivationCodeService;
}

export function activationRoutes(app: App, services: ActivationRouteServices, guards: Guards): void {
  const { activation, activationCodes } = services;

  app.post(
    '/api/v1/sites/request_activation',
    {
      onRequest: guards.scope('sites:write_all'),
      preSerialization: nestErrors,
      schema: {
        summary: 'Register a device, activating it if that may be, or ask for its activation',
        tags: ['devices'],
        operationId: 'requestActivation',
        body: RequestActivationBody,
        response: { 200: RequestActivationAnswer },
      },
    },
    (request) => activation.request(callerOf(request), request.body),
  );

  app.get(
    '/api/v1/activation_requests',
    {
      onRequest: guards.scope('sites:read_all'),
      schema: {
        summary: 'Who waits for the activation of a device, the longest wait first',
        tags: ['devices'],
        operationId: 'listActivationRequests',
        querystring: PageQuery,
        response: { 200: Type.Array(ActivationRequest) },
      },
    },
    (request) => activation.list(callerOf(request), request.query),
  );

  app.delete(
    '/api/v1/activation_requests/:uid',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: 'Decline to activate a device, for which somebody may ask again',
        tags: ['devices'],
        operationId: 'declineActivationRequest',
        params: DeviceParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await activation.decline(callerOf(request), request.params.uid);
      return reply.code(204).send(null);
    },
  );

  activationCodeRoutes(app, activationCodes, guards);
}
