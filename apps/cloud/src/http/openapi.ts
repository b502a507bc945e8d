import { cloudDocument } from '@heliograph/contracts/documents/cloud';
import { deviceDocument } from '@heliograph/contracts/documents/device';
import { streamDocument } from '@heliograph/contracts/documents/stream';
import { pageSender } from '@heliograph/pages/page-sender';
import { stringify } from 'yaml';
import type { App } from './app-type.ts';

/**
 * Publishes the contract: the cloud's at `/openapi.json` and `/openapi.yaml`, that of devices at `/openapi/device.json`,
 * that of their live stream at `/asyncapi.json`, and pages to read them at `/docs` and `/docs/device`.
 */
export function publishContract(app: App, cloudUrl: () => string): void {
  const cloud = () => ({ ...cloudDocument(), servers: [{ url: cloudUrl() }] });
  app.get('/openapi.json', cloud);
  app.get('/openapi.yaml', (_request, reply) =>
    reply.type('application/yaml; charset=utf-8').send(stringify(cloud(), { aliasDuplicateObjects: false })),
  );
  app.get('/openapi/device.json', () => deviceDocument());
  app.get('/asyncapi.json', () => streamDocument());
  // The page may be served at another address than the one that operations are tried at.
  const sendPage = pageSender({ entry: 'docs', connectSources: () => [new URL(cloudUrl()).origin] });
  for (const path of ['/docs', '/docs/device']) {
    app.get(path, (request, reply) => sendPage(request, reply));
  }
}
