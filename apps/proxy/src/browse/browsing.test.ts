import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { generateSigningKey, SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { useOneSite } from '../../test/one-site.ts';
import { cookieOf, NAVIGATION, type VisitAnswer, visit } from '../../test/site-visit.ts';
import { type SiteCredentials, siteHeaders } from '../../test/test-cloud.ts';
import { answering } from '../../test/test-system.ts';
import { EXPIRED_SITE_COOKIE, SITE_COOKIE } from './site-cookie.ts';

const HOST = 'meadow.eu.example.org';
const SIGN_IN = 'https://cloud.example.org/sign_in?to_site=meadow&region=test&return_to=';

const site = useOneSite({}, { regionDomain: 'eu.example.org', cloudPublicUrl: 'https://cloud.example.org' });
let cookie: string;
beforeAll(async () => {
  const { siteNames } = site.system.cloud.proxies;
  for (const [id, name] of ['meadow', 'attic', 'orchard'].entries()) siteNames.set(id + 1, name);
  cookie = cookieOf(site.credentials);
  await site.system.connectDevice(2, answering('the neighbour'));
});
beforeEach(() => {
  site.handle = answering('hello');
});

type Headers = Record<string, string>;
const send = (path: string, headers: Headers = {}, method = 'GET', host = HOST): Promise<VisitAnswer> =>
  visit(site.system.proxy.url, host, path, { method, headers });
const open = (path: string, headers: Headers = {}, host = HOST): Promise<VisitAnswer> =>
  send(path, { ...NAVIGATION, ...headers }, 'GET', host);
const callback = (credentials: SiteCredentials, more = '', host = HOST): Promise<VisitAnswer> =>
  open(`/callback?token=${credentials.token}&key=${credentials.siteKey}${more}`, {}, host);
const dial = (headers: Headers): WebSocket => {
  const url = `${site.system.proxy.url.replace('http', 'ws')}/api/websocket`;
  return new WebSocket(url, { headers: { host: HOST, ...headers } }).on('error', () => undefined);
};
const refusedSocket = async (headers: Headers): Promise<number | undefined> => {
  const [, res] = (await once(dial(headers), 'unexpected-response')) as [unknown, IncomingMessage];
  res.destroy();
  return res.statusCode;
};
const toSignIn = (returnTo: string) => ({
  status: 303,
  headers: { location: SIGN_IN + encodeURIComponent(returnTo), 'set-cookie': [EXPIRED_SITE_COOKIE] },
});

describe('the callback from the cloud', () => {
  test('the callback sets a cookie and redirects within the site', async () => {
    const answer = await callback(site.credentials, '&return_to=%2Ftotals%3Frange%3Dweek');
    expect(answer).toMatchObject({
      status: 303,
      headers: {
        location: '/totals?range=week',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      },
    });
    const [, value, maxAge] =
      /^([^;]+); Max-Age=(\d+); Path=\/; Secure; HttpOnly; SameSite=Lax$/.exec(
        answer.headers['set-cookie']?.[0] ?? '',
      ) ?? [];
    expect(value).toBe(cookie);
    expect(Number(maxAge) * 1000).toBeLessThanOrEqual(SITE_TOKEN_LIFETIME_MS);
    expect(Number(maxAge) * 1000).toBeGreaterThan(SITE_TOKEN_LIFETIME_MS - 60_000);
  });

  test.each([
    '',
    '&return_to=',
    '&return_to=//evil.example',
    '&return_to=https://evil.example/',
    '&return_to=%2F%5Cevil',
  ])('the callback with return_to "%s" redirects to the first page', async (more) => {
    expect(await callback(site.credentials, more)).toMatchObject({ status: 303, headers: { location: '/' } });
  });

  const bad: [string, () => SiteCredentials | Promise<SiteCredentials>][] = [
    ['nothing', () => ({ ...site.credentials, token: '', siteKey: '' })],
    ['no token', () => ({ ...site.credentials, token: '' })],
    ['a token that is none', () => ({ ...site.credentials, token: 'a.b.c' })],
    ['the token of a site "0x1"', () => ({ ...site.credentials, token: `a.${btoa('{"site":"0x1"}')}.c` })],
    ['no key', () => ({ ...site.credentials, siteKey: '' })],
    ['a wrong key', () => ({ ...site.credentials, siteKey: 'guess' })],
    ['credentials of another site', () => site.system.cloud.authorize(2)],
    [
      'a token signed by a stranger',
      async () => site.system.cloud.authorize(1, { key: await generateSigningKey() }),
    ],
    [
      'a token of last week',
      () => site.system.cloud.authorize(1, { nowMs: Date.now() - SITE_TOKEN_LIFETIME_MS - 1 }),
    ],
  ];
  test.each(bad)('the callback with %s redirects to sign-in', async (_name, credentials) => {
    const answer = await callback(await credentials(), '&return_to=/totals');
    expect(answer).toMatchObject(toSignIn('/totals'));
  });

  test('HEAD of the callback does not pass the credentials on', async () => {
    const { token, siteKey } = site.credentials;
    const { headers } = await send(`/callback?token=${token}&key=${siteKey}`, NAVIGATION, 'HEAD');
    expect(headers.location).toBe('/');
  });

  test('the callback at the host of no site is 404', async () => {
    const answer = await callback(site.credentials, '', 'nowhere.eu.example.org');
    expect(answer).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('the callback is not followed while the owner of the host is unknown', async () => {
    site.system.cloud.locateStatus = 500;
    const { token, siteKey } = await site.system.cloud.authorize(3);
    const answer = await open(`/callback?token=${token}&key=${siteKey}`, {}, 'orchard.eu.example.org');
    site.system.cloud.locateStatus = 200;
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '15' } });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.body).toContain('orchard cannot be opened right now');
  });
});

describe('a browser without a valid cookie', () => {
  test.each(['/', '/totals?range=week', '/callbacks', '/api/v1/metrics', '/a%20b'])(
    'a browser that opens %s is redirected to sign-in',
    async (path) => {
      expect(await open(path)).toMatchObject(toSignIn(path));
    },
  );

  test('the return path never leaves the host', async () => {
    for (const path of ['//evil.example', '/\\evil.example'])
      expect(await open(path)).toMatchObject(toSignIn('/'));
  });

  const worthless: [string, () => string | Promise<string>][] = [
    ['an empty one', () => `${SITE_COOKIE}=`],
    ['one that is forged', () => `${cookie.slice(0, -4)}AAAA`],
    ['that of another site', async () => cookieOf(await site.system.cloud.authorize(2))],
    ['one with another site in it', () => cookie.replace('=1~', '=2~')],
    ['two', async () => `${cookie}; ${cookieOf(await site.system.cloud.authorize(2))}`],
    [
      'one that is too old',
      async () =>
        cookieOf(await site.system.cloud.authorize(1, { nowMs: Date.now() - SITE_TOKEN_LIFETIME_MS - 1 })),
    ],
  ];
  test.each(worthless)('an invalid cookie is expired: %s', async (_name, make) => {
    expect(await open('/totals', { cookie: await make() })).toMatchObject(toSignIn('/totals'));
  });

  test('data requests without a cookie are refused', async () => {
    const answer = await send('/api/v1/metrics');
    expect(answer).toMatchObject({ status: 401, body: '{"error":"Unauthorized"}' });
    expect(answer.headers).not.toHaveProperty('set-cookie');
    const forged = await send('/api/v1/metrics', { cookie: `${cookie}x` });
    expect(forged).toMatchObject({ status: 401, headers: { 'set-cookie': [EXPIRED_SITE_COOKIE] } });
  });

  test('an unknown site has a page of its own', async () => {
    const answer = await open('/', {}, 'nowhere.eu.example.org');
    expect(answer).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(answer.body).toContain('<h1>There is no site nowhere</h1>');
  });
});

describe('a browser that support opened', () => {
  const MINUTE_MS = 60_000;
  const RECOVERY = { sessionId: 12, access: 'diagnose', name: 'Ada', firm: null } as const;
  const ofSupport = (expiresAt: number, until: number) =>
    site.system.cloud.authorize(1, {
      access: 'read',
      nowMs: expiresAt - 15 * MINUTE_MS,
      expiresAt,
      recovery: { ...RECOVERY, until },
    });
  const toRenewal = (returnTo: string) => ({
    status: 303,
    headers: {
      location: `${SIGN_IN + encodeURIComponent(returnTo)}&roles=recovery`,
      'set-cookie': [EXPIRED_SITE_COOKIE],
    },
  });

  test('the cookie of a support session outlives its token', async () => {
    const now = Date.now();
    const credentials = await ofSupport(now + 15 * MINUTE_MS, now + 60 * MINUTE_MS);
    const { headers } = await callback(credentials);
    const [, maxAge] = /Max-Age=(\d+)/.exec(headers['set-cookie']?.[0] ?? '') ?? [];
    expect(Number(maxAge)).toBeGreaterThan(60 * 60);
    expect((await open('/', { cookie: cookieOf(credentials) })).body).toBe('hello');
  });

  test('a browser whose token has expired asks the cloud for another one of the session, and for no other', async () => {
    const now = Date.now();
    const expired = cookieOf(await ofSupport(now - MINUTE_MS, now + 60 * MINUTE_MS));
    const refused = await send('/api/v1/metrics', { cookie: expired });
    expect(refused).toMatchObject({ status: 401 });
    // The cookie marks the browser of support until the cloud has shown that the session is over.
    expect(refused.headers).not.toHaveProperty('set-cookie');
    expect(await open('/totals', { cookie: expired })).toMatchObject(toRenewal('/totals'));
    const credentials = await ofSupport(now - MINUTE_MS, now - MINUTE_MS);
    expect(await callback(credentials, '&return_to=%2Ftotals')).toMatchObject(toRenewal('/totals'));
  });

  test.each([
    ['?return_to=%2Ftotals%3Frange%3Dweek', '/totals?range=week'],
    ['', '/'],
    ['?return_to=//evil.example', '/'],
  ])('a page that leads to /renew%s goes on at %s with a new token', async (query, returnTo) => {
    expect(await open(`/renew${query}`, { cookie })).toMatchObject(toRenewal(returnTo));
    expect(await open(`/renew${query}`)).toMatchObject(toRenewal(returnTo));
  });
});

describe('a browser with a valid cookie', () => {
  test.each(['/', '/healthz', '/readyz', '/metrics', '/api/v1/metrics', '/callback/x', '/assets/app.js?v=1'])(
    'the browser gets %s from the device',
    async (path) => {
      expect(await open(path, { cookie: `a=1; ${cookie}; b=2` })).toMatchObject({
        status: 200,
        body: 'hello',
      });
      expect(site.device.seen.at(-1)).toMatchObject({
        ':path': path,
        authorization: `Bearer ${site.credentials.token}`,
        'site-id': '1',
        'site-key': site.credentials.siteKey,
        cookie: 'a=1; b=2',
      });
    },
  );

  test('the cookie works while the cloud is unreachable', async () => {
    site.system.cloud.locateStatus = 500;
    const answer = await open('/', { cookie }, 'MEADOW.eu.example.org:443');
    site.system.cloud.locateStatus = 200;
    expect(answer.body).toBe('hello');
  });

  test('the site cookie is removed from requests to the device', async () => {
    await send('/', { cookie });
    expect(site.device.seen.at(-1)).not.toHaveProperty('cookie');
    await send('/', { ...siteHeaders(site.credentials), cookie: `${cookie}; a=1` });
    expect(site.device.seen.at(-1)).toMatchObject({ cookie: 'a=1' });
  });

  test('headers win over the cookie', async () => {
    const neighbour = siteHeaders(await site.system.cloud.authorize(2));
    expect((await send('/', { cookie, ...neighbour })).body).toBe('the neighbour');
    const wrong = { ...siteHeaders(site.credentials), 'Site-Key': 'guess' };
    expect((await send('/', { cookie, ...wrong })).status).toBe(401);
  });

  test.each(['x', '127.0.0.1', 'eu.example.org', 'a.meadow.eu.example.org', 'meadow.us.example.org'])(
    'the cookie opens nothing at the host %s',
    async (host) => {
      expect((await send('/api/v1/metrics', { cookie }, 'GET', host)).status).toBe(401);
    },
  );

  test("a cookie of the name's former site is refused for every kind of request", async () => {
    const former = cookieOf(await site.system.cloud.authorize(2));
    const forgets = { 'set-cookie': [EXPIRED_SITE_COOKIE] };
    const before = site.device.seen.length;
    for (const path of ['/api/v1/metrics', '/assets/app.js', '/']) {
      const answer = await send(path, { cookie: former });
      expect(answer).toMatchObject({
        status: 401,
        headers: forgets,
        body: '{"error":"The cookie is for another site: sign in again"}',
      });
    }
    const own = { cookie: former, origin: `https://${HOST}` };
    expect(await send('/api/v1/metrics', own, 'POST')).toMatchObject({ status: 401, headers: forgets });
    expect(await refusedSocket(own)).toBe(401);
    expect(site.device.seen).toHaveLength(before);
  });

  test('a cookie is refused at the former name of its site', async () => {
    const { siteNames } = site.system.cloud.proxies;
    siteNames.set(4, 'cellar');
    const mine = cookieOf(await site.system.cloud.authorize(4));
    const answer = await send('/api/v1/metrics', { cookie: mine }, 'GET', 'loft.eu.example.org');
    expect(answer).toMatchObject({ status: 401, headers: { 'set-cookie': [EXPIRED_SITE_COOKIE] } });
  });

  test('a page and its resources cause one look-up of the name', async () => {
    const { lookUps } = site.system.cloud;
    await send('/assets/a.js', { cookie });
    const before = lookUps.length;
    await Promise.all(Array.from({ length: 60 }, (_, n) => send(`/assets/${n}.js`, { cookie })));
    expect(lookUps).toHaveLength(before);
  });

  test('writes are accepted only from a page of this host', async () => {
    const before = site.device.seen.length;
    const path = '/api/v1/metrics/battery_1/charge_limit';
    for (const from of [
      {},
      { origin: 'null' },
      { origin: 'https://attic.eu.example.org' },
      { 'sec-fetch-site': 'same-site', origin: `https://${HOST}` },
    ] satisfies Headers[]) {
      const answer = await send(path, { cookie, ...from }, 'POST');
      expect(answer).toMatchObject({
        status: 403,
        headers: { 'content-type': 'application/json; charset=utf-8' },
      });
    }
    expect(site.device.seen).toHaveLength(before);
    expect((await send(path, { cookie, origin: `https://${HOST}` }, 'POST')).body).toBe('hello');
    expect((await send(path, siteHeaders(site.credentials), 'POST')).body).toBe('hello');
  });

  test('WebSockets are accepted only from a page of this host', async () => {
    const before = site.device.seen.length;
    for (const from of [{}, { origin: 'https://attic.eu.example.org' }] satisfies Headers[])
      expect(await refusedSocket({ cookie, ...from })).toBe(403);
    expect(site.device.seen).toHaveLength(before);
    for (const good of [{ cookie, origin: `http://${HOST}` }, siteHeaders(site.credentials)]) {
      const socket = dial(good);
      await once(socket, 'open');
      expect(site.device.seen.at(-1)).toMatchObject({ 'site-id': '1', host: HOST });
      expect(site.device.seen.at(-1)).not.toHaveProperty('cookie');
      socket.terminate();
    }
  });
});

describe('the answer of a device at the host of its site', () => {
  beforeEach(() => {
    site.handle = (stream) => {
      stream.respond({
        ':status': 200,
        'set-cookie': ['a=1; Domain=eu.example.org', `${SITE_COOKIE}=x; Path=/; Secure`, 'b=2; Path=/'],
        'clear-site-data': '"cookies"',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'alt-svc': 'h3="evil.example:443"; ma=2592000',
        nel: '{"report_to":"evil","max_age":2592000,"include_subdomains":true}',
        'report-to': '{"group":"evil","max_age":2592000,"endpoints":[{"url":"https://evil.example"}]}',
        'reporting-endpoints': 'evil="https://evil.example"',
        'service-worker-allowed': '/',
        'access-control-allow-origin': 'https://evil.example',
        'access-control-allow-credentials': 'true',
        'content-security-policy': "default-src 'self'",
        'x-own': '1',
      });
      stream.end();
    };
  });

  test.each(['/', '/api/v1/metrics'])(
    'an answer on %s is unreadable for other origins when authorized by cookie',
    async (path) => {
      const { headers } = await open(path, { cookie });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(headers).toMatchObject({ 'x-own': '1', 'content-security-policy': "default-src 'self'" });
    },
  );

  test("cookies of the device are limited to this host and never named like the proxy's", async () => {
    const { headers } = await open('/', { cookie });
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2; Path=/']);
    expect(headers).not.toHaveProperty('clear-site-data');
  });

  test.each([
    'strict-transport-security',
    'alt-svc',
    'nel',
    'report-to',
    'reporting-endpoints',
    'service-worker-allowed',
  ])('the header %s of a device is dropped', async (name) => {
    expect((await open('/', { cookie })).headers).not.toHaveProperty(name);
    expect((await send('/', siteHeaders(site.credentials))).headers).not.toHaveProperty(name);
  });

  test('an answer is readable for other origins with a token', async () => {
    const { headers } = await send('/api/v1/metrics', siteHeaders(site.credentials));
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

test('look-ups of names are limited for each client', async () => {
  const { lookUps } = site.system.cloud;
  const before = lookUps.length;
  const names = Array.from({ length: 100 }, (_, index) => `guess-${index}`);
  const answers = await Promise.all(names.map((name) => open('/', {}, `${name}.eu.example.org`)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 404]));
  expect(lookUps.length - before).toBeLessThan(100);
});
