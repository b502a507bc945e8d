import {
  ProxyAnnounceAnswer,
  ProxyAnnounceBody,
  ProxyAnnounceQuery,
  ProxyChangeBody,
  SiteLocation,
} from '@heliograph/contracts';
import { Unauthorized } from '@heliograph/kit';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { bearerToken } from '../../http/guards.ts';
import type { MemberService } from '../members/service.ts';
import type { AnnouncementService, Instructions } from './announcements.ts';
import type { LocationService } from './locations.ts';
import { isProxySecret } from './policy.ts';

/** An announcement lists every session: about 60 bytes each, for more sessions than one proxy holds. */
const ANNOUNCEMENT_LIMIT_BYTES = 16 * 1024 * 1024;

const name = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' });
const ProxyParams = Type.Object({ name });
const ProxySiteParams = Type.Object({ name, id: Type.Integer({ minimum: 1 }) });
const ProxySiteNameParams = Type.Object({ name, site_name: Type.String({ maxLength: 63 }) });

export interface ProxyRouteServices {
  readonly announcements: AnnouncementService;
  readonly locations: LocationService;
  readonly members: MemberService;
}

/** What only proxies call; none of it is in the published document. */
export function proxyRoutes(
  app: App,
  { announcements, locations, members }: ProxyRouteServices,
  proxySecret: string,
): void {
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    if (!isProxySecret(bearerToken(request), proxySecret)) throw new Unauthorized();
  };
  const answer = async (
    announcement: Promise<Instructions>,
    { revocations_since: since }: ProxyAnnounceQuery,
  ): Promise<ProxyAnnounceAnswer> => {
    const instructions = await announcement;
    const news = await members.revocationsSince(since === undefined ? undefined : new Date(since));
    return { ...instructions, ...news };
  };
  const schema = {
    params: ProxyParams,
    querystring: ProxyAnnounceQuery,
    response: { 200: ProxyAnnounceAnswer },
  };

  app.put(
    '/api/v1/proxies/:name',
    { onRequest, bodyLimit: ANNOUNCEMENT_LIMIT_BYTES, schema: { ...schema, body: ProxyAnnounceBody } },
    ({ params, query, body }) => answer(announcements.announce(params.name, body), query),
  );

  app.patch(
    '/api/v1/proxies/:name',
    { onRequest, bodyLimit: ANNOUNCEMENT_LIMIT_BYTES, schema: { ...schema, body: ProxyChangeBody } },
    ({ params, query, body }) => answer(announcements.announceChanges(params.name, body), query),
  );

  app.get(
    '/api/v1/proxies/:name/sites/:id',
    { onRequest, schema: { params: ProxySiteParams, response: { 200: SiteLocation } } },
    ({ params }) => locations.ofSite(params.name, params.id),
  );

  app.get(
    '/api/v1/proxies/:name/site_names/:site_name',
    { onRequest, schema: { params: ProxySiteNameParams, response: { 200: SiteLocation } } },
    ({ params }) => locations.ofName(params.name, params.site_name),
  );
}
