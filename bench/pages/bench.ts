import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem } from '@heliograph/dev';
import { launchBrowser } from '@heliograph/dev/testing/browser';
import { ensurePagesAreBuilt } from '@heliograph/web/build';
import type { Bench } from '../bench.ts';
import { firstView } from './first-view.ts';
import { busyShare } from './live-page.ts';
import { enterDevice, enterPortal } from './sign-in.ts';

/** Most script of a first view, compressed, in thousands of bytes. */
const SCRIPT_LIMIT_KB = { portal: 146, device: 119.5 } as const;

/** Latest largest contentful paint on the throttled profile, in milliseconds. */
const PAINT_LIMIT_MS = 1_500;

/** Latest first live value on the same profile, in milliseconds. */
const LIVE_LIMIT_MS = 2_500;

/** Most requests of a first view. */
const REQUEST_LIMIT = 25;

/** Selects the elements with the powers of a home. */
const FLOW = 'figure [class*="power"]';

/** Most of one core that a page with live values takes, of 1. */
const BUSY_LIMIT = 0.1;

export const bench: Bench = {
  description: 'the pages: script and paint of a first view on a slow phone, processor time of live values',
  async run() {
    await ensurePagesAreBuilt('smallest');
    const dataFolder = await mkdtemp(join(tmpdir(), 'heliograph-bench-'));
    const start = new Date(Date.UTC(2026, 5, 21, 10)).toISOString();
    const system = await startSystem({ dataFolder, plant: { full: true, start }, pollIntervalMs: 1_000 });
    const browser = await launchBrowser();
    try {
      const { run } = system;
      const portal = await enterPortal(browser, run);
      const device = await enterDevice(browser, run);
      const views = [
        { name: 'portal, welcome', url: `${run.cloud.url}/`, of: 'portal', cookies: [] },
        { name: 'portal, sign in', url: `${run.cloud.url}/sign_in`, of: 'portal', cookies: [] },
        { name: 'portal, sites', url: `${run.cloud.url}/sites`, of: 'portal', cookies: portal },
        {
          name: 'portal, overview',
          url: `${run.cloud.url}/sites/${run.site.id}`,
          of: 'portal',
          cookies: portal,
          live: FLOW,
        },
        {
          name: 'portal, sites, once the way in was shown',
          url: `${run.cloud.url}/sites`,
          of: 'portal',
          cookies: portal,
          after: `${run.cloud.url}/sign_in`,
        },
        { name: 'device, sign in', url: `${run.device.url}/sign_in`, of: 'device', cookies: [] },
        { name: 'device, overview', url: `${run.device.url}/`, of: 'device', cookies: device, live: FLOW },
      ] as const;
      const verdicts: boolean[] = [];
      for (const { name, of, ...visit } of views) {
        const { scriptBytes, quietScriptBytes, paintMs, requests, quietRequests, liveMs } = await firstView(
          browser,
          visit,
        );
        const scriptKb = scriptBytes / 1000;
        const isWithinLimit =
          scriptKb < SCRIPT_LIMIT_KB[of] &&
          paintMs < PAINT_LIMIT_MS &&
          requests <= REQUEST_LIMIT &&
          (liveMs ?? 0) < LIVE_LIMIT_MS;
        verdicts.push(isWithinLimit);
        console.log(
          `${verdict(isWithinLimit)}: ${name}: ${scriptKb.toFixed(1)} KB of script (below ${SCRIPT_LIMIT_KB[of]}), ` +
            `${(quietScriptBytes / 1000).toFixed(1)} once quiet, ` +
            `largest paint after ${Math.round(paintMs)} ms (below ${PAINT_LIMIT_MS}), ` +
            `${requests} requests (at most ${REQUEST_LIMIT}), ${quietRequests} once quiet` +
            (liveMs === undefined ? '' : `, live after ${Math.round(liveMs)} ms (below ${LIVE_LIMIT_MS})`),
        );
      }
      const pages = [
        {
          name: 'portal, all metrics',
          url: `${run.cloud.url}/sites/${run.site.id}/metrics`,
          cookies: portal,
        },
        { name: 'portal, overview', url: `${run.cloud.url}/sites/${run.site.id}`, cookies: portal },
        { name: 'device, overview', url: `${run.device.url}/`, cookies: device },
      ] as const;
      for (const { name, url, cookies } of pages) {
        const { share, changesPerSecond } = await busyShare(browser, url, cookies);
        const isWithinLimit = share < BUSY_LIMIT;
        verdicts.push(isWithinLimit);
        console.log(
          `${verdict(isWithinLimit)}: ${name}: ${(share * 100).toFixed(1)} % of a core with ` +
            `${Math.round(changesPerSecond)} values a second (below ${BUSY_LIMIT * 100} %)`,
        );
      }
      return verdicts.every(Boolean);
    } finally {
      await browser.close();
      await system.stop();
      await rm(dataFolder, { recursive: true, force: true });
    }
  },
};

function verdict(isWithinLimit: boolean): string {
  return isWithinLimit ? 'kept' : 'MISSED';
}
