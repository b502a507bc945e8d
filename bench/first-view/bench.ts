import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createCloudClient } from '@heliograph/client';
import { startSystem } from '@heliograph/dev';
import { launchBrowser } from '@heliograph/dev/testing/browser';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { ensurePagesAreBuilt } from '@heliograph/web/build';
import type { Bench } from '../bench.ts';
import { firstView } from '../pages/first-view.ts';
import { reportLimit } from '../report-limit.ts';
import { cpuSeconds } from '../usage.ts';

/** Sites are browsed below it; browsers lead it to this machine. */
const REGION_DOMAIN = 'eu.localhost';
/** Selects the elements with the powers of a home. */
const FLOW = 'figure [class*="power"]';
/** Latest first live value on a slow phone, in milliseconds. */
const LIVE_LIMIT_MS = 4_000;

export const bench: Bench = {
  description:
    'the first view of a home’s own page through the proxy with TLS, on a slow phone: paint, live values, processor time',
  async run() {
    await ensurePagesAreBuilt('smallest');
    await using undo = new AsyncDisposableStack();
    const dataFolder = await mkdtemp(join(tmpdir(), 'heliograph-bench-'));
    undo.defer(() => rm(dataFolder, { recursive: true, force: true }));
    const { certPath, keyPath, cert } = TEST_TLS;
    // The system reads the home through the proxy before it counts as started.
    setDefaultCACertificates([...getCACertificates(), cert.toString()]);
    const start = new Date(Date.UTC(2026, 5, 21, 10)).toISOString();
    const system = undo.use(
      await startSystem({
        dataFolder,
        fast: true,
        plant: { full: true, start },
        pollIntervalMs: 1_000,
        env: {
          proxy: {
            PROXY_TLS_CERT: certPath,
            PROXY_TLS_KEY: keyPath,
            PROXY_REGION_DOMAIN: REGION_DOMAIN,
          },
          device: { NODE_EXTRA_CA_CERTS: certPath },
        },
      }),
    );
    const { cloud, account, site, proxy } = system.run;
    const client = createCloudClient({ url: cloud.url, token: account.api_token });
    const { token, site_key: key } = await client.authorizeSite({ id: site.id });
    const { port } = new URL(proxy.url);
    const query = new URLSearchParams({ token, key, return_to: '/' });
    const url = `https://${site.name}.${REGION_DOMAIN}:${port}/callback?${query}`;
    const browser = await launchBrowser();
    undo.defer(() => browser.close());
    const verdicts: boolean[] = [];
    for (const visit of ['cold', 'again']) {
      const pids = [system.parts.proxy.pid, system.parts.device.pid].map((pid) => pid ?? Number.NaN);
      const before = pids.map(cpuSeconds);
      const visits = visit === 'cold' ? 1 : 5;
      const view = await firstView(browser, { url, cookies: [], live: FLOW, visits });
      const [proxyMs = 0, deviceMs = 0] = pids.map(
        (pid, index) => ((cpuSeconds(pid) - (before[index] ?? 0)) * 1000) / visits,
      );
      const liveMs = view.liveMs ?? Number.POSITIVE_INFINITY;
      const text =
        `${visit}: largest paint after ${view.paintMs.toFixed(0)} ms, live after ${liveMs.toFixed(0)} ms (at most ${LIVE_LIMIT_MS}), ` +
        `${view.requests} requests; ${proxyMs.toFixed(0)} ms of the proxy and ${deviceMs.toFixed(0)} ms of the device until the page was quiet`;
      if (visit === 'cold') console.log(`  ${text}`);
      else verdicts.push(reportLimit(liveMs <= LIVE_LIMIT_MS, text));
    }
    return verdicts.every(Boolean);
  },
};
