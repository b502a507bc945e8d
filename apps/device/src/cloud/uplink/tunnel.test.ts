import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerOf } from '../../../test/cloud/uplink/proxy-tunnel.ts';
import { SITE_ID, USER_ID } from '../../../test/cloud/uplink/test-cloud.ts';
import { startTestUplink, type TestUplink } from '../../../test/cloud/uplink/test-uplink.ts';
import { basic, PASSWORD } from '../../../test/serve/api/test-device.ts';
import { connectStream, refusedStatus } from '../../../test/serve/stream/stream-client.ts';

const METRICS = '/api/v1/metrics';
const SETTING = 'inverter_1/max_charge_current';
const JSON_BODY = { 'content-type': 'application/json' };

let system: TestUplink;
let token: string;
let headers: OutgoingHttpHeaders & { 'site-id': string; 'site-key': string };

beforeAll(async () => {
  system = await startTestUplink();
  system.uplink.start();
  await system.proxy.tunnel();
});
afterAll(() => system.stop());

beforeEach(async () => {
  token = await system.cloud.siteToken();
  headers = {
    authorization: `Bearer ${token}`,
    'site-id': String(SITE_ID),
    'site-key': system.cloud.siteKey,
  };
});

describe('a request through the tunnel', () => {
  it('a request through the tunnel is answered as on the LAN', async () => {
    const path = `${METRICS}?discovery&topic=total%2F%2A`;
    const answer = await system.proxy.request(path, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body).toBe(await (await system.device.fetch(path)).text());
  });

  it('a write through the tunnel is in the name of its user', async () => {
    const body = JSON.stringify({ topic: SETTING, value: '33' });
    const answer = await system.proxy.request(METRICS, headers, body);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { topic: SETTING, result: 'ok' }]);
    expect(system.device.settings.writes.at(-1)).toEqual({
      topic: SETTING,
      value: '33',
      author: { name: `user ${USER_ID}`, via: 'proxy' },
    });
  });

  it('a read-only token reads and does not write', async () => {
    const readOnly = {
      ...headers,
      authorization: `Bearer ${await system.cloud.siteToken({ access: 'read' })}`,
    };
    expect((await system.proxy.request(METRICS, readOnly)).status).toBe(200);
    const answer = await system.proxy.request(
      METRICS,
      readOnly,
      JSON.stringify({ topic: SETTING, value: '1' }),
    );
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      403,
      { error: expect.stringMatching(/^This token may only read/) },
    ]);
  });

  it.each([
    ['without a token', { authorization: undefined }],
    ['with the device password, which only the LAN takes', { authorization: basic(PASSWORD, 'admin') }],
    ['without Site-Id', { 'site-id': undefined }],
    ['with another Site-Id', { 'site-id': '8' }],
    ['with a Site-Id that only looks alike', { 'site-id': '07' }],
    ['without Site-Key', { 'site-key': undefined }],
    ['with a wrong Site-Key', { 'site-key': 'wrong' }],
    ['with an empty Site-Key', { 'site-key': '' }],
  ])('a request %s is answered 401', async (_what, change: OutgoingHttpHeaders) => {
    const changed = Object.fromEntries(
      Object.entries({ ...headers, ...change }).filter(([, value]) => value !== undefined),
    );
    const answer = await system.proxy.request(METRICS, changed);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([401, { error: expect.any(String) }]);
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  it('a request with the token of another site is answered 401', async () => {
    const foreign = `Bearer ${await system.cloud.siteToken({ siteId: 8 })}`;
    const answer = await system.proxy.request(METRICS, {
      ...headers,
      authorization: foreign,
      'site-id': '8',
    });
    expect(answer.status).toBe(401);
  });

  it.each([
    ['/nowhere', undefined, 404],
    ['/api/websocket', undefined, 426],
    [METRICS, '{"broken', 400],
    [METRICS, JSON.stringify({ topic: SETTING, value: 'x'.repeat(2 * 1024 * 1024) }), 413],
  ])('a bad request to %s gets its error, and the tunnel stays', async (path, body, status) => {
    const answer = await system.proxy.request(path, headers, body);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([status, { error: expect.any(String) }]);
    expect((await system.proxy.request(METRICS, headers)).status).toBe(200);
    expect(system.proxy.opened).toBe(1);
  });

  it('a request that takes long or is abandoned holds up no other', async () => {
    const held = Promise.withResolvers<void>();
    const set = vi.spyOn(system.device.settings, 'set').mockReturnValueOnce(held.promise);
    const write = (await system.proxy.tunnel()).begin(METRICS, { ...headers, ...JSON_BODY }, 'POST');
    write.end(JSON.stringify({ topic: SETTING, value: '1' }));
    await expect.poll(() => set).toHaveBeenCalled();
    expect((await system.proxy.request(METRICS, headers)).status).toBe(200);
    write.destroy();
    await new Promise((resolve) => write.once('close', resolve));
    held.resolve();
    expect((await system.proxy.request(METRICS, headers)).status).toBe(200);
    expect(system.proxy.opened).toBe(1);
    set.mockRestore();
  });

  it('a request whose body is refused halfway ends with its answer, and leaves no connection behind', async () => {
    const tunnel = await system.proxy.tunnel();
    const tooLarge = Buffer.alloc(2 * 1024 * 1024, 'x');
    for (let n = 0; n < 20; n++) {
      const request = tunnel.begin(METRICS, { ...headers, ...JSON_BODY }, 'POST');
      request.end(tooLarge);
      expect((await answerOf(request)).status).toBe(413);
    }
    await expect.poll(() => tunnel.size).toBe(0);
  });

  it('many clients may abandon their requests at once', async () => {
    const tunnel = await system.proxy.tunnel();
    for (let n = 0; n < 2_000; n++) {
      const request = tunnel.begin(METRICS, headers);
      request.end();
      request.destroy();
    }
    expect((await system.proxy.request(METRICS, headers)).status).toBe(200);
    expect(system.proxy.opened).toBe(1);
  });

  it('a proxy that opens connections without end has a limited number of them', async () => {
    const tunnel = await system.proxy.tunnel();
    const requests = Array.from({ length: 2_600 }, () => tunnel.begin(METRICS, headers));
    await expect.poll(() => tunnel.size).toBe(2_500);
    for (const request of requests) request.destroy();
    await expect.poll(() => tunnel.size).toBe(0);
    expect((await system.proxy.request(METRICS, headers)).status).toBe(200);
    expect(system.proxy.opened).toBe(1);
  });
});

describe('a WebSocket through the tunnel', () => {
  const url = (path = '/api/websocket') => `ws://${system.proxy.host}${path}?vsn=2.0.0&token=${token}`;
  const siteHeaders = () => ({ 'site-id': headers['site-id'], 'site-key': headers['site-key'] });

  it.each(['/api/websocket', '/api/socket/websocket'])(
    'a WebSocket at %s streams and writes',
    async (path) => {
      const client = await connectStream(url(path), siteHeaders());
      client.send('1', '2', 'metrics', 'phx_join', { topics: [{ topic: 'total/*' }] });
      await client.next('data');
      system.device.plant.publish({ 'total/pv_power': 777 });
      expect((await client.next('data'))[4]).toEqual({ metrics: [{ topic: 'total/pv_power', value: 777 }] });
      client.send('1', '3', 'metrics', 'set', { topic: SETTING, value: '34' });
      expect((await client.next('set_result'))[4]).toEqual({ topic: SETTING, result: 'ok' });
      expect(system.device.settings.writes.at(-1)?.author).toEqual({ name: `user ${USER_ID}`, via: 'proxy' });
      system.device.plant.publish({ 'total/pv_power': 1 });
      client.socket.close(1000);
      expect((await client.closed)[0]).toBe(1000);
    },
  );

  it.each([
    ['without site headers', '/api/websocket', {}, 401],
    ['with a wrong Site-Key', '/api/websocket', { 'site-id': '7', 'site-key': 'wrong' }, 401],
    ['at another path', '/api/elsewhere', undefined, 404],
  ])('a WebSocket %s is refused', async (_what, path, changed, status) => {
    expect(await refusedStatus(url(path), changed ?? siteHeaders())).toBe(status);
  });

  it('a WebSocket through the tunnel accepts no password', async () => {
    const passwordUrl = `ws://${system.proxy.host}/api/websocket?password=${encodeURIComponent(PASSWORD)}`;
    expect(await refusedStatus(passwordUrl, siteHeaders())).toBe(401);
  });

  it('a WebSocket whose client vanished is closed', async () => {
    const { api } = system.device;
    await expect.poll(() => api.streamClients).toBe(0);
    const client = await connectStream(url(), siteHeaders());
    expect(api.streamClients).toBe(1);
    client.socket.terminate();
    await expect.poll(() => api.streamClients).toBe(0);
    expect((await system.proxy.request(METRICS, headers)).status).toBe(200);
  });

  it('a WebSocket that is read slowly holds up no other', async () => {
    const slow = await connectStream(url(), siteHeaders());
    slow.send('1', '2', 'metrics', 'phx_join', { topics: [{ topic: '*' }] });
    await slow.next('data');
    slow.socket.pause();
    for (let n = 0; n < 100; n++) {
      system.device.plant.publish({ 'inverter_1/device_mode': `${n} ${'x'.repeat(100_000)}` });
    }
    expect((await system.proxy.request(`${METRICS}?topic=total/*`, headers)).status).toBe(200);
    slow.socket.resume();
    system.device.plant.publish({ 'inverter_1/device_mode': 'Line mode' });
    await expect.poll(() => slow.texts.at(-1), { timeout: 5_000 }).toContain('"Line mode"');
    const received = slow.texts.reduce((sum, text) => sum + text.length, 0);
    expect(received).toBeLessThan(5_000_000);
    slow.socket.terminate();
  });
});
