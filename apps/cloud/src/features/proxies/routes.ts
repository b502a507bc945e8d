import { ProxyAnnounceBody } from '@heliograph/contracts';
import { Unauthorized } from '@heliograph/kit';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { bearerToken } from '../../http/guards.ts';
import type { DeviceService } from '../devices/service.ts';
import { isProxySecret } from './policy.ts';
import type { ProxyService } from './service.ts';

/** An announcement lists every session: about 60 bytes each, for more sessions than one proxy holds. */
const ANNOUNCEMENT_LIMIT_BYTES = 16 * 1024 * 1024;

const ProxyParams = Type.Object({ name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' }) });

export function proxyRoutes(
  app: App,
  proxies: ProxyService,
  devices: DeviceService,
  proxySecret: string,
): void {
  app.put(
    '/api/v1/proxies/:name',
    {
      onRequest: async (request) => {
        if (!isProxySecret(bearerToken(request), proxySecret)) throw new Unauthorized();
      },
      bodyLimit: ANNOUNCEMENT_LIMIT_BYTES,
      schema: { params: ProxyParams, body: ProxyAnnounceBody, response: { 200: Type.Object({}) } },
    },
    async ({ params: { name }, body }) => {
      await proxies.announce(name, body);
      await devices.markPresence(
        name,
        body.sessions.map(({ uid }) => uid),
      );
      return {};
    },
  );
}
