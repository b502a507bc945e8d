import {
  ProxyAnnounceAnswer,
  ProxyAnnounceBody,
  ProxyAnnounceQuery,
  ProxyChangeBody,
  ProxyParams,
  SiteLocation,
} from '@heliograph/contracts';
import type { onRequestAsyncHookHandler } from 'fastify';
import { Type } from 'typebox';
import { clientAddressFrom } from '../../common/client-address.ts';
import type { App } from '../../http/app-type.ts';
import { bearerToken, type Guards } from '../../http/guards.ts';
import type { MemberService } from '../members/service.ts';
import type { ProxyAdministration } from './administration.ts';
import { proxyAdministrationRoutes } from './administration-routes.ts';
import type { AnnouncementService, Instructions } from './announcements.ts';
import type { ProxyAuthenticator } from './authenticator.ts';
import type { LocationService } from './locations.ts';

/** An announcement lists every session: about 60 bytes each, for more sessions than one proxy holds. */
const ANNOUNCEMENT_LIMIT_BYTES = 16 * 1024 * 1024;

const { name } = ProxyParams.properties;
const ProxySiteParams = Type.Object({ name, id: Type.Integer({ minimum: 1 }) });
const ProxySiteNameParams = Type.Object({ name, site_name: Type.String({ maxLength: 63 }) });

export interface ProxyRouteServices {
  readonly announcements: AnnouncementService;
  readonly locations: LocationService;
  readonly members: MemberService;
  readonly proxyAdministration: ProxyAdministration;
  readonly proxyAuthenticator: ProxyAuthenticator;
}

/** Operations for proxies, which are not in the published document, and those for operators. */
export function proxyRoutes(
  app: App,
  { announcements, locations, members, proxyAdministration, proxyAuthenticator }: ProxyRouteServices,
  guards: Guards,
): void {
  proxyAdministrationRoutes(app, proxyAdministration, guards);

  const onRequest: onRequestAsyncHookHandler = async (request) => {
    const { name: announced = '' } = request.params as { readonly name?: string };
    await proxyAuthenticator.authenticate(bearerToken(request), announced, clientAddressFrom(request.ip));
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
