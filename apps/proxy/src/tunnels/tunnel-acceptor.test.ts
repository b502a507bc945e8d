import { once } from 'node:events';
import { generateSigningKey } from '@heliograph/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeviceStream } from '../../test/device-stream.ts';
import { dial, dialled, TestDevice } from '../../test/test-device.ts';
import { answering, startTestSystem, type TestSystem } from '../../test/test-system.ts';

const SOON_MS = 250;
let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem({
    pingIntervalMs: 20,
    pingTimeoutMs: SOON_MS,
    // A device answers within it on a loaded machine too.
    replacedMs: 6 * SOON_MS,
    moveGraceMs: SOON_MS,
  });
});
afterAll(() => system.stop());

describe('a device that dials', () => {
  const HOUR_MS = 3_600_000;
  const refused: [string, number, () => Promise<string | undefined>][] = [
    ['no token', 401, async () => undefined],
    ['a token that is not one', 401, async () => 'nonsense'],
    ['an expired token', 401, () => system.cloud.tunnelToken(1, { nowMs: Date.now() - 73 * HOUR_MS })],
    [
      'a token signed by a stranger',
      401,
      async () => system.cloud.tunnelToken(1, { key: await generateSigningKey() }),
    ],
    ['a site token', 401, async () => (await system.cloud.authorize(1)).token],
    ['a token for another proxy', 403, () => system.cloud.tunnelToken(1, { proxy: 'test-2' })],
  ];

  test.each(refused)('a device with %s is refused with %i', async (_name, status, token) => {
    const answer = await dial(system.proxy.url, await token());
    if (!('status' in answer)) throw new Error('the tunnel was opened');
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) });
  });

  test('a tunnel of a later release is refused in the words that devices know an older proxy by', async () => {
    const token = await system.cloud.tunnelToken(1);
    expect(await dial(system.proxy.url, token, { protocol: 'heliograph-tunnel/9' })).toEqual({
      status: 401,
      body: '{"error":"Unauthorized"}',
    });
  });

  test('a device that sends garbage is cut off, and others are unaffected', async () => {
    await system.connectDevice(51, answering('fine'));
    const socket = await dialled(system.proxy.url, await system.cloud.tunnelToken(52));
    socket.resume();
    socket.write(Buffer.alloc(4096, 0xa5));
    await once(socket, 'close');
    const answer = await system.fetch('/api/v1/metrics', await system.cloud.authorize(51));
    expect(await answer.text()).toBe('fine');
  });
});

describe('a device that dials again', () => {
  test('the newest connection of a device serves its site', async () => {
    const credentials = await system.cloud.authorize(3);
    const read = async (): Promise<string> => (await system.fetch('/api/v1/metrics', credentials)).text();
    const first = await system.connectDevice(3, answering('first'));
    expect(await read()).toBe('first');
    const second = await system.connectDevice(3, answering('second'));
    await expect.poll(() => first.closed).toBe(true);
    expect(await read()).toBe('second');
    expect(second.closed).toBe(false);
    expect(await read()).toBe('second');
  });

  test('requests on a replaced connection may still finish', async () => {
    const pending: DeviceStream[] = [];
    const old = await system.connectDevice(4, (stream) => pending.push(stream));
    const credentials = await system.cloud.authorize(4);
    const send = () => system.fetch('/api/v1/metrics', credentials);
    const answers = [send(), send()];
    await expect.poll(() => pending).toHaveLength(2);
    old.onLeave(() => {
      pending[0]?.respond({ ':status': 200 });
      pending[0]?.end('late');
    });
    const next = await TestDevice.connect(
      system.proxy.url,
      await system.cloud.tunnelToken(4),
      answering('new'),
    );
    await expect.poll(async () => (await send()).text()).toBe('new');
    // The order of two concurrent requests is undefined.
    const [late, lost] = (await Promise.all(answers)).toSorted((a, b) => a.status - b.status);
    expect(await late?.text()).toBe('late');
    expect(lost?.status).toBe(502);
    await expect.poll(() => old.closed).toBe(true);
    next.kill();
  });
});

describe('a site whose device was replaced', () => {
  test('an outdated token of the former device is refused', async () => {
    const nowMs = Date.now();
    const { cloud, proxy } = system;
    const token = await cloud.tunnelToken(9, { uid: 'new-one', nowMs });
    const device = await TestDevice.connect(proxy.url, token, answering('new'));
    await expect.poll(() => system.sites()).toContain(9);
    const old = await dial(proxy.url, await cloud.tunnelToken(9, { nowMs: nowMs - 60_000 }));
    expect(old).toMatchObject({ status: 401 });
    expect(await (await system.fetch('/api/v1/metrics', await cloud.authorize(9))).text()).toBe('new');

    const again = await cloud.tunnelToken(9, { nowMs: nowMs + 10_000 });
    const back = await TestDevice.connect(proxy.url, again, answering('back'));
    await expect.poll(() => device.closed).toBe(true);
    back.kill();
  });
});

describe('a device with another ticket', () => {
  test('a device that dials for another site loses its session of the former one', async () => {
    const { cloud, proxy } = system;
    const [uid, nowMs] = ['uid-that-moves', Date.now()];
    const former = await TestDevice.connect(
      proxy.url,
      await cloud.tunnelToken(60, { uid, nowMs }),
      answering('former'),
    );
    await expect.poll(() => system.sites()).toContain(60);
    const token = await cloud.tunnelToken(61, { uid, nowMs: nowMs + 10_000 });
    const next = await TestDevice.connect(proxy.url, token, answering('next'));
    await expect.poll(() => former.closed).toBe(true);
    const read = async (site: number): Promise<Response> =>
      system.fetch('/api/v1/metrics', await cloud.authorize(site));
    expect((await read(60)).status).toBe(503);
    expect(await (await read(61)).text()).toBe('next');
    next.kill();
  });
});

describe('a connected device', () => {
  test('a device that answers no pings goes offline', async () => {
    const socket = await dialled(system.proxy.url, await system.cloud.tunnelToken(5));
    const credentials = await system.cloud.authorize(5);
    socket.resume();
    await expect.poll(() => system.sites()).toContain(5);
    const requested = system.fetch('/api/v1/metrics', credentials);
    await once(socket, 'close');
    // On a loaded machine it was offline before it was asked.
    expect([502, 503]).toContain((await requested).status);
    expect((await system.fetch('/api/v1/metrics', credentials)).status).toBe(503);
  });

  test('a leaving device gets no more requests but finishes pending ones', async () => {
    const pending = Promise.withResolvers<DeviceStream>();
    const device = await system.connectDevice(6, (stream) => pending.resolve(stream));
    const credentials = await system.cloud.authorize(6);
    const answer = system.fetch('/api/v1/metrics', credentials);
    const stream = await pending.promise;
    device.leave();
    await expect.poll(async () => (await system.fetch('/api/v1/metrics', credentials)).status).toBe(503);
    stream.respond({ ':status': 200 });
    stream.end('last words');
    expect(await (await answer).text()).toBe('last words');
  });

  test('an idle device stays connected', async () => {
    const device = await system.connectDevice(7, answering('idle'));
    const { bytesRead } = device.socket;
    // Each ping of the proxy has a head alone, of eight bytes.
    await expect.poll(() => device.socket.bytesRead).toBeGreaterThan(bytesRead + 10 * 8);
    expect(device.closed).toBe(false);
    expect(await (await system.fetch('/api/v1/metrics', await system.cloud.authorize(7))).text()).toBe(
      'idle',
    );
  });
});

test('a token from a slightly faster clock is accepted', async () => {
  const token = await system.cloud.tunnelToken(8, { nowMs: Date.now() + 30_000 });
  const device = await TestDevice.connect(system.proxy.url, token, answering('early'));
  device.kill();
});
