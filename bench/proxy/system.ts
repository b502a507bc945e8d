import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCloudClient } from '@heliograph/client';
import { startSystem } from '@heliograph/dev';

/** Two URLs of the same answer, and the headers that authorize it. */
export interface ReadableSystem extends AsyncDisposable {
  readonly deviceUrl: string;
  readonly proxyUrl: string;
  /** Process ids. */
  readonly pids: { readonly proxy: number; readonly device: number };
  /** A site token, which the device verifies whichever way the request comes, and the proxy also. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The whole system as `npm start` runs it, in a folder of its own that is deleted with it. */
export async function bootSystem(): Promise<ReadableSystem> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-bench-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const system = undo.use(await startSystem({ dataFolder: folder, fast: true, pollIntervalMs: 2_000 }));
  const { cloud, account, site, device, proxy } = system.run;
  const client = createCloudClient({ url: cloud.url, token: account.api_token });
  const access = await client.authorizeSite({ id: site.id });
  const running = undo.move();
  return {
    deviceUrl: device.url,
    proxyUrl: proxy.url,
    pids: {
      proxy: system.parts.proxy.pid ?? Number.NaN,
      device: system.parts.device.pid ?? Number.NaN,
    },
    headers: {
      authorization: `Bearer ${access.token}`,
      'site-id': String(access.site_id),
      'site-key': access.site_key,
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
