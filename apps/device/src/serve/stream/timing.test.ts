import { ManualClock } from '@heliograph/kit';
import { defineMetric, quantities } from '@heliograph/metrics';
import { SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SITE_ID, startTestCloud } from '../../../test/cloud/uplink/test-cloud.ts';
import { Plant } from '../../../test/serve/api/plant.ts';
import { PASSWORD, startTestDevice, type TestDevice } from '../../../test/serve/api/test-device.ts';
import { connectStream, type StreamClient } from '../../../test/serve/stream/stream-client.ts';
import { IDLE_LIMIT_MS, REFRESH_INTERVAL_MS } from './live-stream.ts';

let clock: ManualClock;
let device: TestDevice;

/** Time passes for the device alone: its clock, then the interval that looks at it. */
const pass = (ms: number): void => {
  clock.advance(ms);
  vi.advanceTimersByTime(1_000);
};

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  clock = new ManualClock(Date.now());
  device = await startTestDevice({ clock });
});
afterEach(async () => {
  await device.stop();
  vi.useRealTimers();
});

const streamUrl = (of: TestDevice, credentials: string) =>
  `${of.api.url.replace('http', 'ws')}/api/websocket?vsn=2.0.0&${credentials}`;

const join = async (payload: Record<string, unknown>, of = device): Promise<StreamClient> => {
  const client = await connectStream(streamUrl(of, `password=${encodeURIComponent(PASSWORD)}`));
  client.send('1', '2', 'metrics', 'phx_join', payload);
  await client.next('data');
  return client;
};

describe('a stream', () => {
  it('the stream repeats everything before clients take the silence for a dead connection', async () => {
    const client = await join({ topics: [{ topic: 'total/*' }] });
    pass(REFRESH_INTERVAL_MS - 1);
    pass(1);
    await client.next('system');
    expect((await client.next('data'))[4]).toEqual({
      metrics: [
        { topic: 'total/pv_power', value: 1240 },
        { topic: 'total/load_power', value: 800 },
      ],
    });
    expect(REFRESH_INTERVAL_MS).toBeLessThanOrEqual(20_000);
  });

  it('a topic is sent no more often than requested, and then with its newest value', async () => {
    const client = await join({
      topics: [{ topic: 'total/pv_power', max_frequency_s: 10 }, { topic: 'battery*' }],
    });
    device.plant.publish({ 'total/pv_power': 1, 'battery_1/voltage': 50 });
    expect((await client.next('data'))[4].metrics).toEqual([{ topic: 'battery_1/voltage', value: 50 }]);
    pass(4_000);
    device.plant.publish({ 'total/pv_power': 2, 'battery_1/voltage': 51 });
    expect((await client.next('data'))[4].metrics).toEqual([{ topic: 'battery_1/voltage', value: 51 }]);
    pass(6_000);
    expect((await client.next('data'))[4].metrics).toEqual([{ topic: 'total/pv_power', value: 2 }]);
  });

  it('a silent client is pinged, and dropped when it does not answer', async () => {
    const silent = await join({});
    const pinged = vi.fn();
    silent.socket.on('ping', pinged);
    const deaf = await join({});
    deaf.socket.pause();
    pass(IDLE_LIMIT_MS / 2);
    await expect.poll(() => pinged).toHaveBeenCalled();
    silent.send('', '9', 'phoenix', 'heartbeat', {});
    await silent.next('phx_reply', ([, ref]) => ref === '9');
    pass(IDLE_LIMIT_MS / 2);
    deaf.socket.resume();
    await deaf.closed;
    silent.send('', '10', 'phoenix', 'heartbeat', {});
    await silent.next('phx_reply', ([, ref]) => ref === '10');
  });

  it('the stream ends with its token', async () => {
    const cloud = await startTestCloud();
    const own = await startTestDevice({ cloudUrl: cloud.url, clock });
    own.access.site.set(SITE_ID);
    const token = await cloud.siteToken({ atMs: clock.now() - SITE_TOKEN_LIFETIME_MS + 5_000 });
    const client = await connectStream(streamUrl(own, `token=${token}`));
    pass(4_000);
    client.send('', '1', 'phoenix', 'heartbeat', {});
    await client.next('phx_reply');
    pass(1_000);
    expect(await client.closed).toEqual([1008, 'What let this client in is no longer valid']);
    await own.stop();
    await cloud.stop();
  });
});

describe('a client that reads slowly', () => {
  const log = defineMetric('inverters', 0, quantities.state('Log'));
  const counter = defineMetric('inverters', 0, quantities.state('Counter'));
  const CHANGES = 200;
  const bigText = (n: number) => `${n} ${'x'.repeat(100_000)}`;

  it('a slow client gets the newest value of each topic, and holds up neither memory nor other clients', async () => {
    const plant = new Plant([log, counter]);
    const own = await startTestDevice({ plant, clock });
    plant.publish({ [log.topic]: 'first', [counter.topic]: 0 });
    const slow = await join({ topics: [{ topic: '*' }] }, own);
    const quick = await join({ topics: [{ topic: '*' }] }, own);
    slow.socket.pause();
    for (let n = 1; n <= CHANGES; n++) {
      plant.publish({ [log.topic]: bigText(n), [counter.topic]: n });
      await quick.next('data');
    }
    slow.socket.resume();
    const isLast = (text: string) => text.includes(`"value":${CHANGES}}`);
    await expect.poll(() => slow.texts.some(isLast), { timeout: 5_000 }).toBe(true);
    const received = slow.texts.reduce((sum, text) => sum + text.length, 0);
    expect(received).toBeLessThan((CHANGES * 100_000) / 2);
    expect(slow.texts.at(-1)).toContain(`"value":"${CHANGES} xxx`);
    await own.stop();
  });
});
