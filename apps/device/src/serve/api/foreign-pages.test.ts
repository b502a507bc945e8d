import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { SITE_ID, startTestCloud } from '../../../test/cloud/uplink/test-cloud.ts';
import { Browser } from '../../../test/serve/api/browser.ts';
import { basic, PASSWORD, startTestDevice, type TestDevice } from '../../../test/serve/api/test-device.ts';
import { MAX_FAILED_ATTEMPTS } from '../../access/attempt-limiter.ts';

const METRICS = '/api/v1/metrics';
const UPGRADE = {
  connection: 'upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'x3JJHMbDL1EzLkh9GBhXDw==',
};

const cloud = await startTestCloud();
let device: TestDevice;
let client: Browser;
beforeEach(async () => {
  device = await startTestDevice({ cloudUrl: cloud.url });
  device.access.site.set(SITE_ID);
  client = new Browser(device.api.url);
  return () => device.stop();
});
afterAll(() => cloud.stop());

type Headers = Readonly<Record<string, string>>;
const dial = (query: string, headers: Headers, path = '/api/websocket'): Promise<number> =>
  client.raw('GET', `${path}?vsn=2.0.0&${query}`, { ...UPGRADE, ...headers });
const socket = (password: string, headers: Headers, path?: string): Promise<number> =>
  dial(new URLSearchParams({ password }).toString(), headers, path);
const read = (password: string, headers: Headers): Promise<number> =>
  client.raw('GET', METRICS, { authorization: basic(password, 'admin'), ...headers });
const signIn = (password: string, headers: Headers): Promise<number> =>
  client.raw('POST', '/api/v1/session', headers, { password });

const FOREIGN: [string, Headers][] = [
  ['of another origin', { origin: 'http://evil.example' }],
  ['on another port of the device', { origin: 'http://127.0.0.1:1' }],
  ['in a sandbox', { origin: 'null' }],
  ['that another site embeds', { 'sec-fetch-site': 'cross-site' }],
  ['under a name that can be rebound', { host: 'evil.example', origin: 'http://evil.example' }],
];

describe('the device password from a browser’s page', () => {
  it.each(FOREIGN)('a page %s spends no attempt at the device password', async (_which, headers) => {
    for (let n = 0; n <= MAX_FAILED_ATTEMPTS; n++) {
      expect(await socket(`guess ${n}`, headers)).toBe(403);
      expect(await socket(`guess ${n}`, headers, '/api/socket/websocket')).toBe(403);
      expect(await read(`guess ${n}`, headers)).toBe(403);
      expect(await signIn(`guess ${n}`, headers)).toBe(403);
    }
    expect(await signIn(PASSWORD, { origin: device.api.url })).toBe(204);
  });

  it.each(FOREIGN)('a page %s is refused with the right password too', async (_which, headers) => {
    expect(await socket(PASSWORD, headers)).toBe(403);
    expect(await read(PASSWORD, headers)).toBe(403);
    expect(await signIn(PASSWORD, headers)).toBe(403);
  });

  it('a page of another origin gets the reason of the refusal', async () => {
    const headers = { origin: 'http://evil.example' };
    const answer = await device.fetch(METRICS, { headers });
    expect(await answer.json()).toEqual({
      error: 'Pages of other origins may not use the device password: give them a site token',
    });
  });

  it('a page of another origin may use a site token', async () => {
    const token = await cloud.siteToken();
    const headers = { origin: 'http://evil.example' };
    expect(await dial(new URLSearchParams({ token }).toString(), headers)).toBe(101);
    expect(await client.raw('GET', METRICS, { ...headers, authorization: `Bearer ${token}` })).toBe(200);
  });

  it('a page of this device may use the password', async () => {
    const headers = { origin: device.api.url };
    expect(await socket(PASSWORD, headers)).toBe(101);
    expect(await read(PASSWORD, headers)).toBe(200);
  });
});

describe('the device password from another client', () => {
  it('a program may use the password, and its wrong ones count', async () => {
    expect(await socket(PASSWORD, {})).toBe(101);
    expect(await read(PASSWORD, {})).toBe(200);
    for (let n = 0; n < MAX_FAILED_ATTEMPTS; n++) expect(await socket(`guess ${n}`, {})).toBe(401);
    expect(await socket('one more', {})).toBe(429);
  });

  it('a program may name the address that it dials as its origin, as websocket-client of Python does', async () => {
    const { host } = new URL(device.api.url);
    expect(await socket(PASSWORD, { origin: `http://${host}` })).toBe(101);
  });

  it('a program may dial the device by any name', async () => {
    expect(await socket(PASSWORD, { host: 'solar.example.org' })).toBe(101);
  });
});
