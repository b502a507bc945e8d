import type { ProxyAnnounceAnswer, ProxyAnnounceQuery } from '@heliograph/contracts';
import { cloudOperations, internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import type { Clock } from '@heliograph/kit';
import { Unprocessable } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { revocationsSince } from '../../access/revocations.ts';
import type { Database } from '../../db/open.ts';
import { callerOf } from '../../http/guards.ts';
import { requireOperator } from '../../organizations/organizations/policy.ts';
import type { ProxyAdministration } from './administration.ts';
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

/** Operations for operators. */
function proxyAdministrationRoutes(api: Api, proxies: ProxyAdministration): void {
  const setDrain = async (caller: Caller, name: string, isWanted: boolean) => {
    requireOperator(caller);
    const { proxy } = await proxies.setDrainWanted(actorOf(caller), name, isWanted);
    return proxy;
  };

  api.serve(cloudOperations.listProxies, async (request) => {
    requireOperator(callerOf(request));
    return proxies.list();
  });

  api.serve(cloudOperations.drainProxy, (request) => setDrain(callerOf(request), request.params.name, true));

  api.serve(cloudOperations.undrainProxy, (request) =>
    setDrain(callerOf(request), request.params.name, false),
  );

  api.serve(cloudOperations.forgetProxy, async (request) => {
    const caller = callerOf(request);
    requireOperator(caller);
    const forgotten = await proxies.forget(actorOf(caller), request.params.name);
    if (!forgotten) throw new Unprocessable('The proxy is still heard of: end it first');
  });
}
