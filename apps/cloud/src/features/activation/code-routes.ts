import {
  ActivationCode,
  ActivationCodeParams,
  CreateActivationCodeBody,
  NewActivationCode,
  OrganizationParams,
  PageQuery,
  ServiceActivationCodeParams,
} from '@heliograph/contracts';
import { Type } from 'typebox';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { App } from '../../http/app-type.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import { optionalBody } from '../../http/optional-body.ts';
import type { ActivationCodeService } from './service.ts';

const OF_ORGANIZATION = '/api/v1/organizations/:id/activation_codes';
const OF_SERVICE = '/api/v1/activation_codes';

const tags = ['devices'];

/** The codes of organizations, and those of the service itself, which activate devices of no organization. */
export function activationCodeRoutes(app: App, codes: ActivationCodeService, guards: Guards): void {
  const create = async (caller: Caller, organizationId: number | null, body: CreateActivationCodeBody) => {
    const { uses = 1, expires_at = null } = body;
    await codes.authorize(caller, organizationId);
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
  const writing = { onRequest: guards.scope('sites:write_all') };
  const reading = { onRequest: guards.scope('sites:read_all') };
  const creating = { tags, body: CreateActivationCodeBody, response: { 201: NewActivationCode } };
  const listing = { tags, querystring: PageQuery, response: { 200: Type.Array(ActivationCode) } };
  const revoking = { tags, response: { 204: Type.Null() } };

  app.post(
    OF_ORGANIZATION,
    {
      ...writing,
      preValidation: optionalBody,
      schema: {
        summary: 'Make a code that activates devices',
        operationId: 'createActivationCode',
        params: OrganizationParams,
        ...creating,
      },
    },
    async (request, reply) =>
      reply.code(201).send(await create(callerOf(request), request.params.id, request.body)),
  );

  app.get(
    OF_ORGANIZATION,
    {
      ...reading,
      schema: {
        summary: 'The activation codes of an organization, without the codes themselves, the newest first',
        operationId: 'listActivationCodes',
        params: OrganizationParams,
        ...listing,
      },
    },
    (request) => list(callerOf(request), request.params.id, request.query),
  );

  app.delete(
    `${OF_ORGANIZATION}/:code_id`,
    {
      ...writing,
      schema: {
        summary: 'Withdraw an activation code',
        operationId: 'revokeActivationCode',
        params: ActivationCodeParams,
        ...revoking,
      },
    },
    async (request, reply) => {
      await revoke(callerOf(request), request.params.id, request.params.code_id);
      return reply.code(204).send(null);
    },
  );

  app.post(
    OF_SERVICE,
    {
      ...writing,
      preValidation: optionalBody,
      schema: {
        summary: 'Make a code that activates devices of no organization; for operators',
        operationId: 'createServiceActivationCode',
        ...creating,
      },
    },
    async (request, reply) => reply.code(201).send(await create(callerOf(request), null, request.body)),
  );

  app.get(
    OF_SERVICE,
    {
      ...reading,
      schema: {
        summary: 'The activation codes of no organization, the newest first; for operators',
        operationId: 'listServiceActivationCodes',
        ...listing,
      },
    },
    (request) => list(callerOf(request), null, request.query),
  );

  app.delete(
    `${OF_SERVICE}/:code_id`,
    {
      ...writing,
      schema: {
        summary: 'Withdraw an activation code of no organization; for operators',
        operationId: 'revokeServiceActivationCode',
        params: ServiceActivationCodeParams,
        ...revoking,
      },
    },
    async (request, reply) => {
      await revoke(callerOf(request), null, request.params.code_id);
      return reply.code(204).send(null);
    },
  );
}
