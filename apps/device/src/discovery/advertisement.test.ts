import { silentLogger } from '@heliograph/kit';
import { defineMetric, quantities } from '@heliograph/metrics';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Plant } from '../api/testing/plant.ts';
import { Advertisement, isFindable } from './advertisement.ts';
import { MdnsQuerier } from './testing/mdns-query.ts';

const SERVICE = '_solar-assistant._tcp.local';

describe('a device', () => {
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

  it('answers who asks for it, tells its site once it has one, and says goodbye', async () => {
    const asked = (assertion: () => void) =>
      vi.waitFor(
        () => {
          querier.ask(SERVICE);
          assertion();
        },
        { interval: 50, timeout: 5_000 },
      );
    await asked(() =>
      expect(querier.found).toEqual({
        instance: `Heliograph abcdef.${SERVICE}`,
        host: 'heliograph.local',
        port: 4002,
        address: '127.0.0.1',
        txt: [],
      }),
    );
    plant.publish({ 'system/site_id': 19489 });
    await asked(() => expect(querier.found?.txt).toEqual(['site_id=19489']));
    plant.publish({ 'system/site_id': null });
    await asked(() => expect(querier.found?.txt).toEqual([]));
    expect(querier.goodbyes).toBe(0);
    await advertisement.stop();
    await vi.waitFor(() => expect(querier.goodbyes).toBeGreaterThan(0));
  });
});

describe('an API that listens on', () => {
  it.each([
    ['0.0.0.0', true],
    ['::', true],
    ['192.168.1.5', true],
    ['solar.lan', true],
    ['127.0.0.1', false],
    ['127.1.2.3', false],
    ['::1', false],
    ['localhost', false],
  ])('%s can be found from outside: %j', (host, findable) => {
    expect(isFindable(host)).toBe(findable);
  });
});
