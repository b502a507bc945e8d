import { ProxyParams, ProxySummary } from '@heliograph/contracts';
import { Unprocessable } from '@heliograph/kit';
import { Type } from 'typebox';
import { actorOf } from '../../access/caller.ts';
import type { App } from '../../http/app-type.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import { requireOperator } from '../organizations/policy.ts';
import type { ProxyAdministration } from './administration.ts';

const tags = ['proxies'];

/** Operations for operators. */
export function proxyAdministrationRoutes(app: App, proxies: ProxyAdministration, guards: Guards): void {
  app.get(
    '/api/v1/proxies',
    {
      onRequest: guards.scope('sites:read_all'),
      schema: {
        summary: 'The proxies there are, by name; for operators',
        tags,
        operationId: 'listProxies',
        response: { 200: Type.Array(ProxySummary) },
      },
    },
    async (request) => {
      requireOperator(callerOf(request));
      return proxies.list();
    },
  );

  const drains = [
    ['drain', 'drainProxy', 'Have a proxy emptied: its devices move to others, and none is sent to it'],
    ['undrain', 'undrainProxy', 'Let a proxy have devices again'],
  ] as const;
  for (const [verb, operationId, what] of drains) {
    app.post(
      `/api/v1/proxies/:name/${verb}`,
      {
        onRequest: guards.scope('sites:write_all'),
        schema: {
          summary: `${what}; for operators`,
          tags,
          operationId,
          params: ProxyParams,
          response: { 200: ProxySummary },
        },
      },
      async (request) => {
        const caller = callerOf(request);
        requireOperator(caller);
        const { proxy } = await proxies.setDrainWanted(
          actorOf(caller),
          request.params.name,
          verb === 'drain',
        );
        return proxy;
      },
    );
  }

  app.delete(
    '/api/v1/proxies/:name',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: 'Forget a proxy that is gone for good; for operators',
        tags,
        operationId: 'forgetProxy',
        params: ProxyParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      requireOperator(caller);
      const forgotten = await proxies.forget(actorOf(caller), request.params.name);
      if (!forgotten) throw new Unprocessable('The proxy is still heard of: end it first');
      return reply.code(204).send(null);
    },
  );
}
