import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_PASSWORD } from '../auth/guard.ts';
import { refusalOfFirstRun } from './first-run-visitor.ts';
import { basic, startTestDevice, type TestDevice } from './testing/test-device.ts';

const WANTED = 'sun & moon=8';

let device: TestDevice;
beforeEach(async () => {
  device = await startTestDevice({ password: null });
});
afterEach(() => device.stop());

const get = (path: string) => fetch(device.api.url + path);

const submit = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${device.api.url}/password`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: device.api.url, ...headers },
    body: new URLSearchParams(fields),
  });

const both = (password: string) => ({ password, again: password });

describe('a device without a password', () => {
  it.each(['/api/v1/metrics', '/api/v1/system', '/api/websocket', '/api/socket/websocket?password='])(
    'serves nothing at %s, and says what to do',
    async (path) => {
      const headers = path.includes('websocket') ? { connection: 'upgrade', upgrade: 'websocket' } : {};
      const [status, body] = await rawGet(path, headers);
      expect([status, body]).toEqual([403, JSON.stringify({ error: NO_PASSWORD })]);
    },
  );

  it('shows a page that asks for one', async () => {
    const answer = await get('/');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; .*frame-ancestors 'none'$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const page = await answer.text();
    expect(page).toContain('<form method="post" action="/password">');
    expect(page).not.toMatch(/\[\w+\]|<!-- style|<script/);
  });

  it('takes the first one, and is in use from then on', async () => {
    const answer = await submit(both(WANTED));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    expect(await (await get('/')).text()).toContain('href="/api/v1/metrics"');
    const headers = { authorization: basic(WANTED, 'anyone') };
    expect((await fetch(`${device.api.url}/api/v1/metrics`, { headers })).status).toBe(200);
    expect((await get('/api/v1/metrics')).status).toBe(401);
    const second = await submit(both('another password'));
    expect([second.status, await second.json()]).toEqual([
      403,
      { error: 'This device has a password already' },
    ]);
    expect((await fetch(`${device.api.url}/api/v1/metrics`, { headers })).status).toBe(200);
  });

  it.each([
    ['too short', both('seven77'), 'at least 8 characters'],
    ['too long', both('x'.repeat(257)), 'at most 256 characters'],
    ['not the same twice', { password: WANTED, again: 'another one' }, 'not the same'],
    ['missing', {}, 'at least 8 characters'],
  ])('refuses one that is %s, on the page', async (_what, fields, complaint) => {
    const answer = await submit(fields as Record<string, string>);
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain(complaint);
    expect(device.access.password.isSet).toBe(false);
  });

  it.each([
    ['a form on another page', { origin: 'http://evil.example' }],
    ['a sandboxed page', { origin: 'null' }],
    ['a page on another port', { origin: 'http://127.0.0.1:1' }],
    ['what the browser says came from elsewhere', { 'sec-fetch-site': 'cross-site' }],
    ['what came from the same site', { 'sec-fetch-site': 'same-site' }],
    ['a reverse proxy', { 'x-forwarded-for': '203.0.113.9' }],
  ])('takes none from %s', async (_what, headers) => {
    const answer = await submit(both(WANTED), headers);
    expect([answer.status, await answer.json()]).toEqual([403, { error: expect.any(String) }]);
    expect(device.access.password.isSet).toBe(false);
  });

  it('takes none as JSON, which a page elsewhere could not be kept from sending', async () => {
    const answer = await fetch(`${device.api.url}/password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(both(WANTED)),
    });
    expect(answer.status).toBe(422);
    expect(device.access.password.isSet).toBe(false);
  });

  it('shows nothing through the tunnel, and takes no password there', async () => {
    // What the tunnel carries is handed to the same handler, whichever version of HTTP it came with.
    const tunnel = createServer((request, response) =>
      device.api.tunnel.request(request as never, response as never),
    );
    await once(tunnel.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(tunnel.address() as AddressInfo).port}`;
    const body = new URLSearchParams(both(WANTED));
    for (const answer of [await fetch(url), await fetch(`${url}/password`, { method: 'POST', body })]) {
      expect([answer.status, await answer.json()]).toEqual([403, { error: NO_PASSWORD }]);
    }
    expect(device.access.password.isSet).toBe(false);
    tunnel.close();
    tunnel.closeAllConnections();
  });

  it('shows no form to whoever opens it by a name that leads here from elsewhere', async () => {
    const [status, body] = await rawGet('/', { host: 'rebound.example' });
    expect([status, body]).toEqual([403, expect.stringContaining('by its IP address')]);
  });
});

describe('who may set the first password', () => {
  const refusal = (address: string, host = '192.168.1.9:4002') =>
    refusalOfFirstRun({ address, method: 'GET', headers: { host } });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.1.77',
    '169.254.8.8',
    '::1',
    '::ffff:192.168.1.77',
    'fe80::1%eth0',
    'fd00::5',
  ])('%s is on the local network', (address) => {
    expect(refusal(address)).toBeUndefined();
  });

  it.each([
    '8.8.8.8',
    '172.32.0.1',
    '172.15.0.1',
    '192.169.0.1',
    '100.64.0.1',
    '::ffff:8.8.8.8',
    '2001:db8::1',
    'unknown',
    '',
  ])('"%s" is not', (address) => {
    expect(refusal(address)).toMatch(/local network/);
  });

  it.each([
    '192.168.1.9',
    '[fe80::1]:4002',
    'localhost:4002',
    'solar',
    'solar.local.',
    'pi.lan',
    'pi.home.arpa',
  ])('the name %s leads here alone', (host) => expect(refusal('127.0.0.1', host)).toBeUndefined());

  it.each(['evil.example', 'local.evil.example', 'evil.com:4002', '', 'a b', '192.168.1.9.evil.example'])(
    'the name "%s" may be anybody’s',
    (host) => expect(refusal('127.0.0.1', host)).toMatch(/IP address/),
  );

  it('is nobody outside, whatever the headers say', () => {
    const headers = fc.dictionary(
      fc.constantFrom('origin', 'host', 'sec-fetch-site', 'x-real-ip'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.ipV4(), headers, (address, given) => {
        fc.pre(!/^(10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(address));
        expect(refusalOfFirstRun({ address, method: 'POST', headers: given })).toBeDefined();
      }),
    );
  });
});

describe('GET /api/v1/discover.svg', () => {
  it.each(['', '?run=3', '?run=%E0&x'])(
    'answers anyone with an image that no cache keeps%s',
    async (query) => {
      const answer = await get(`/api/v1/discover.svg${query}`);
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/svg+xml; charset=utf-8',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
      });
      expect(await answer.text()).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<\/svg>$/);
    },
  );
});

/** A GET with headers that `fetch` sets itself. */
async function rawGet(path: string, headers: Record<string, string>): Promise<[number, string]> {
  const { host, port } = new URL(device.api.url);
  const socket = connect(Number(port), '127.0.0.1');
  const lines = Object.entries({ host, connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.write([`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  const answer = await text(socket);
  return [Number(answer.slice(9, 12)), answer.slice(answer.indexOf('\r\n\r\n') + 4)];
}
