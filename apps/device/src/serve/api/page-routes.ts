import { deviceOperations } from '@heliograph/contracts/operations/device';
import type { Api } from '@heliograph/http/api';
import { AppError } from '@heliograph/kit';
import type { FastifyInstance } from 'fastify';
import { configurationRoutes } from './configuration-routes.ts';
import { callerOf } from './guards.ts';
import { originOf } from './origin.ts';
import type { ClaimFacts, PageOperations } from './page-operations.ts';
import { probeRoutes } from './probe-routes.ts';
import { receiverRoutes } from './receiver-routes.ts';

/** Routes for the device's own pages, on the network of the home and through the proxy. */
export function pageRoutes(app: FastifyInstance, api: Api, pages: PageOperations): void {
  api.serve(deviceOperations.getDevice, () => pages.about());

  api.serve(deviceOperations.getLinks, ({ raw }) => pages.links(originOf(raw).via));

  api.serve(deviceOperations.getDiagnostics, async ({ raw, query }, reply) => {
    const { fileName, zip } = await pages.diagnostics({
      via: originOf(raw).via,
      frames: query.frames !== undefined,
    });
    return reply
      .headers({
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${fileName}"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(zip);
  });

  api.serve(deviceOperations.getClaim, ({ host }) => {
    const facts = pages.claim();
    return { ...facts, portal_url: portalUrl(facts, `http://${host}/callback`) };
  });

  // The portal redirects here with a token: nothing on this network needs it, so it leaves the address bar.
  app.get('/callback', (_request, reply) =>
    reply.header('referrer-policy', 'no-referrer').redirect('/', 303),
  );

  api.serve(deviceOperations.restartDevice, async (request) => {
    if (pages.restart === undefined) throw new NoRestart();
    pages.restart(callerOf(request));
  });

  probeRoutes(api, pages.probes);
  receiverRoutes(api, pages.receivers);
  if (pages.configuration !== undefined) configurationRoutes(api, pages.configuration);
}

class NoRestart extends AppError {
  constructor() {
    super('This device cannot restart itself', { code: 'no_restart', status: 503, expose: true });
  }
}

/** The portal's page for registering this very device. @param callback the page of the device that it leads back to */
function portalUrl(
  { uid, cloud_url: cloudUrl, registration_code: registration }: ClaimFacts,
  callback: string,
): string | null {
  if (cloudUrl === null) return null;
  const code = registration === null ? {} : { code: registration.code };
  return `${cloudUrl}/sites#register?${new URLSearchParams({ uid, callback, ...code })}`;
}
