import { cloudDocument, type OtherEndpoints } from '@heliograph/contracts/documents/cloud';
import { deviceDocument } from '@heliograph/contracts/documents/device';
import { streamDocument } from '@heliograph/contracts/documents/stream';
import { serveContent } from '@heliograph/http/serve-content';
import { pageSender } from '@heliograph/pages/page-sender';
import { stringify } from 'yaml';
import type { App } from './app-type.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Publishes the contract: the cloud's at `/openapi.json` and `/openapi.yaml`, that of devices at `/openapi/device.json`,
 * that of their live stream at `/asyncapi.json`, and pages to read them at `/docs` and `/docs/device`.
 */
export function publishContract(app: App, cloudUrl: () => string, endpoints: OtherEndpoints): void {
  const cloud = () => ({ ...cloudDocument(endpoints), servers: [{ url: cloudUrl() }] });
  serveJson(app, '/openapi.json', cloud);
  serveContent(app, '/openapi.yaml', {
    type: 'application/yaml; charset=utf-8',
    make: () => stringify(cloud(), { aliasDuplicateObjects: false }),
  });
  serveJson(app, '/openapi/device.json', () => deviceDocument());
  serveJson(app, '/asyncapi.json', streamDocument);
  // The page may be served at another address than the one that operations are tried at.
  const sendPage = pageSender({ entry: 'docs', connectSources: () => [new URL(cloudUrl()).origin] });
  for (const path of ['/docs', '/docs/device']) {
    app.get(path, (request, reply) => sendPage(request, reply));
  }
}

function serveJson(app: App, path: string, make: () => object): void {
  serveContent(app, path, { type: JSON_TYPE, make: () => JSON.stringify(make()) });
}
