import { join } from 'node:path';
import { createCloudClient } from '@heliograph/client';
import { createTestDatabase, temporaryFolder, testProgramFolder } from '@heliograph/dev/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Balancer } from './balancer.ts';
import { startChaosSystem } from './chaos.ts';
import { Dice } from './dice.ts';
import { evidenceFaults } from './evidence.ts';
import { Journal } from './journal.ts';
import { Load } from './load.ts';
import { Probe } from './probe.ts';
import { restartFaults, restartInTurn } from './rolling-restart.ts';
import { SiteApiClient } from './site-api-client.ts';

const SEED = 5;
/** Two proxies stop and start meanwhile, on a loaded machine, in milliseconds. */
const TIMEOUT_MS = 60_000;
/** A killed proxy stays away for the rest of the tests, in milliseconds. */
const AWAY_MS = 10 * 60_000;

let system: Awaited<ReturnType<typeof startChaosSystem>>;
let writesFile: string;
const undo = new AsyncDisposableStack();
beforeAll(async () => {
  const folder = undo.use(await temporaryFolder());
  writesFile = join(folder.path, 'plant-writes.jsonl');
  const { url } = undo.use(await createTestDatabase());
  system = undo.use(await startChaosSystem(folder.path, writesFile, url, await testProgramFolder()));
});
afterAll(() => undo.disposeAsync());

it(
  'two proxies restart in turn under load, and no request that reached no device is lost',
  async () => {
    using probe = await Probe.of(system);
    await using load = await Load.start(system, SEED);
    const acknowledged = () => load.attempts.filter((attempt) => attempt.acknowledged).length;
    await expect.poll(acknowledged).toBeGreaterThan(3);

    const turns = await restartInTurn(system, probe);

    const before = acknowledged();
    await expect.poll(acknowledged).toBeGreaterThan(before + 3);
    await load.stop();
    const { cloud, account, site } = system.run;
    const device = await createCloudClient({ url: cloud.url, token: account.api_token }).device(site.id);
    expect(turns.map(({ proxy }) => proxy)).toEqual(['proxy', 'proxy-2']);
    expect(restartFaults(turns, load.journal)).toEqual([]);
    expect(await evidenceFaults(load.attempts, device, writesFile)).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  'a client at the name of a site is served with its old token when the proxy of the site is killed under load',
  async () => {
    const { run, parts } = system;
    const target = {
      cloudHost: new URL(run.cloud.url).host,
      apiToken: run.account.api_token,
      siteId: run.site.id,
    };
    const client = new SiteApiClient(target, new Journal(), new Dice(SEED));
    undo.defer(() => client.close());
    await client.authorize();
    const hosts = await Promise.all(parts.proxies.map(async (proxy) => (await proxy.ready()).host));
    const holder = parts.proxies[hosts.indexOf(client.access.host)];
    if (holder === undefined) throw new Error(`${client.access.host} is no proxy`);
    await using balancer = await Balancer.start(hosts);
    await using load = await Load.start(system, SEED + 1);
    const request = {
      path: '/api/v1/metrics?topic=system/site_id',
      headers: { host: `${run.site.name}.localhost` },
    };
    const read = () =>
      client.send('read by name', request, (status) => (status === 200 ? 'good' : 'failed'), balancer.host);
    expect(await read()).toMatchObject({ isGood: true });
    await expect.poll(() => load.journal.good('read by name')).toBeGreaterThan(3);

    holder.kill('SIGKILL', AWAY_MS);
    const beforeKill = load.journal.good('read by name');

    await expect.poll(async () => (await read()).isGood, { timeout: TIMEOUT_MS / 2 }).toBe(true);
    await expect
      .poll(() => load.journal.good('read by name'), { timeout: TIMEOUT_MS / 2 })
      .toBeGreaterThan(beforeKill + 10);
    await load.stop();
  },
  TIMEOUT_MS,
);
