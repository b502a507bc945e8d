import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { silentLogger } from '@heliograph/kit';
import { defineMetric, quantities } from '@heliograph/metrics';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Plant } from '../../../test/serve/api/plant.ts';
import { MdnsQuerier } from '../../../test/serve/discovery/mdns-query.ts';
import { Advertisement, isFindable } from './advertisement.ts';

/** Longer than a process takes to end, however busy the machine is. */
const ENDLESS_MS = 15_000;
const SERVICE = '_solar-assistant._tcp.local';

describe('Advertisement', () => {
  let plant: Plant;
  let querier: MdnsQuerier;
  let advertisement: Advertisement;

  beforeEach(async () => {
    plant = new Plant([defineMetric('system', null, quantities.info('Site ID'))]);
    plant.publish({ 'system/site_id': null });
    querier = await MdnsQuerier.open();
    advertisement = new Advertisement({
      uid: 'abcdefghij0123456789',
      host: '127.0.0.1',
      port: 4002,
      snapshots: plant.snapshots,
      logger: silentLogger,
    });
    advertisement.start();
  });

  afterEach(async () => {
    await advertisement.stop();
    await querier.close();
  });

  it('a device answers queries, announces its site once it has one, and sends a goodbye', async () => {
    const requested = (assertion: () => void) =>
      vi.waitFor(
        () => {
          querier.query(SERVICE);
          assertion();
        },
        { interval: 50, timeout: 5_000 },
      );
    await requested(() =>
      expect(querier.found).toEqual({
        instance: `Heliograph abcdef.${SERVICE}`,
        host: 'heliograph.local',
        port: 4002,
        address: '127.0.0.1',
        txt: [],
      }),
    );
    plant.publish({ 'system/site_id': 19489 });
    await requested(() => expect(querier.found?.txt).toEqual(['site_id=19489']));
    plant.publish({ 'system/site_id': null });
    await requested(() => expect(querier.found?.txt).toEqual([]));
    expect(querier.goodbyes).toBe(0);
    await advertisement.stop();
    await expect.poll(() => querier.goodbyes).toBeGreaterThan(0);
  });
});

it('an advertisement that is stopped right after its start lets the process end', async () => {
  const source = `
    import { silentLogger } from '@heliograph/kit';
    import { Advertisement } from './advertisement.ts';
    const snapshots = { current: { samples: new Map() }, subscribe: () => () => {} };
    const uid = 'abcdefghij0123456789';
    const advertisement = new Advertisement({ uid, host: '0.0.0.0', port: 4002, snapshots, logger: silentLogger });
    advertisement.start();
    await advertisement.stop();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    cwd: import.meta.dirname,
    stdio: 'inherit',
    timeout: ENDLESS_MS,
  });
  expect(await once(child, 'exit')).toEqual([0, null]);
});

describe('isFindable', () => {
  it.each([
    ['0.0.0.0', true],
    ['::', true],
    ['192.168.1.5', true],
    ['solar.lan', true],
    ['127.0.0.1', false],
    ['127.1.2.3', false],
    ['::1', false],
    ['localhost', false],
  ])('an API that listens on %s can be found from outside: %j', (host, findable) => {
    expect(isFindable(host)).toBe(findable);
  });
});
