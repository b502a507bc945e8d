import { ManualClock } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Browser } from '../../../../test/serve/api/browser.ts';
import { PASSWORD, startTestDevice, type TestDevice } from '../../../../test/serve/api/test-device.ts';
import { startTestTunnel } from '../../../../test/serve/api/test-tunnel.ts';
import { MAX_FAILED_ATTEMPTS } from '../../../access/attempt-limiter.ts';
import { PAGE_SESSION_S } from '../../../access/page-sessions.ts';

const SESSION = '/api/v1/session';
const METRICS = '/api/v1/metrics';
const WRITE = { topic: 'inverter_1/max_charge_current', value: '40' };

let clock: ManualClock;
let device: TestDevice;
let browser: Browser;
beforeEach(async () => {
  clock = new ManualClock(Date.now());
  device = await startTestDevice({ clock });
  browser = new Browser(device.api.url);
});
afterEach(() => device.stop());

const signedIn = async (): Promise<Browser> => {
  expect((await browser.send('POST', SESSION, { password: PASSWORD })).status).toBe(204);
  return browser;
};
const status = async (answer: Promise<Response>): Promise<number> => (await answer).status;

describe('a browser on the network of the home', () => {
  it('a browser gets the facts of the sign-in page before its sign-in, and nothing else', async () => {
    device.access.site.set(7, 'Our roof');
    expect(await (await browser.get(SESSION)).json()).toEqual({
      has_password: true,
      signed_in: false,
      may_write: false,
      may_configure: false,
      via: 'lan',
      site_id: 7,
      site_name: null,
      recovery: null,
      store_problem: null,
      support_url: null,
    });
    expect(await status(browser.get(METRICS))).toBe(401);
  });

  it('a browser signs in with the device password, reads and writes', async () => {
    device.access.site.set(7, 'Our roof');
    await signedIn();
    expect(browser.setCookie).toMatch(
      /^heliograph_device_abcdefgh=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    expect(await (await browser.get(SESSION)).json()).toMatchObject({
      signed_in: true,
      may_write: true,
      may_configure: true,
      site_name: 'Our roof',
    });
    expect(await status(browser.get(METRICS))).toBe(200);
    expect(await status(browser.send('POST', METRICS, WRITE))).toBe(200);
    expect(device.settings.writes[0]?.author).toEqual({ name: 'local', via: 'lan' });
    expect(await browser.openSocket()).toBe('open');
  });

  it('a session ends by itself after 30 days', async () => {
    await signedIn();
    clock.advance(PAGE_SESSION_S * 1000 - 1);
    expect(await status(browser.get(METRICS))).toBe(200);
    clock.advance(1);
    expect(await status(browser.get(METRICS))).toBe(401);
  });

  it('a copy of the cookie opens nothing after the sign-out', async () => {
    const copy = new Browser(device.api.url, (await signedIn()).cookie);
    expect(await status(copy.get(METRICS))).toBe(200);
    expect(await status(browser.send('DELETE', SESSION))).toBe(204);
    expect(browser.cookie).toBe('');
    expect([await status(copy.get(METRICS)), await copy.openSocket()]).toEqual([401, 'refused']);
  });

  it('a session survives a restart of the device, which stores nothing to sign in with', async () => {
    const [, token = ''] = (await signedIn()).cookie.split('=');
    expect(device.store.get('page_sessions')).not.toContain(token);
    const later = device.accessAnew();
    expect(later.sessions.isGood(token)).toBe(true);
    expect(later.sessions.isGood(`${token.slice(0, -1)}!`)).toBe(false);
  });

  it('wrong passwords at the sign-in are limited as elsewhere', async () => {
    const attempt = (n: number) => browser.send('POST', SESSION, { password: `wrong ${n}` });
    for (let n = 0; n < MAX_FAILED_ATTEMPTS; n++) expect(await status(attempt(n))).toBe(401);
    const refused = await browser.send('POST', SESSION, { password: PASSWORD });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });

  it('a browser is refused without the challenge that opens a dialog of its own', async () => {
    const accept = { accept: 'application/json' };
    expect((await browser.get(METRICS, accept)).headers.has('www-authenticate')).toBe(false);
    expect((await browser.get(METRICS)).headers.has('www-authenticate')).toBe(true);
  });
});

describe('two devices on one host', () => {
  let other: TestDevice;
  beforeEach(async () => {
    other = await startTestDevice({ uid: 'zyxwvutsrqponmlkjihg', clock });
  });
  afterEach(() => other.stop());

  /** The same browser on the pages of the other device: cookies go by the host, not by the port. */
  const atOther = () => new Browser(other.api.url, browser.cookie);
  const former = (of: TestDevice) =>
    `heliograph_device=${of.access.sessions.begin(of.access.password.version)}`;

  it('a browser stays signed in at both, and signs out of one alone', async () => {
    await signedIn();
    const second = atOther();
    expect((await second.send('POST', SESSION, { password: PASSWORD })).status).toBe(204);
    browser.cookie = second.cookie;
    expect([await status(browser.get(METRICS)), await browser.openSocket()]).toEqual([200, 'open']);
    expect([await status(second.get(METRICS)), await second.openSocket()]).toEqual([200, 'open']);
    expect(await status(browser.send('DELETE', SESSION))).toBe(204);
    expect(await status(browser.get(METRICS))).toBe(401);
    expect(await status(atOther().get(METRICS))).toBe(200);
  });

  it('a session with the former name of the cookie goes on until its sign-out', async () => {
    browser.cookie = former(device);
    expect([await status(browser.get(METRICS)), await browser.openSocket()]).toEqual([200, 'open']);
    expect(await status(browser.send('DELETE', SESSION))).toBe(204);
    expect(browser.cookie).toBe('');
  });

  it('a sign-out ends the sessions of both names', async () => {
    browser.cookie = former(device);
    await signedIn();
    const copies = browser.cookie.split('; ').map((cookie) => new Browser(device.api.url, cookie));
    expect(copies.length).toBe(2);
    expect(await status(browser.send('DELETE', SESSION))).toBe(204);
    expect(browser.cookie).toBe('');
    for (const copy of copies) expect(await status(copy.get(METRICS))).toBe(401);
  });

  it('the former cookie of one device survives sign-in and sign-out at the other', async () => {
    browser.cookie = former(other);
    expect(await status(browser.get(METRICS))).toBe(401);
    await signedIn();
    expect(await status(browser.get(METRICS))).toBe(200);
    expect(await status(browser.send('DELETE', SESSION))).toBe(204);
    expect(await status(atOther().get(METRICS))).toBe(200);
  });
});

describe('the cookie of a session', () => {
  const own = () => device.api.url;

  it.each([
    ['for what a page elsewhere sends', { origin: 'http://evil.example' }],
    ['for a page on another port', { origin: 'http://127.0.0.1:1' }],
    ['for a sandboxed page', { origin: 'null' }],
    ['where the browser says that another site asks', { 'sec-fetch-site': 'cross-site' }],
    ['where it says that another port asks', { 'sec-fetch-site': 'same-site' }],
    ['under a name that may be anybody’s', { host: 'rebound.example', origin: 'http://rebound.example' }],
  ])('the cookie does not count %s, in reads, writes and streams', async (_what, headers) => {
    await signedIn();
    const given = { origin: own(), ...headers };
    expect(await browser.raw('GET', METRICS, given)).toBe(401);
    expect(await browser.raw('POST', METRICS, given, WRITE)).toBe(401);
    expect(await browser.raw('GET', '/api/websocket', { ...given, ...UPGRADE })).toBe(401);
    expect(device.settings.writes).toEqual([]);
  });

  it('the cookie does not count for a write or a stream without an origin', async () => {
    await signedIn();
    expect(await browser.raw('GET', METRICS, {})).toBe(200);
    expect(await browser.raw('POST', METRICS, {}, WRITE)).toBe(401);
    expect(await browser.raw('GET', '/api/websocket', UPGRADE)).toBe(401);
  });

  it('the cookie does not count through the proxy', async () => {
    const cookie = (await signedIn()).cookie;
    const tunnel = await startTestTunnel(device.api.tunnel);
    const far = new Browser(tunnel.url, cookie);
    expect(await status(far.get(METRICS))).toBe(401);
    expect(await (await far.get(SESSION)).json()).toMatchObject({ signed_in: false, via: 'proxy' });
    expect(await status(far.send('POST', SESSION, { password: PASSWORD }))).toBe(403);
    tunnel.stop();
  });
});

it('a page of another origin, or under a name that may be rebound, cannot sign in', async () => {
  const body = { password: PASSWORD };
  expect(await browser.raw('POST', SESSION, { origin: 'http://evil.example' }, body)).toBe(403);
  const rebound = { host: 'rebound.example', origin: 'http://rebound.example' };
  expect(await browser.raw('POST', SESSION, rebound, body)).toBe(403);
});

it('the cookie is set for TLS behind a server that adds it', async () => {
  const origin = device.api.url.replace('http', 'https');
  await browser.send('POST', SESSION, { password: PASSWORD }, { origin });
  expect(browser.setCookie).toMatch(/; Secure$/);
});

const UPGRADE = {
  connection: 'upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'x3JJHMbDL1EzLkh9GBhXDw==',
};
