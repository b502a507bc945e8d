import type { ProxyAnnounceAnswer, ProxyAnnounceQuery } from '@heliograph/contracts';
import { internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import type { Clock } from '@heliograph/kit';
import { revocationsSince } from '../../access/revocations.ts';
import type { Database } from '../../db/open.ts';
import type { ProxyAdministration } from './administration.ts';
import { proxyAdministrationRoutes } from './administration-routes.ts';
import type { AnnouncementService, Instructions } from './announcements.ts';
import type { LocationService } from './locations.ts';

export interface ProxyRouteServices {
  readonly announcements: AnnouncementService;
  readonly locations: LocationService;
  readonly db: Database;
  readonly clock: Clock;
  readonly proxyAdministration: ProxyAdministration;
}

/** Operations for proxies, which are not in the published document, and those for operators. */
export function proxyRoutes(
  api: Api,
  { announcements, clock, db, locations, proxyAdministration }: ProxyRouteServices,
): void {
  proxyAdministrationRoutes(api, proxyAdministration);

  const answer = async (
    announcement: Promise<Instructions>,
    { revocations_since: since }: ProxyAnnounceQuery,
  ): Promise<ProxyAnnounceAnswer> => {
    const instructions = await announcement;
    const news = await revocationsSince(db, clock.now(), since === undefined ? undefined : new Date(since));
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
