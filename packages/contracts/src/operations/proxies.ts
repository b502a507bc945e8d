import { Type } from 'typebox';
import { ProxyParams, ProxySummary } from '../schemas/proxy-summary.ts';
import { NoContent, operations } from './operation.ts';

export const proxyOperations = operations('proxies', {
  listProxies: {
    route: 'GET /api/v1/proxies',
    summary: 'The proxies there are, by name; for operators',
    requires: ['sites:read_all'],
    answers: { 200: Type.Array(ProxySummary) },
  },

  drainProxy: {
    route: 'POST /api/v1/proxies/{name}/drain',
    summary: 'Have a proxy emptied: its devices move to others, and none is sent to it; for operators',
    requires: ['sites:write_all'],
    params: ProxyParams,
    answers: { 200: ProxySummary },
    refusals: [404],
  },

  undrainProxy: {
    route: 'POST /api/v1/proxies/{name}/undrain',
    summary: 'Let a proxy have devices again; for operators',
    requires: ['sites:write_all'],
    params: ProxyParams,
    answers: { 200: ProxySummary },
    refusals: [404],
  },

  forgetProxy: {
    route: 'DELETE /api/v1/proxies/{name}',
    summary: 'Forget a proxy that is gone for good; for operators',
    requires: ['sites:write_all'],
    params: ProxyParams,
    answers: { 204: NoContent },
    refusals: [404, 422],
  },
});
