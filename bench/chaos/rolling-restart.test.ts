import { join } from 'node:path';
import { createCloudClient } from '@heliograph/client';
import { createTestDatabase, temporaryFolder, testProgramFolder } from '@heliograph/dev-env/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startChaosSystem } from './chaos.ts';
import { evidenceFaults } from './evidence.ts';
import { Load } from './load.ts';
import { Probe } from './probe.ts';
import { restartFaults, restartInTurn } from './rolling-restart.ts';

const SEED = 5;
/** Two proxies stop and start meanwhile, on a loaded machine, in milliseconds. */
const TIMEOUT_MS = 60_000;

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
