import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { SiteParams } from '../common/params.ts';
import { nullable } from '../common/schemas.ts';

export const SiteAuthorization = Type.Object({
  host: Type.String({
    description: 'Proxy host for device requests, with its port where it is not the default',
  }),
  site_host: Type.Optional(
    Type.String({ description: "Where the site's web interface is; absent while the site is unnamed" }),
  ),
  site_id: Type.Integer(),
  site_name: Type.Optional(Type.String()),
  site_key: Type.String({ description: 'Goes with the token, in the header Site-Key' }),
  local_ip: Type.Optional(Type.String()),
  token: Type.String({ description: 'Bearer token for the proxy and the device; valid 7 days' }),
});
export type SiteAuthorization = Static<typeof SiteAuthorization>;

export const AuthorizeSiteQuery = Type.Object({
  roles: Type.Optional(
    Type.String({
      maxLength: 256,
      description:
        'Extra roles, parted by commas. recovery: a token of 15 minutes for the active support recovery session that lets the caller in, refused with 403 without one; ssh is refused with 403; those nobody knows are passed over',
    }),
  ),
});
export type AuthorizeSiteQuery = Static<typeof AuthorizeSiteQuery>;

export const OfflineSiteBody = Type.Object({
  uri: Type.Optional(
    nullable(
      Type.String({
        maxLength: 2048,
        description: 'What the caller failed to reach; the cloud does not call it',
      }),
    ),
  ),
});
export type OfflineSiteBody = Static<typeof OfflineSiteBody>;

const SITE_STATUSES = [
  'connected',
  'http_error',
  'disconnected',
  'proxy_unreachable',
  'timeout',
  'not_found',
] as const;

export const SiteReachability = Type.Object({
  reachable: Type.Boolean({ description: 'Whether the device answered through its proxy' }),
  status: Type.Enum([...SITE_STATUSES], {
    description:
      'connected: it answered; http_error: it answered with an error; disconnected: the proxy has no connection to ' +
      'it; proxy_unreachable: the proxy does not answer; timeout: nothing came in time; not_found: the site has no device',
  }),
  status_at: Type.String({
    format: 'date-time',
    description: 'When this was found out, at most a minute ago',
  }),
});
export type SiteReachability = Static<typeof SiteReachability>;

export const siteAccessOperations = operations('sites', {
  authorizeSite: {
    route: 'POST /api/v1/sites/{id}/authorize',
    summary: "Issue a token for a site's live data and settings; changes nothing on the site",
    requires: ['sites:read_all', 'sites:read_single'],
    permission: 'read',
    params: SiteParams,
    query: AuthorizeSiteQuery,
    answers: { 200: SiteAuthorization },
    refusals: [404],
  },

  probeSite: {
    route: 'PUT /api/v1/sites/{id}/offline',
    summary: 'Look whether a site answers that seems to be offline',
    requires: ['sites:read_all', 'sites:read_single'],
    permission: 'read',
    params: SiteParams,
    body: OfflineSiteBody,
    isBodyOptional: true,
    answers: { 200: SiteReachability },
    refusals: [404],
  },
});
