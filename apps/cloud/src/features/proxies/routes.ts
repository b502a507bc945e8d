import type { ProxyAnnounceAnswer, ProxyAnnounceQuery } from '@heliograph/contracts';
import { internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import type { MemberService } from '../members/service.ts';
import type { ProxyAdministration } from './administration.ts';
import { proxyAdministrationRoutes } from './administration-routes.ts';
import type { AnnouncementService, Instructions } from './announcements.ts';
import type { LocationService } from './locations.ts';

export interface ProxyRouteServices {
  readonly announcements: AnnouncementService;
  readonly locations: LocationService;
  readonly members: MemberService;
  readonly proxyAdministration: ProxyAdministration;
}

/** Operations for proxies, which are not in the published document, and those for operators. */
export function proxyRoutes(
  api: Api,
  { announcements, locations, members, proxyAdministration }: ProxyRouteServices,
): void {
  proxyAdministrationRoutes(api, proxyAdministration);

  const answer = async (
    announcement: Promise<Instructions>,
    { revocations_since: since }: ProxyAnnounceQuery,
  ): Promise<ProxyAnnounceAnswer> => {
    const instructions = await announcement;
    const news = await members.revocationsSince(since === undefined ? undefined : new Date(since));
    return { ...instructions, ...news };
  };

  api.serve(internalOperations.announceProxy, ({ params, query, body }) =>
    answer(announcements.announce(params.name, body), query),
  );

  api.serve(internalOperations.announceProxyChanges, ({ params, query, body }) =>
    answer(announcements.announceChanges(params.name, body), query),
  );

  api.serve(internalOperations.locateSite, ({ params }) => locations.ofSite(params.name, params.id));

  api.serve(internalOperations.locateSiteByName, ({ params }) =>
    locations.ofName(params.name, params.site_name),
  );
}
