import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { cloudOperations } from '@heliograph/contracts/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../test/factory.ts';
import { PortalBrowser } from '../../test/portal/browser.ts';
import { type Call, startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

let cloud: TestCloud;
let ada: TestUser;
let browser: PortalBrowser;
beforeAll(async () => {
  cloud = await startTestCloud();
  ada = await cloud.make.user();
  browser = await PortalBrowser.of(cloud, ada);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** Requirements of operations that need no account. */
const WITHOUT_ACCOUNT: readonly unknown[] = ['nothing', 'device', 'proxy'];

const from = (headers: Record<string, string>): Call => ({ headers });

describe('/portal/api/v1 for pages of the service', () => {
  it('operations are called as the signed-in account', async () => {
    const user = await browser.call('GET /portal/api/v1/user');
    expect(user).toMatchObject({ status: 200, body: { id: ada.id } });
    expect(await browser.call('PATCH /portal/api/v1/user', { body: { locale: 'de' } })).toMatchObject({
      body: { locale: 'de' },
    });
    await cloud.announce('us-1');
    const site = await cloud.make.site({ ownerId: ada.id });
    const { headers, status } = await browser.call(`POST /portal/api/v1/sites/${site.id}/authorize`);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it.each([
    ['writes', 'PATCH /portal/api/v1/user', { locale: 'de' }],
    ['reads', 'GET /portal/api/v1/user', undefined],
    ['makes', 'POST /portal/api/v1/user/tokens', { name: 'of another tab', scopes: [] }],
  ])('a page of another account than that of its browser %s nothing', async (_what, route, body) => {
    const eve = await cloud.make.user();
    const shared = await PortalBrowser.of(cloud, eve);
    const call = { ...(body !== undefined && { body }) };
    const former = await shared.call(route, { ...call, headers: { 'x-page-account': String(ada.id) } });
    expect(former).toMatchObject({ status: 409, body: { next_step: 'reload' } });
    expect(await shared.call('GET /portal/api/v1/user')).toMatchObject({ body: { locale: 'en' } });
    expect((await shared.call('GET /portal/api/v1/user/tokens')).body).toHaveLength(1);
    const own = await shared.call('GET /portal/api/v1/user', {
      headers: { 'x-page-account': String(eve.id) },
    });
    expect(own).toMatchObject({ status: 200, body: { id: eve.id } });
  });

  it('no operation that changes something does so for a page of another account', async () => {
    const changes = Object.entries(cloudOperations).filter(
      ([, { route, requires }]) => !route.startsWith('GET ') && !WITHOUT_ACCOUNT.includes(requires),
    );
    expect(changes.length).toBeGreaterThan(100);
    const shared = await PortalBrowser.of(cloud, await cloud.make.user());
    const headers = { 'x-page-account': String(ada.id) };
    const answers = changes.map(async ([id, { route }]) => {
      const [method, path = ''] = route.split(' ');
      const { status } = await shared.call(`${method} /portal${path.replaceAll(/:\w+/g, '1')}`, { headers });
      return [id, status];
    });
    // Its answer is a token, which no page receives.
    const refusedToAll = ['handOverSession', 403];
    expect((await Promise.all(answers)).filter(([, status]) => status !== 409)).toEqual([refusedToAll]);
  });

  it('operations without authentication need no session', async () => {
    const anonymous = new PortalBrowser(cloud);
    const body = {
      email: 'unknown@example.org',
      verification_token: await cloud.make.oneTimeToken('bot_check'),
    };
    expect(await anonymous.call('POST /portal/api/v1/password/reset', { body })).toMatchObject({
      status: 200,
    });
    expect(await anonymous.call('GET /portal/api/v1/user')).toMatchObject({ status: 401 });
  });

  it('a person acts on pages with every scope of an API token, and sees no more than before', async () => {
    const { session: token } = browser;
    const own = await cloud.make.organization();
    const boss = await cloud.make.employee(own, 'owner');
    const product = await cloud.make.product(own, { sku: 'portal_scopes' });
    for (const noun of ['orders', 'products', 'tickets']) {
      expect(await cloud.call(`GET /api/v1/${noun}`, { token })).toMatchObject({ status: 403 });
      expect(await browser.call(`GET /portal/api/v1/${noun}`)).toMatchObject({ status: 200 });
    }
    expect(await browser.call(`GET /portal/api/v1/products/${product}`)).toMatchObject({ status: 404 });
    const page = await PortalBrowser.of(cloud, boss);
    expect(await page.call(`GET /portal/api/v1/products/${product}`)).toMatchObject({ status: 200 });
    expect(await browser.call('GET /portal/api/v1/proxies')).toMatchObject({ status: 403 });
  });

  it('other spellings of the path do not widen the scopes of a session', async () => {
    const headers = { authorization: `Bearer ${browser.session}` };
    for (const path of ['/portal/../api/v1/orders', '//portal/api/v1/orders', '/Portal/api/v1/orders'])
      expect((await browser.call(`GET ${path}`, { headers })).status).toBeGreaterThanOrEqual(400);
  });

  it('the session cookie is the only credential: other tokens and cookies are ignored', async () => {
    const eve = await cloud.make.user();
    const headers = { authorization: `Bearer ${eve.token}` };
    expect((await browser.call('GET /portal/api/v1/user', { headers })).body).toMatchObject({ id: ada.id });
    expect(await new PortalBrowser(cloud).call('GET /portal/api/v1/user', { headers })).toMatchObject({
      status: 401,
    });
    for (const session of [eve.token, `${browser.session}; __host-heliograph_session=hgs_planted`]) {
      expect(await new PortalBrowser(cloud, session).call('GET /portal/api/v1/user')).toMatchObject({
        status: 401,
      });
    }
    const cookie = { cookie: `__Host-heliograph_session=${browser.session}` };
    expect(await cloud.call('GET /api/v1/user', { headers: cookie })).toMatchObject({ status: 401 });
  });

  it('answers are not cached, and not readable by pages of other origins', async () => {
    const organization = await cloud.make.organization();
    for (const path of [`organizations/${organization}`, 'user', 'nonsense', 'legal/portal/terms']) {
      const raw = await fetch(`${cloud.url}/portal/api/v1/${path}`, { headers: { origin: cloud.url } });
      await raw.text();
      expect([...raw.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(raw.headers.get('cache-control')).toBe('no-store');
      expect(raw.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
    const { headers, status } = await browser.call('OPTIONS /portal/api/v1/user');
    expect([status, headers.get('access-control-allow-origin')]).toEqual([405, null]);
  });

  it('an ended session is answered with 401, and the browser drops its cookie', async () => {
    const other = await PortalBrowser.of(cloud, ada);
    const { session: token } = other;
    await cloud.call('DELETE /api/v1/session', { token });
    expect(await other.call('GET /portal/api/v1/user')).toMatchObject({ status: 401 });
    expect(other.session).toBe(token);
    cloud.clock.advance(120_000);
    expect(await other.call('GET /portal/api/v1/user')).toMatchObject({ status: 401 });
    expect(other.session).toBe(undefined);
  });

  it('another refusal with 401 keeps the session cookie', async () => {
    const other = await PortalBrowser.of(cloud, ada);
    expect(await other.call('PUT /portal/api/v1/proxies/us-1')).toMatchObject({ status: 401 });
    expect(other.session).toEqual(expect.any(String));
  });

  it.each([
    ['POST', 'sign_in', { email: 'ada', password: PASSWORD, organization_id: 'none' }],
    ['POST', 'sign%5Fin', { email: 'ada', password: PASSWORD, organization_id: 'none' }],
    ['POST', 'session', {}],
    ['POST', 'user/confirm', { token: 'x', organization_id: 'none' }],
    ['PUT', 'password/reset/x', { password: PASSWORD, organization_id: 'none' }],
    ['PUT', 'password/set/x', { password: PASSWORD, organization_id: 'none' }],
  ])('operations that answer with a session are refused: %s %s', async (method, path, body) => {
    const answer = await browser.call(`${method} /portal/api/v1/${path}`, { body });
    expect(answer).toMatchObject({ status: 403, body: { error: expect.stringContaining('/portal') } });
  });

  it('pages may be at the vetted host of an organization', async () => {
    const host = 'solar.example';
    const id = await cloud.make.organization();
    const at = { 'x-forwarded-host': host, origin: `https://${host}` };
    const change = (headers: Record<string, string>) =>
      browser.call('PATCH /portal/api/v1/user', { body: { locale: 'en' }, headers });
    expect(await change(at)).toMatchObject({ status: 403 });
    const set = { cloud_host: host, cloud_host_vetted: true };
    await cloud.db.updateTable('organizations').set(set).where('id', '=', id).execute();
    expect(await change(at)).toMatchObject({ status: 200 });
    expect(await change({ ...at, origin: `http://${host}` })).toMatchObject({ status: 403 });
    expect(await change({ origin: `https://${host}` })).toMatchObject({ status: 403 });
  });
});

it.each<[string, string, number]>([
  ['localhost:4000', 'http://localhost:4000', 200],
  ['[::1]:4000', 'http://[::1]:4000', 200],
  ['localhost:4000', 'http://localhost:4001', 403],
  ['localhost.example', 'http://localhost.example', 403],
  ['demo.localhost:4000', 'http://evil.localhost:4000', 403],
])('the host %s answers requests from the origin %s with %s', async (host, origin, status) => {
  const headers = { 'x-forwarded-host': host, origin };
  expect(await browser.call('PATCH /portal/api/v1/user', { body: { locale: 'en' }, headers })).toMatchObject({
    status,
  });
});

describe('cross-site requests to /portal', () => {
  const refused: [string, Call, number][] = [
    ['another origin', from({ origin: 'https://evil.example' }), 403],
    ['a hidden origin', from({ origin: 'null' }), 403],
    ['an origin that begins like ours', from({ origin: 'http://127.0.0.1' }), 403],
    ['another site', from({ 'sec-fetch-site': 'cross-site' }), 403],
    ['another host of the domain', from({ 'sec-fetch-site': 'same-site' }), 403],
    ['an unknown place', from({ 'sec-fetch-site': 'none' }), 403],
  ];

  it.each<[string, Call, number]>([
    ...refused,
    ['a form', { raw: 'a=b', ...from({ 'content-type': 'application/x-www-form-urlencoded' }) }, 415],
    [
      'a form with files',
      { raw: '--x--', ...from({ 'content-type': 'multipart/form-data; boundary=x' }) },
      415,
    ],
    ['a form that looks like JSON', { raw: '{}', ...from({ 'content-type': 'text/plain' }) }, 415],
  ])('a request changes nothing from %s', async (_where, call, status) => {
    for (const what of [
      'sign_in',
      'sign_out',
      'confirm',
      'password/reset',
      'password/set',
      'api/v1/sign_in',
    ]) {
      expect(await browser.call(`POST /portal/${what}`, call)).toMatchObject({ status });
    }
    expect(await browser.call('DELETE /portal/api/v1/session', call)).toMatchObject({ status });
    expect((await browser.call('GET /portal/api/v1/user')).status).toBe(200);
  });

  it.each(refused)('a request reads nothing from %s', async (_where, call, status) => {
    for (const path of ['session', 'api/v1/user', 'api/v1/nonsense']) {
      expect(await browser.call(`GET /portal/${path}`, call)).toMatchObject({ status });
    }
  });

  it('a request without an origin changes nothing', async () => {
    const headers = { cookie: `__Host-heliograph_session=${browser.session}` };
    for (const route of [
      'POST /portal/sign_out',
      'DELETE /portal/api/v1/session',
      'PATCH /portal/api/v1/user',
    ]) {
      expect(await cloud.call(route, { headers, body: { locale: 'fr' } })).toMatchObject({ status: 403 });
    }
    expect((await browser.call('GET /portal/api/v1/user')).status).toBe(200);
  });
});

describe('other spellings of a path', () => {
  /** Sends a request target without normalising it. */
  async function send(target: string, method = 'GET', headers: Record<string, string> = {}): Promise<string> {
    const { hostname, port, host } = new URL(cloud.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const cookie = `__Host-heliograph_session=${browser.session}`;
    const lines = Object.entries({ host, cookie, connection: 'close', ...headers });
    socket.write(`${method} ${target} HTTP/1.1\r\n${lines.map(([n, v]) => `${n}: ${v}\r\n`).join('')}\r\n`);
    const answer = await text(socket);
    return answer.split(' ')[1] ?? '';
  }

  it.each([
    ['//portal/api/v1/user', '404'],
    ['/portal//api/v1/user', '404'],
    ['/portal/api/v1//user', '404'],
    ['/portal/api%2Fv1/user', '404'],
    ['/portal/api/v1%2Fuser', '404'],
    ['/%70ortal/api/v1/user', '404'],
    ['/PORTAL/api/v1/user', '404'],
    ['/portal/api/v1/../v1/user', '404'],
    ['/portal/../api/v1/user', '404'],
    ['/x/../portal/api/v1/user', '404'],
    ['/portal/api/v1/..%2f..%2fmcp', '404'],
    ['/portal/api/v1/../../../mailbox', '404'],
    ['/portal/portal/api/v1/user', '404'],
    ['/portal/api/v1/%zz', '400'],
    ['http://evil.example/portal/api/v1/user', '404'],
    ['/api/v1/user', '401'],
    ['http://evil.example/api/v1/user', '401'],
    ['/portal/api/v1/user', '200'],
    ['/portal/api/v1/use%72', '200'],
  ])('%s is answered with %s', async (target, status) => {
    expect(await send(target)).toBe(status);
  });

  it.each([
    '/portal/api/v1/user',
    '/portal/api/v1/use%72',
    'http://evil.example/portal/session',
    '/portal/%73ession',
  ])('%s is refused for other pages too', async (target) => {
    expect(await send(target, 'GET', { origin: 'https://evil.example' })).toBe('403');
  });
});
