import { cloudDocument, type OtherEndpoints } from '@heliograph/contracts/documents/cloud';
import { deviceDocument } from '@heliograph/contracts/documents/device';
import { streamDocument } from '@heliograph/contracts/documents/stream';
import { serveDocument } from '@heliograph/http/serve-document';
import { pageSender } from '@heliograph/pages/page-sender';
import { stringify } from 'yaml';
import type { App } from './app-type.ts';

const JSON_TYPE = 'application/json';

/**
 * Publishes the contract: the cloud's at `/openapi.json` and `/openapi.yaml`, that of devices at `/openapi/device.json`,
 * that of their live stream at `/asyncapi.json`, and pages to read them at `/docs` and `/docs/device`.
 */
export function publishContract(app: App, cloudUrl: () => string, endpoints: OtherEndpoints): void {
  const cloud = () => ({ ...cloudDocument(endpoints), servers: [{ url: cloudUrl() }] });
  serveDocument(app, '/openapi.json', JSON_TYPE, () => JSON.stringify(cloud()));
  serveDocument(app, '/openapi.yaml', 'application/yaml', () =>
    stringify(cloud(), { aliasDuplicateObjects: false }),
  );
  serveDocument(app, '/openapi/device.json', JSON_TYPE, () => JSON.stringify(deviceDocument()));
  serveDocument(app, '/asyncapi.json', JSON_TYPE, () => JSON.stringify(streamDocument()));
  // The page may be served at another address than the one that operations are tried at.
  const sendPage = pageSender({ entry: 'docs', connectSources: () => [new URL(cloudUrl()).origin] });
  for (const path of ['/docs', '/docs/device']) {
    app.get(path, (request, reply) => sendPage(request, reply));
  }
}
