import { once } from 'node:events';
import { createLogger } from '@heliograph/kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SITE_ID, type TestAnswer } from '../../../test/cloud/uplink/test-cloud.ts';
import { startTestProxy, type TestProxy } from '../../../test/cloud/uplink/test-proxy.ts';
import {
  startTestUplink,
  type TestUplink,
  type TestUplinkOptions,
} from '../../../test/cloud/uplink/test-uplink.ts';

let system: TestUplink;
let other: TestProxy;
let elsewhere: TestAnswer;
beforeEach(async () => {
  other = await startTestProxy();
});
afterEach(async () => {
  await system.stop();
  await other.stop();
});

/** A device whose tunnel to the first proxy is up. */
const start = async (options: TestUplinkOptions = {}): Promise<void> => {
  system = await startTestUplink(options);
  elsewhere = { ...system.ready, proxy: { name: 'local-2', url: other.url }, tunnel_token: 'for the other' };
  system.uplink.start();
  await expect.poll(() => system.uplink.status.state, { interval: 5 }).toBe('online');
};
const cloudCalls = () => system.cloud.connects.length;

it('a device that is to move serves on the new tunnel before it leaves the old, whose requests end', async () => {
  await start();
  const headers = {
    authorization: `Bearer ${await system.cloud.siteToken()}`,
    'site-id': String(SITE_ID),
    'site-key': system.cloud.siteKey,
  };
  const held = Promise.withResolvers<void>();
  const set = vi.spyOn(system.device.settings, 'set').mockReturnValueOnce(held.promise);
  const write = system.proxy.request(
    '/api/v1/metrics',
    headers,
    JSON.stringify({ topic: 'inverter_1/max_charge_current', value: '1' }),
  );
  await expect.poll(() => set).toHaveBeenCalled();
  const { since } = system.uplink.status;
  const old = await system.proxy.tunnel();
  const openedBeforeLeaving = once(old, 'left').then(() => other.opened);
  const closed = once(old, 'close');
  system.cloud.answer = elsewhere;
  await system.proxy.requestMove();

  expect(await openedBeforeLeaving).toBe(1);
  expect((await other.request('/api/v1/metrics', headers)).status).toBe(200);
  expect(system.uplink.status).toMatchObject({ state: 'online', proxy: 'local-2', since });
  held.resolve();
  expect((await write).status).toBe(200);
  await closed;
  expect(set).toHaveBeenCalledTimes(1);
  expect([cloudCalls(), system.proxy.dials.length, other.dials.length]).toEqual([2, 1, 1]);
});

it.each<[string, () => TestAnswer]>([
  ['the cloud knows no other proxy', () => system.ready],
  ['the cloud is away', () => 503],
  [
    'the other proxy is not there',
    () => ({ ...system.ready, proxy: { name: 'gone', url: 'http://127.0.0.1:1' } }),
  ],
])('a device stays while %s, and moves later', async (_why, answer) => {
  const lines: string[] = [];
  const logger = createLogger('device', 'info', { write: (line) => lines.push(JSON.parse(line).msg) });
  await start({ password: null, logger });
  system.cloud.answer = answer();
  await system.proxy.requestMove();
  await expect.poll(cloudCalls).toBeGreaterThan(3);
  expect(lines.slice(1)).toEqual(['asked to move to another proxy, and cannot yet']);
  expect([system.proxy.opened, system.uplink.status.state]).toEqual([1, 'online']);
  const old = await system.proxy.tunnel();
  expect(old.isClosing).toBe(false);
  system.cloud.answer = elsewhere;
  await expect.poll(() => other.opened).toBe(1);
  if (!old.isClosed) await once(old, 'close');
});

it('a second request to move is tried soon', async () => {
  await start({ password: null, times: { moveRetry: { minMs: 60_000, maxMs: 60_000 } } });
  await system.proxy.requestMove();
  await expect.poll(cloudCalls).toBe(2);
  system.cloud.answer = elsewhere;
  await system.proxy.requestMove();
  await expect.poll(() => other.opened).toBe(1);
});

it('a proxy that asks to move again and again causes no more calls', async () => {
  const times = { moveRetry: { minMs: 60_000, maxMs: 60_000 }, requestedCallsApartMs: 60_000 };
  await start({ password: null, times });
  await system.proxy.requestMove();
  await expect.poll(cloudCalls).toBe(2);
  for (let n = 0; n < 50; n++) {
    await system.proxy.requestMove();
    await system.proxy.request('/healthz');
  }
  expect(cloudCalls()).toBe(2);
});

it('a move is brought to its end when the old tunnel ends meanwhile', async () => {
  await start({ password: null });
  const answer = Promise.withResolvers<TestAnswer>();
  system.cloud.answer = () => answer.promise;
  await system.proxy.requestMove();
  await expect.poll(cloudCalls).toBe(2);
  const old = await system.proxy.tunnel();
  old.leave();
  await once(old, 'close');
  answer.resolve(elsewhere);
  await expect.poll(() => other.opened).toBe(1);
  expect([cloudCalls(), system.proxy.dials.length]).toEqual([2, 1]);
});

it('the same proxy is dialled again when it stops without another to move to', async () => {
  await start({ password: null, times: { stableMs: 0, moveRetry: { minMs: 60_000, maxMs: 60_000 } } });
  system.cloud.answer = 503;
  await system.proxy.requestMove();
  await expect.poll(cloudCalls).toBe(2);
  (await system.proxy.tunnel()).leave();
  await expect.poll(() => system.proxy.opened).toBe(2);
  expect(cloudCalls()).toBe(2);
});
