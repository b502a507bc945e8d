import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { DeviceStream } from '../test/device-stream.ts';
import { head, rawConnection } from '../test/raw-request.ts';
import { siteHeaderLines, siteHeaders } from '../test/test-cloud.ts';
import { TestDevice } from '../test/test-device.ts';
import { answering, startTestSystem, type TestSystem, testConfig } from '../test/test-system.ts';
import { startProxy } from './proxy.ts';

let system: TestSystem;
afterEach(() => system.stop());

describe('a proxy', () => {
  test('a proxy is healthy at once and ready with the keys of the cloud', async () => {
    system = await startTestSystem();
    const status = async (path: string): Promise<number> => (await fetch(system.proxy.url + path)).status;
    expect(await status('/healthz')).toBe(200);
    await expect.poll(() => status('/readyz')).toBe(200);
  });

  test('a proxy starts without the cloud and becomes ready once it is reachable', async () => {
    system = await startTestSystem();
    system.cloud.keysStatus = 500;
    const proxy = await startProxy(testConfig(system.cloud.url));
    const ready = async (): Promise<number> => (await fetch(`${proxy.facts.url}/readyz`)).status;
    expect((await fetch(`${proxy.facts.url}/healthz`)).status).toBe(200);
    expect(await ready()).toBe(503);
    // Not 401, upon which clients throw their token away.
    const headers = siteHeaders(await system.cloud.authorize(1));
    expect((await fetch(`${proxy.facts.url}/api/v1/metrics`, { headers })).status).toBe(503);
    system.cloud.keysStatus = 200;
    await expect.poll(() => ready(), { timeout: 5_000 }).toBe(200);
    await proxy.stop();
  });

  test.each(['/', '/api', '/metrics/', '/healthz/x', '/tunnel', '/relay', '/../api/v1/metrics'])(
    'the path %s reaches the device for authorized clients only',
    async (path) => {
      system = await startTestSystem();
      await expect.poll(async () => (await fetch(system.proxy.url + path)).status).toBe(401);
      expect(await (await fetch(system.proxy.url + path)).json()).toEqual({ error: 'Unauthorized' });
    },
  );

  test('a proxy whose port is taken does not start', async () => {
    system = await startTestSystem();
    const port = Number(new URL(system.proxy.url).port);
    const second = startProxy({ ...testConfig(system.cloud.url), port });
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('a tunnel that came while an announcement was under way stays, whatever its answer ends', async () => {
    system = await startTestSystem();
    const { cloud, proxy } = system;
    const connect = () =>
      cloud.tunnelToken(1).then((token) => TestDevice.connect(proxy.url, token, answering('{}')));
    const before = await connect();
    await expect.poll(() => cloud.proxies.sitesOn('test-1')).toEqual([1]);
    const { promise, resolve } = Promise.withResolvers<void>();
    cloud.announceHeld = promise;
    cloud.proxies.revoked.add('uid-of-1');
    const { length } = cloud.announcements;
    await expect.poll(() => cloud.announcements.length, { timeout: 10_000 }).toBeGreaterThan(length);
    cloud.proxies.revoked.clear();
    const after = await connect();
    await expect.poll(() => before.closed, { timeout: 10_000 }).toBe(true);
    resolve();
    await expect.poll(() => cloud.announcements.at(-1)?.body.added, { timeout: 10_000 }).toHaveLength(1);
    const headers = siteHeaders(await cloud.authorize(1));
    expect((await fetch(`${proxy.url}/api/v1/metrics`, { headers })).status).toBe(200);
    expect(after.closed).toBe(false);
  });

  test('a proxy announces its configured facts', async () => {
    system = await startTestSystem({}, { host: 'eu-1.example', url: 'https://dial.example:8443' });
    expect(system.proxy).toEqual({ host: 'eu-1.example', url: 'https://dial.example:8443' });
    await expect
      .poll(() => system.cloud.announcements[0]?.body)
      .toMatchObject({ host: 'eu-1.example', url: 'https://dial.example:8443', region: 'test' });
  });
});

describe('a proxy with a certificate', () => {
  const { certPath, keyPath, cert: ca } = TEST_TLS;

  test('TLS serves clients, devices and WebSockets', async () => {
    system = await startTestSystem({}, { tls: { certPath, keyPath } });
    const { cloud, proxy } = system;
    expect(proxy.url).toBe(`https://${proxy.host}`);
    const device = await TestDevice.connect(proxy.url, await cloud.tunnelToken(1), answering('secret'), {
      ca,
    });
    await expect.poll(() => system.sites()).toContain(1);
    const headers = siteHeaders(await cloud.authorize(1));

    const answer = Promise.withResolvers<string>();
    request(`${proxy.url}/api/v1/metrics`, { ca, headers }, (res) =>
      text(res).then(answer.resolve, answer.reject),
    ).end();
    expect(await answer.promise).toBe('secret');
    expect(device.seen.at(-1)).toMatchObject({ 'x-forwarded-proto': 'https' });

    const socket = new WebSocket(`wss://${proxy.host}/api/websocket`, { ca, headers });
    await new Promise((resolve) => socket.once('open', resolve));
    socket.terminate();
    device.kill();
  });
});

describe('a proxy that stops', () => {
  const listens = (): Promise<boolean> =>
    rawConnection(system.proxy.url).then(
      (socket) => {
        socket.destroy();
        return true;
      },
      () => false,
    );

  test('a stopping proxy finishes requests, accepts none and leaves nothing open', async () => {
    system = await startTestSystem();
    const streams: DeviceStream[] = [];
    const device = await system.connectDevice(1, (stream) => streams.push(stream));
    const credentials = await system.cloud.authorize(1);
    const answer = system.fetch('/api/v1/metrics', credentials);
    await expect.poll(() => streams).toHaveLength(1);
    const stopped = system.stopProxy();
    await expect.poll(listens).toBe(false);
    streams[0]?.respond({ ':status': 200 });
    streams[0]?.end('done');
    expect(await (await answer).text()).toBe('done');
    await stopped;
    await expect.poll(() => device.closed).toBe(true);
    expect(system.sites()).toEqual([]);
  });

  test('a stopping proxy ends connections after their pending answers', async () => {
    system = await startTestSystem();
    const streams: DeviceStream[] = [];
    await system.connectDevice(1, (stream) => streams.push(stream));
    const lines = siteHeaderLines(await system.cloud.authorize(1));
    const request = head('GET /api/v1/metrics HTTP/1.1', 'Host: x', ...lines);
    const socket = await rawConnection(system.proxy.url);
    socket.write(request);
    await expect.poll(() => streams).toHaveLength(1);
    const stopped = system.stopProxy();
    await expect.poll(listens).toBe(false);
    const answers = text(socket);
    streams[0]?.respond({ ':status': 204 }, { endStream: true });
    expect(await answers).toMatch(/^HTTP\/1.1 204 /);
    await stopped;
  });

  test('a stopping proxy does not wait for WebSockets', async () => {
    system = await startTestSystem();
    await system.connectDevice(1, answering(''));
    const headers = siteHeaders(await system.cloud.authorize(1));
    const socket = new WebSocket(`ws://${system.proxy.host}/api/websocket`, { headers });
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    await system.stopProxy();
    // Closed by the proxy in good order, and not cut at the end of its patience.
    expect(await closed).toBe(1012);
  });

  test('a stopping proxy does not wait for devices that do not answer', async () => {
    system = await startTestSystem({ limits: { answerMs: 600_000 } });
    await system.connectDevice(1, () => undefined);
    const answer = system.fetch('/api/v1/metrics', await system.cloud.authorize(1));
    await expect.poll(() => system.sites()).toContain(1);
    // A wait for the answer would outlast the test.
    await Promise.all([system.stopProxy(), answer.catch(() => undefined)]);
  });

  test('a stopping proxy does not wait for devices that are leaving', async () => {
    system = await startTestSystem({ limits: { answerMs: 600_000 } });
    const streams: DeviceStream[] = [];
    const device = await system.connectDevice(1, (stream) => streams.push(stream));
    const answer = system.fetch('/api/v1/metrics', await system.cloud.authorize(1));
    await expect.poll(() => streams).toHaveLength(1);
    device.leave();
    await expect.poll(() => system.sites()).toEqual([]);
    // A wait for the answer would outlast the test.
    await Promise.all([system.stopProxy(), answer.catch(() => undefined)]);
  });
});
