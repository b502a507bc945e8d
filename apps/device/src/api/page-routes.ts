import { DeviceAbout, DeviceClaim, DeviceLinks, ErrorBody } from '@heliograph/contracts';
import type { FastifyInstance } from 'fastify';
import type { Admit } from './admission.ts';
import { configurationAdmission } from './admission.ts';
import { configurationRoutes } from './configuration-routes.ts';
import { originOf } from './origin.ts';
import type { ClaimFacts, PageOperations } from './page-operations.ts';
import { probeRoutes } from './probe-routes.ts';

/** Routes for the device's own pages, on the network of the home and through the proxy. */
export function pageRoutes(app: FastifyInstance, admit: Admit, pages: PageOperations): void {
  const admitConfiguration = configurationAdmission(admit);
  const answering = <S>(schema: S) => ({ response: { 200: schema, '4xx': ErrorBody } });

  app.get(
    '/api/v1/device',
    { onRequest: admit, schema: answering(DeviceAbout) },
    (): DeviceAbout => pages.about(),
  );
  app.get(
    '/api/v1/links',
    { onRequest: admitConfiguration, schema: answering(DeviceLinks) },
    ({ raw }): DeviceLinks => pages.links(originOf(raw).via),
  );
  app.get(
    '/api/v1/claim',
    { onRequest: admitConfiguration, schema: answering(DeviceClaim) },
    ({ host }): DeviceClaim => {
      const facts = pages.claim();
      return { ...facts, portal_url: portalUrl(facts, `http://${host}/callback`) };
    },
  );
  // The portal redirects here with a token: nothing on this network needs it, so it leaves the address bar.
  app.get('/callback', (_request, reply) =>
    reply.header('referrer-policy', 'no-referrer').redirect('/', 303),
  );

  probeRoutes(app, admitConfiguration, pages.probes);
  if (pages.configuration !== undefined) configurationRoutes(app, admitConfiguration, pages.configuration);
}

/** The portal's page for registering this very device. @param callback the page of the device that it leads back to */
function portalUrl({ uid, cloud_url: cloudUrl }: ClaimFacts, callback: string): string | null {
  return cloudUrl === null ? null : `${cloudUrl}/sites#register?${new URLSearchParams({ uid, callback })}`;
}
