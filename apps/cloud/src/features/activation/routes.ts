import {
  ActivationCode,
  ActivationCodeParams,
  ActivationRequest,
  CreateActivationCodeBody,
  NewActivationCode,
  OrganizationParams,
  PageQuery,
  RequestActivationAnswer,
  RequestActivationBody,
} from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import { nestErrors } from '../../http/nested-errors.ts';
import { optionalBody } from '../../http/optional-body.ts';
import { actorOf } from '../tokens/policy.ts';
import type { ActivationCodeService, ActivationService } from './service.ts';

export interface ActivationRouteServices {
  readonly activation: ActivationService;
  readonly activationCodes: ActivationCodeService;
}

export function activationRoutes(app: App, services: ActivationRouteServices, guards: Guards): void {
  const { activation, activationCodes: codes } = services;

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

  app.post(
    '/api/v1/organizations/:id/activation_codes',
    {
      onRequest: guards.scope('sites:write_all'),
      preValidation: optionalBody,
      schema: {
        summary: 'Make a code that activates devices',
        tags: ['devices'],
        operationId: 'createActivationCode',
        params: OrganizationParams,
        body: CreateActivationCodeBody,
        response: { 201: NewActivationCode },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { uses = 1, expires_at = null } = request.body;
      await codes.authorize(caller, request.params.id);
      const expiresAt = expires_at === null ? null : new Date(expires_at);
      const terms = { organizationId: request.params.id, uses, expiresAt };
      return reply.code(201).send(await codes.create(actorOf(caller), terms));
    },
  );

  app.get(
    '/api/v1/organizations/:id/activation_codes',
    {
      onRequest: guards.scope('sites:read_all'),
      schema: {
        summary: 'The activation codes of an organization, without the codes themselves, the newest first',
        tags: ['devices'],
        operationId: 'listActivationCodes',
        params: OrganizationParams,
        querystring: PageQuery,
        response: { 200: Type.Array(ActivationCode) },
      },
    },
    async (request) => {
      await codes.authorize(callerOf(request), request.params.id);
      return codes.list(request.params.id, request.query);
    },
  );

  app.delete(
    '/api/v1/organizations/:id/activation_codes/:code_id',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: 'Withdraw an activation code',
        tags: ['devices'],
        operationId: 'revokeActivationCode',
        params: ActivationCodeParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { id, code_id: codeId } = request.params;
      await codes.authorize(caller, id);
      await codes.revoke(actorOf(caller), id, codeId);
      return reply.code(204).send(null);
    },
  );
}
