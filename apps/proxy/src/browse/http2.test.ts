import { once } from 'node:events';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { text } from 'node:stream/consumers';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { cookieOf, NAVIGATION } from '../../test/site-visit.ts';
import { TestDevice } from '../../test/test-device.ts';
import { answering, startTestSystem, type TestSystem } from '../../test/test-system.ts';
import { SITE_COOKIE } from './site-cookie.ts';

const { certPath, keyPath, cert: ca } = TEST_TLS;
const HOST = 'meadow.eu.example.org';

let system: TestSystem;
let device: TestDevice;
let client: ClientHttp2Session;
let onStream = answering('hello');
beforeAll(async () => {
  system = await startTestSystem(
    { announceIntervalMs: 50 },
    { regionDomain: 'eu.example.org', tls: { certPath, keyPath } },
  );
  system.cloud.proxies.siteNames.set(1, 'meadow');
  const { url } = system.proxy;
  device = await TestDevice.connect(
    url,
    await system.cloud.tunnelToken(1),
    (...request) => onStream(...request),
    { ca },
  );
  await vi.waitFor(() => expect(system.sites()).toContain(1), 10_000);
  client = connect(url, { ca });
  await once(client, 'remoteSettings');
});
afterEach(() => {
  onStream = answering('hello');
});
afterAll(async () => {
  client?.destroy();
  device?.kill();
  await system?.stop();
});

async function send(path: string, headers: IncomingHttpHeaders): Promise<[IncomingHttpHeaders, string]> {
  const stream = client.request({ ':path': path, ':authority': HOST, ...headers }, { endStream: true });
  const [answer] = await once(stream, 'response');
  return [answer, await text(stream)];
}

test('a browser on HTTP/2 signs in and loads page and WebSocket with the cookie', async () => {
  const credentials = await system.cloud.authorize(1);
  const [signedIn] = await send(
    `/callback?token=${credentials.token}&key=${credentials.siteKey}`,
    NAVIGATION,
  );
  const cookie = cookieOf(credentials);
  expect(signedIn).toMatchObject({ ':status': 303, location: '/' });
  expect(signedIn['set-cookie']?.[0]?.split(';')[0]).toBe(cookie);

  const [, page] = await send('/', { ...NAVIGATION, cookie: `a=1; ${cookie}` });
  expect(page).toBe('hello');
  expect(device.seen.at(-1)).toMatchObject({ 'site-id': '1', cookie: 'a=1', host: HOST });

  const dial = (origin: string) =>
    client.request(
      {
        ':method': 'CONNECT',
        ':protocol': 'websocket',
        ':path': '/api/websocket',
        ':authority': HOST,
        cookie,
        origin,
      },
      { endStream: false },
    );
  const foreign = dial('https://attic.eu.example.org');
  expect((await once(foreign, 'response'))[0]).toMatchObject({ ':status': 403 });
  foreign.close();
  const own = dial(`https://${HOST}`);
  expect((await once(own, 'response'))[0]).toMatchObject({ ':status': 200 });
  own.write('ping');
  expect(String((await once(own, 'data'))[0])).toBe('ping');
  own.close();
});

test('a browser on HTTP/2 with an invalid cookie is redirected to sign-in', async () => {
  const [answer] = await send('/totals', { ...NAVIGATION, cookie: `${SITE_COOKIE}=1~x~y` });
  expect(answer).toMatchObject({ ':status': 303, location: expect.stringContaining('to_site=meadow') });
  expect(answer['set-cookie']?.[0]).toContain(`${SITE_COOKIE}=; Max-Age=0;`);
});

test.each([
  ['GET', 401, 2],
  ['POST', 502, 3],
])(
  "a browser's %s that the device has when the token of its cookie is revoked gets %i",
  async (method, status, userId) => {
    const underWay = Promise.withResolvers<void>();
    const takenBack = Promise.withResolvers<void>();
    onStream = (stream) => {
      stream.on('error', () => undefined).once('close', takenBack.resolve);
      underWay.resolve();
    };
    const credentials = await system.cloud.authorize(1, { userId, nowMs: Date.now() - 60_000 });
    const own = { cookie: cookieOf(credentials), origin: `https://${HOST}` };
    const answer = send('/api/v1/metrics', { ':method': method, ...own });
    await underWay.promise;

    const revokedAt = new Date(Date.now() - 30_000).toISOString();
    system.cloud.proxies.revocations.push({ site_id: 1, user_id: userId, revoked_at: revokedAt });
    const [head, body] = await answer;
    expect(head[':status']).toBe(status);
    expect(body).toContain('expired or was revoked while the request was under way');
    await takenBack.promise;
  },
);
