import type { ProxyAnnounceAnswer, ProxyAnnounceQuery } from '@heliograph/contracts';
import { internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { revocationsSince } from '../../access/revocations.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import type { ProxyPlatform } from '../platform.ts';
import { drainProxy, forgetProxy, listProxies, undrainProxy } from './administration.ts';
import { announceProxy, announceProxyChanges, type Instructions } from './announcements.ts';
import { locateSite, locateSiteByName } from './locations.ts';

/** Operations for proxies, which are not in the published document, and those for operators. */
export function proxyRoutes(api: Api, platform: ProxyPlatform): void {
  serveUseCases(api, platform, { listProxies, drainProxy, undrainProxy, forgetProxy });

  const answer = async (
    announcement: Promise<Instructions>,
    { revocations_since: since }: ProxyAnnounceQuery,
  ): Promise<ProxyAnnounceAnswer> => {
    const instructions = await announcement;
    const { db, clock } = platform;
    const news = await revocationsSince(db, clock.now(), since === undefined ? undefined : new Date(since));
    return { ...instructions, ...news };
  };

  api.serve(internalOperations.announceProxy, ({ params, query, body }) =>
    answer(announceProxy(platform, params.name, body), query),
  );

  api.serve(internalOperations.announceProxyChanges, ({ params, query, body }) =>
    answer(announceProxyChanges(platform, params.name, body), query),
  );

  api.serve(internalOperations.locateSite, ({ params }) => locateSite(platform, params.name, params.id));

  api.serve(internalOperations.locateSiteByName, ({ params }) =>
    locateSiteByName(platform, params.name, params.site_name),
  );
}
