import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDevice, type TestDevice } from '../../../../test/serve/api/test-device.ts';
import { NO_PASSWORD } from '../../../access/guard.ts';
import { firstRunRefusal } from './first-run.ts';

let device: TestDevice;
beforeAll(async () => {
  device = await startTestDevice({ password: null });
});
afterAll(() => device.stop());

const get = (path: string) => fetch(device.api.url + path);

describe('a device without a password', () => {
  it.each(['/api/v1/metrics', '/api/v1/system', '/api/websocket', '/api/socket/websocket?password='])(
    'a device without a password serves nothing at %s, and answers what to do',
    async (path) => {
      const headers = path.includes('websocket') ? { connection: 'upgrade', upgrade: 'websocket' } : {};
      const [status, body] = await rawGet(path, headers);
      expect([status, body]).toEqual([403, JSON.stringify({ error: NO_PASSWORD })]);
    },
  );
});

describe('firstRunRefusal', () => {
  const refusal = (address: string, host = '192.168.1.9:4002') =>
    firstRunRefusal({ address, method: 'GET', headers: { host } })?.message;

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
  ])('the address %s is on the local network', (address) => {
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
  ])('the address "%s" is not on the local network', (address) => {
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
    'the name "%s" may be rebound from outside',
    (host) => expect(refusal('127.0.0.1', host)).toMatch(/IP address/),
  );

  it('a client from outside may not set the password, whatever its headers', () => {
    const headers = fc.dictionary(
      fc.constantFrom('origin', 'host', 'sec-fetch-site', 'x-real-ip'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.ipV4(), headers, (address, given) => {
        fc.pre(!/^(10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(address));
        expect(firstRunRefusal({ address, method: 'POST', headers: given })).toBeDefined();
      }),
    );
  });
});

describe('GET /api/v1/discover.svg', () => {
  it.each(['', '?run=3', '?run=%E0&x'])('every client gets an image that is not cached%s', async (query) => {
    const answer = await get(`/api/v1/discover.svg${query}`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    });
    expect(await answer.text()).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<\/svg>$/);
  });
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
