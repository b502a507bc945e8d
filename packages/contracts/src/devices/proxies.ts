import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { DateTime, MAX_ID, nullable } from '../common/schemas.ts';
import { SiteRevocation } from '../sites/members.ts';

export const ProxyParams = Type.Object({
  name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' }),
});

/** A proxy as operators see it. */
export const ProxySummary = Type.Object({
  name: Type.String(),
  region: Type.String(),
  region_domain: nullable(Type.String({ description: 'Sites of the region are browsed at names below it' })),
  host: Type.String({ description: 'What clients put after https://' }),
  url: Type.String({ description: 'Where devices and other proxies dial' }),
  state: Type.Enum(['open', 'draining', 'gone'], {
    description: 'open takes devices, draining sends them away, gone was not heard of for a while',
  }),
  drain_wanted: Type.Boolean({ description: 'Whether an operator drains it' }),
  sessions: Type.Integer({ description: 'Number of connected devices' }),
  capacity: Type.Integer({ description: 'How many it is to hold at most' }),
  announced_at: DateTime,
});
export type ProxySummary = Static<typeof ProxySummary>;

const ProxySession = Type.Object({ uid: Type.String(), site_id: Type.Integer() });
export type ProxySession = Static<typeof ProxySession>;

/**
 * `PUT /api/v1/proxies/{name}`: a proxy announces itself and every session it holds: when it starts, and whenever the
 * cloud may have missed something. Authenticated with the proxy's own credential.
 */
export const ProxyAnnounceBody = Type.Object({
  host: Type.String({
    description: 'What clients put after https://, with the port if it is not the default',
    examples: ['us-1.example.org'],
  }),
  url: Type.String({
    description: 'Where devices and other proxies dial',
    examples: ['https://us-1.example.org'],
  }),
  region: Type.String({ examples: ['us'] }),
  region_domain: Type.Optional(
    nullable(
      Type.String({
        description:
          'Sites are browsed at {name}.{region_domain}, with the port if it is not the default; null: they are not',
      }),
    ),
  ),
  capacity: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'How many devices it is to hold at most' }),
  ),
  draining: Type.Optional(
    Type.Boolean({ description: 'Whether it takes no more devices and sends away those it has' }),
  ),
  returning: Type.Optional(
    Type.Boolean({
      description:
        'Whether the proxy has just started, so that devices it held before are on their way back: those that are not listed stay as they are',
    }),
  ),
  run: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Names the run of the process; with it, changes alone can follow',
    }),
  ),
  sequence: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Number of this announcement within the run',
    }),
  ),
  sessions: Type.Array(ProxySession),
});
export type ProxyAnnounceBody = Static<typeof ProxyAnnounceBody>;

/**
 * `PATCH /api/v1/proxies/{name}`: what changed since the announcement before, every few seconds and soon after a
 * session came or went; the same device may leave and come in one. 409 when the cloud does not have the announcement
 * before, whereupon the proxy announces everything.
 */
export const ProxyChangeBody = Type.Object({
  run: Type.String({ maxLength: 64 }),
  sequence: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'One more than that of the announcement before',
  }),
  draining: Type.Boolean(),
  removed: Type.Array(Type.String(), {
    description: 'uids of devices whose sessions ended; taken before `added`',
  }),
  added: Type.Array(ProxySession),
});
export type ProxyChangeBody = Static<typeof ProxyChangeBody>;

export const ProxyAnnounceQuery = Type.Object({
  revocations_since: Type.Optional(
    Type.String({
      format: 'date-time',
      description: '`revocations_next` of the previous answer; some revocations are repeated',
    }),
  ),
});
export type ProxyAnnounceQuery = Static<typeof ProxyAnnounceQuery>;

export const ProxyAnnounceAnswer = Type.Object({
  revoked: Type.Array(Type.String(), {
    description:
      'The uids of devices on the proxy that are no longer trusted, or not for the site they were listed with: their sessions are to be ended',
  }),
  drain: Type.Boolean({ description: 'Whether the operator drains the proxy' }),
  others: Type.Optional(
    Type.Boolean({ description: 'Whether another proxy takes devices, so that those of this one can move' }),
  ),
  revocations: Type.Array(SiteRevocation, {
    description: 'Site tokens that were revoked while they can still be alive, the oldest first',
  }),
  revocations_next: Type.Optional(DateTime),
  revocations_more: Type.Optional(
    Type.Boolean({ description: 'Whether there are more, for which the proxy is to ask at once' }),
  ),
});
export type ProxyAnnounceAnswer = Static<typeof ProxyAnnounceAnswer>;

/**
 * The proxy of a site: `GET /api/v1/proxies/{name}/sites/{id}` and `GET /api/v1/proxies/{name}/site_names/{site_name}`, the
 * latter for a site of the proxy's region. Authenticated with the proxy's own credential; 404 when there is no such site.
 */
export const SiteLocation = Type.Object({
  site_id: Type.Integer(),
  site_name: nullable(Type.String()),
  online: Type.Boolean(),
  last_seen_at: nullable(DateTime),
  proxy: nullable(
    Type.Object(
      { name: Type.String(), url: Type.String() },
      { description: 'The proxy that the device is connected to' },
    ),
  ),
  relay_token: nullable(
    Type.String({ description: 'With it the asking proxy may dial the other one; null when it is the same' }),
  ),
});
export type SiteLocation = Static<typeof SiteLocation>;

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

const { name } = ProxyParams.properties;

/** An announcement lists every session: about 60 bytes each, for more sessions than one proxy holds. */
const ANNOUNCEMENT_LIMIT_BYTES = 16 * 1024 * 1024;

export const announcementOperations = operations('internal', {
  announceProxy: {
    route: 'PUT /api/v1/proxies/{name}',
    summary: 'A proxy announces itself and every session that it holds',
    requires: 'proxy',
    params: ProxyParams,
    query: ProxyAnnounceQuery,
    body: ProxyAnnounceBody,
    bodyLimit: ANNOUNCEMENT_LIMIT_BYTES,
    answers: { 200: ProxyAnnounceAnswer },
    refusals: [409, 422],
  },

  announceProxyChanges: {
    route: 'PATCH /api/v1/proxies/{name}',
    summary: 'A proxy announces the sessions that came and went since its last announcement',
    requires: 'proxy',
    params: ProxyParams,
    query: ProxyAnnounceQuery,
    body: ProxyChangeBody,
    bodyLimit: ANNOUNCEMENT_LIMIT_BYTES,
    answers: { 200: ProxyAnnounceAnswer },
    refusals: [404, 409, 422],
  },

  locateSite: {
    route: 'GET /api/v1/proxies/{name}/sites/{id}',
    summary: 'The proxy that has the device of a site',
    requires: 'proxy',
    params: Type.Object({ name, id: Type.Integer({ minimum: 1 }) }),
    answers: { 200: SiteLocation },
    refusals: [404],
  },

  locateSiteByName: {
    route: 'GET /api/v1/proxies/{name}/site_names/{site_name}',
    summary: 'The site of a hostname, and the proxy that has its device',
    requires: 'proxy',
    params: Type.Object({ name, site_name: Type.String({ maxLength: 63 }) }),
    answers: { 200: SiteLocation },
    refusals: [404],
  },
});
