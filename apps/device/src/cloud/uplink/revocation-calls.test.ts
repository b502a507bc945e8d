import { ManualClock, wait } from '@heliograph/kit';
import { revocationSignal } from '@heliograph/wire';
import { afterEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type TestAnswer, USER_ID } from '../../../test/cloud/uplink/test-cloud.ts';
import {
  FACTS,
  startTestUplink,
  type TestUplink,
  type TestUplinkOptions,
} from '../../../test/cloud/uplink/test-uplink.ts';
import { UPLINK_TIMES } from './uplink-times.ts';

let system: TestUplink;
afterEach(() => system.stop());
const start = async (options: TestUplinkOptions = {}): Promise<void> => {
  system = await startTestUplink(options);
  system.uplink.start();
  await expect.poll(() => system.uplink.status.state, { interval: 5 }).toBe('online');
};

const revokedAt = Date.now() + 60_000;
const pingOf = (...subjects: string[]) =>
  revocationSignal(subjects.map((subject) => ({ subject, revokedAt })));

/** Sets the revocations that the cloud answers from now on. */
const revoke = (...subjects: string[]): void => {
  const revocations = subjects.map((subject) => ({ subject, revoked_at: new Date(revokedAt).toISOString() }));
  system.cloud.answer = { ...system.ready, revocations };
};

const statusWith = async (token: string) =>
  (await fetch(`${system.device.api.url}/api/v1/metrics`, { headers: { authorization: `Bearer ${token}` } }))
    .status;

it('a device calls the cloud when the proxy knows of other revocations, and refuses the token on the LAN', async () => {
  await start();
  const [revoked, kept] = [
    await system.cloud.siteToken({ source: 'token:7' }),
    await system.cloud.siteToken({ source: 'token:8' }),
  ];
  expect([await statusWith(revoked), await statusWith(kept)]).toEqual([200, 200]);
  revoke('token:7');
  await system.proxy.sendRevocations(pingOf('token:7'));
  await expect.poll(() => statusWith(revoked)).toBe(401);
  expect(await statusWith(kept)).toBe(200);
});

it('a token that the proxy alone claims to be revoked stays valid: the cloud’s answer counts', async () => {
  await start();
  const token = await system.cloud.siteToken({ source: 'token:7' });
  const { length } = system.cloud.connects;
  await system.proxy.sendRevocations(pingOf('token:7', `user:${USER_ID}`));
  await expect.poll(() => system.cloud.connects.length).toBe(length + 1);
  expect(await statusWith(token)).toBe(200);
});

it('a device that knows the revocations makes no call, and many pings are one call', async () => {
  await start({ times: { revocations: { minMs: 50, maxMs: 60 } } });
  revoke('token:7', 'token:8');
  const { length } = system.cloud.connects;
  await system.proxy.sendRevocations(pingOf('token:7'));
  for (let n = 0; n < 20; n++) await system.proxy.sendRevocations(pingOf('token:7', 'token:8'));
  await expect.poll(() => system.device.access.revocations.ping).toEqual(pingOf('token:7', 'token:8'));
  const known = await system.proxy.request('/healthz');
  await system.proxy.sendRevocations(pingOf('token:8', 'token:7'));
  expect((await system.proxy.request('/healthz')).status).toBe(known.status);
  expect(system.cloud.connects.length).toBe(length + 1);
});

it('a call that fails is repeated until the cloud has answered', async () => {
  await start();
  system.cloud.answer = 503;
  const { length } = system.cloud.connects;
  await system.proxy.sendRevocations(pingOf('token:7'));
  await expect.poll(() => system.cloud.connects.length).toBeGreaterThan(length + 1);
  revoke('token:7');
  await expect.poll(() => system.device.access.revocations.ping).toEqual(pingOf('token:7'));
});

it('calls are five seconds apart, rarer while they fail, and as late as a busy cloud wants them', async () => {
  const { revocations, requestedCallsApartMs } = UPLINK_TIMES;
  const clock = new ManualClock(Date.now());
  const waited: number[] = [];
  const checkMs = 1e9;
  const answers: TestAnswer[] = [500, 500, 500, { retryAfterS: 90 }];
  await start({
    clock,
    password: null,
    times: { revocations, requestedCallsApartMs, factCheck: { minMs: checkMs, maxMs: checkMs } },
    pause: (ms, signal) => {
      if (ms < checkMs) waited.push(ms);
      return wait(ms < checkMs ? 0 : ms, signal);
    },
  });
  const isBetween = (ms: number | undefined, minMs: number, maxMs: number): void => {
    expect(ms).toBeGreaterThanOrEqual(minMs);
    expect(ms).toBeLessThanOrEqual(maxMs);
  };
  const knows = (...subjects: string[]) =>
    expect.poll(() => system.device.access.revocations.ping).toEqual(pingOf(...subjects));
  revoke('token:7');
  const known = system.cloud.answer as TestAnswer;
  system.cloud.answer = () => answers.shift() ?? known;
  await system.proxy.sendRevocations(pingOf('token:7'));
  await knows('token:7');
  expect(waited).toHaveLength(5);
  isBetween(waited[0], revocations.minMs, revocations.maxMs);
  for (const [i, ms] of waited.slice(1, 4).entries())
    isBetween(ms, (requestedCallsApartMs / 2) * 2 ** i, requestedCallsApartMs * 2 ** i);
  expect(waited[4]).toBe(90_000);
  clock.advance(1_000);
  revoke('token:7', 'token:8');
  await system.proxy.sendRevocations(pingOf('token:7', 'token:8'));
  await knows('token:7', 'token:8');
  expect(waited).toHaveLength(6);
  isBetween(waited[5], 3_999, 4_000);
});

it.each<[string, TestAnswer]>([
  ['rejects the device', 403],
  ['lets the device wait', { status: 'inactive', retry_after_s: 60 }],
])('a cloud that %s is not called again', async (_what, answer) => {
  let looks = 0;
  await start({
    password: null,
    facts: () => {
      looks++;
      return FACTS;
    },
  });
  system.cloud.answer = answer;
  const { length } = system.cloud.connects;
  await system.proxy.sendRevocations(pingOf('token:7'));
  await expect.poll(() => system.cloud.connects.length).toBe(length + 1);
  const looked = looks;
  // Ten looks, of which each takes as long as the pause between two calls.
  await expect.poll(() => looks).toBeGreaterThan(looked + 10);
  expect(system.cloud.connects).toHaveLength(length + 1);
});

it('an open stream on the LAN is cut, and writes nothing while it closes', async () => {
  await start();
  const token = await system.cloud.siteToken({ source: 'token:7' });
  const url = `${system.device.api.url.replace('http', 'ws')}/api/websocket?vsn=2.0.0&token=${token}`;
  const socket = new WebSocket(url);
  const joined = Promise.withResolvers<void>();
  socket.on('message', () => joined.resolve());
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send('["1","1","metrics","phx_join",{}]');
  await joined.promise;
  // The client does not read on, so it does not answer the close either.
  socket.pause();
  revoke('token:7');
  await system.proxy.sendRevocations(pingOf('token:7'));
  await expect.poll(() => statusWith(token)).toBe(401);
  socket.send('["1","2","metrics","set",{"topic":"inverter_1/max_charge_current","value":"40"}]');
  socket.resume();
  expect(await closed).toBe(1008);
  expect(system.device.settings.writes).toEqual([]);
});
