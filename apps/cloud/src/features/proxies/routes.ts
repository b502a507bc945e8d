import { ProxyAnnounceAnswer, ProxyAnnounceBody, ProxyAnnounceQuery } from '@heliograph/contracts';
import { Unauthorized } from '@heliograph/kit';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { bearerToken } from '../../http/guards.ts';
import type { PresenceService } from '../devices/service.ts';
import type { MemberService } from '../members/service.ts';
import { isProxySecret } from './policy.ts';
import type { ProxyService } from './service.ts';

/** An announcement lists every session: about 60 bytes each, for more sessions than one proxy holds. */
const ANNOUNCEMENT_LIMIT_BYTES = 16 * 1024 * 1024;

const ProxyParams = Type.Object({ name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' }) });

interface ProxyRouteServices {
  readonly proxies: ProxyService;
  readonly presence: PresenceService;
  readonly members: MemberService;
}

export function proxyRoutes(
  app: App,
  { proxies, presence, members }: ProxyRouteServices,
  proxySecret: string,
): void {
  app.put(
    '/api/v1/proxies/:name',
    {
      onRequest: async (request) => {
        if (!isProxySecret(bearerToken(request), proxySecret)) throw new Unauthorized();
      },
      bodyLimit: ANNOUNCEMENT_LIMIT_BYTES,
      schema: {
        params: ProxyParams,
        querystring: ProxyAnnounceQuery,
        body: ProxyAnnounceBody,
        response: { 200: ProxyAnnounceAnswer },
      },
    },
    async ({ params: { name }, query, body }) => {
      await proxies.announce(name, body);
      const uids = body.sessions.map(({ uid }) => uid);
      const revoked = await presence.markPresence(name, uids);
      const { revocations_since: since } = query;
      return {
        revoked,
        drain: false,
        revocations: await members.revocationsSince(since === undefined ? undefined : new Date(since)),
      };
    },
  );
}
