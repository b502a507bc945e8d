import { deviceOperations } from '@heliograph/contracts/operations/device';
import type { Api } from '@heliograph/http/api';
import { AppError, NotFound } from '@heliograph/kit';
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../guards.ts';
import { originOf } from './origin.ts';
import type { ClaimFacts, ConfigurationFile, PageOperations, ProbeOperations } from './page-operations.ts';
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

/** The configuration of the device. */
function configurationRoutes(api: Api, configuration: ConfigurationFile): void {
  api.serve(deviceOperations.getConfiguration, () => configuration.get());

  api.serve(deviceOperations.changeConfiguration, (request) =>
    configuration.change(request.body, callerOf(request)),
  );

  api.serve(deviceOperations.keepDelegation, (request) =>
    configuration.keepDelegation(request.params.id, callerOf(request)),
  );

  api.serve(deviceOperations.endDelegation, (request) =>
    configuration.endDelegation(request.params.id, callerOf(request)),
  );
}

/** Looks for hardware, which takes minutes: a probe is started, and then asked for. */
function probeRoutes(api: Api, probes: ProbeOperations): void {
  api.serve(deviceOperations.startProbe, async (request) => ({
    id: await probes.start(request.body, callerOf(request)),
  }));

  api.serve(deviceOperations.getProbe, (request) => {
    const report = probes.report(request.params.id, callerOf(request));
    if (report === undefined) throw new NotFound();
    return report;
  });

  api.serve(deviceOperations.cancelProbe, async (request) => {
    const { id } = request.params;
    if (probes.report(id, callerOf(request)) === undefined) throw new NotFound();
    await probes.cancel(id);
  });
}
