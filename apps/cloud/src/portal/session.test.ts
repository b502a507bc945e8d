import type { PortalSession } from '@heliograph/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../test/factory.ts';
import { PortalBrowser } from '../../test/portal/browser.ts';
import { type Call, startTestCloud, type TestCloud } from '../../test/test-cloud.ts';
import { SESSION_COOKIE } from './session-cookie.ts';

const MINUTE_MS = 60_000;
const NEW_PASSWORD = 'Another-horse-8';

let cloud: TestCloud;
let ada: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  ada = await cloud.make.user();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

let browser: PortalBrowser;
beforeEach(() => {
  browser = new PortalBrowser(cloud);
});

const signIn = ({ email }: { email: string }, call: Call = {}) =>
  browser.call('POST /portal/sign_in', { body: { email, password: PASSWORD }, ...call });
const session = () => browser.call('GET /portal/session');
const user = async () => (await session()).body.user;
const isAlive = async (token: string | undefined) =>
  (await cloud.call('GET /api/v1/user', { token })).status === 200;

it('pages may load tiles of maps from the configured server alone', async () => {
  const policyOf = async (at: TestCloud) =>
    (await fetch(`${at.url}/sites`, { headers: { accept: 'text/html' } })).headers.get(
      'content-security-policy',
    );
  expect(await policyOf(cloud)).toContain("img-src 'self' data:;");
  expect((await session()).body).toMatchObject({ map_tiles: null });
  const mapTiles = { url: 'https://tiles.example.org:8443/{z}/{x}/{y}.png', attribution: '© Example' };
  await using mapped = await startTestCloud({ mapTiles });
  expect(await policyOf(mapped)).toContain("img-src 'self' data: https://tiles.example.org:8443;");
  expect((await mapped.call('GET /portal/session')).body).toMatchObject({ map_tiles: mapTiles });
});

it('a handed-over session names its account without being spent, and an unknown one names none', async () => {
  const session_token = await cloud.make.oneTimeToken('session', { userId: ada.id });
  const check = (body: object) => browser.call('POST /portal/handover/check', { body });
  for (let n = 0; n < 2; n++)
    expect(await check({ session_token })).toMatchObject({ status: 200, body: { email: ada.email } });
  expect(await user()).toBeNull();
  expect((await browser.call('POST /portal/sign_in', { body: { session_token } })).status).toBe(200);
  expect((await check({ session_token })).status).toBe(401);
});

it.each(['/portal/confirm/check', '/portal/email/check'])(
  'a check of an unknown link at %s answers 422 and spends nothing',
  async (path) => {
    expect(await browser.call(`POST ${path}`, { body: { token: 'hgc_unknown' } })).toMatchObject({
      status: 422,
      body: { error: 'The link is invalid, was used already or has expired' },
    });
  },
);

it('a link that confirms an address names it without being spent, as often as a mail server opens it', async () => {
  const eva = await cloud.make.user({ confirmed: false });
  const token = await cloud.make.oneTimeToken('confirm', { userId: eva.id });
  for (let n = 0; n < 2; n++)
    expect(await browser.call('POST /portal/confirm/check', { body: { token } })).toMatchObject({
      status: 200,
      body: { email: eva.email },
    });
  expect(await user()).toBeNull();
  expect((await browser.call('POST /portal/confirm', { body: { token } })).status).toBe(200);
  expect((await browser.call('POST /portal/confirm/check', { body: { token } })).status).toBe(422);
});

it('a link of a new address names it, and the account keeps its present one until the link is confirmed', async () => {
  const iris = await cloud.make.user();
  const own = await PortalBrowser.of(cloud, iris);
  const body = { email: 'iris.new@example.org', password: PASSWORD };
  expect((await own.call('POST /portal/api/v1/user/email', { body })).status).toBe(200);
  const token = await cloud.make.oneTimeToken('email_change', { userId: iris.id });
  expect(await browser.call('POST /portal/email/check', { body: { token } })).toMatchObject({
    status: 200,
    body: { email: 'iris.new@example.org' },
  });
  expect((await own.call('GET /portal/api/v1/user')).body).toMatchObject({ email: iris.email });
  expect((await own.call('DELETE /portal/api/v1/user/email/pending')).status).toBe(204);
  expect((await browser.call('POST /portal/email/check', { body: { token } })).status).toBe(422);
});

describe('session cookie', () => {
  it('a browser is signed out at first, signed in after signing in, and signed out after signing out', async () => {
    expect(await session()).toMatchObject({
      status: 200,
      body: { user: null, is_operator: false, organizations: [], has_mailbox: true },
    });
    const signedIn = await signIn(ada);
    expect(signedIn).toMatchObject({
      status: 200,
      body: { user: { email: ada.email, organization: null }, may_join: false },
    });
    expect(JSON.stringify(signedIn.body)).not.toContain(String(browser.session));
    expect(signedIn.headers.get('set-cookie')).toBe(
      `${SESSION_COOKIE}=${browser.session}; Max-Age=2592000; Path=/; Secure; HttpOnly; SameSite=Lax`,
    );
    expect(signedIn.headers.get('cache-control')).toBe('no-store');
    expect(await user()).toMatchObject({ id: ada.id });
    const { session: token } = browser;
    expect(await browser.call('POST /portal/sign_out')).toMatchObject({ status: 204 });
    expect([browser.session, await isAlive(token), await user()]).toEqual([undefined, false, null]);
    expect(await browser.call('POST /portal/sign_out')).toMatchObject({ status: 204 });
  });

  it('another sign-in ends the former session, unless it fails', async () => {
    await signIn(ada);
    const { session: first } = browser;
    expect(await signIn(ada, { body: { email: ada.email, password: 'Wrong-horse-7' } })).toMatchObject({
      status: 401,
    });
    expect([browser.session, await isAlive(first)]).toEqual([first, true]);
    await signIn(await cloud.make.user());
    expect([await isAlive(first), await isAlive(browser.session)]).toEqual([false, true]);
  });

  it('the browser drops an ended session, except in an answer that a sign-in may have overtaken', async () => {
    await signIn(ada);
    const { session: token } = browser;
    await cloud.call('DELETE /api/v1/session', { token });
    expect([await user(), browser.session]).toEqual([null, token]);
    cloud.clock.advance(2 * MINUTE_MS);
    expect([await user(), browser.session]).toEqual([null, undefined]);
  });

  it('the browser drops an expired session', async () => {
    await signIn(ada);
    cloud.clock.advance(31 * 24 * 60 * MINUTE_MS);
    expect([await user(), browser.session]).toEqual([null, undefined]);
  });

  it.each<[string, () => Promise<string>]>([
    ['an API token', async () => ada.token],
    [
      'two sessions at once',
      async () => `${(await PortalBrowser.of(cloud, ada)).session}; ${SESSION_COOKIE}=hgs_x`,
    ],
    ['an invented value', async () => 'hgs_nonsense'],
  ])('a browser with %s in its cookie is signed out', async (_what, value) => {
    browser.session = await value();
    expect(await user()).toBe(null);
  });
});

describe('POST /portal/sign_in', () => {
  it.each<[string, object, number]>([
    ['a wrong password', { password: 'Wrong-horse-7' }, 401],
    ['no password', { password: undefined }, 400],
    ['an organization that there is not', { organization_id: 999_999 }, 422],
  ])('a sign-in with %s is refused', async (_what, change, status) => {
    const body = { email: ada.email, password: PASSWORD, ...change };
    expect(await signIn(ada, { body })).toMatchObject({ status });
    expect(browser.session).toBe(undefined);
  });

  it('a sign-in waits for the confirmation of the address, and continues with its pending token', async () => {
    const { email } = await cloud.make.user({ confirmed: false });
    const waiting = await signIn({ email });
    expect(waiting).toMatchObject({ status: 412, body: { next_step: 'click_email_link' } });
    const body = { email, pending_token: waiting.body.pending_token };
    expect(await signIn({ email }, { body })).toMatchObject({ status: 412 });
    const elsewhere = new PortalBrowser(cloud);
    const { token } = await cloud.mail(email);
    expect(await elsewhere.call('POST /portal/confirm', { body: { token } })).toMatchObject({
      status: 200,
      body: { user: { email } },
    });
    expect(await signIn({ email }, { body })).toMatchObject({ status: 200 });
    expect(await isAlive(elsewhere.session)).toBe(true);
    expect(await elsewhere.call('POST /portal/confirm', { body: { token } })).toMatchObject({ status: 422 });
  });

  it('a handed-over session signs in', async () => {
    const token = (await PortalBrowser.of(cloud, ada)).session;
    const { body } = await cloud.call('POST /api/v1/session', { token });
    expect(await signIn(ada, { body })).toMatchObject({ status: 200, body: { user: { id: ada.id } } });
  });

  it('attempts are counted together with those of the API', async () => {
    const from = '203.0.113.7';
    const { email } = await cloud.make.user();
    const wrong = { email, password: 'Wrong-horse-7', organization_id: 'none' };
    for (let n = 0; n < 5; n++) await signIn({ email }, { from, body: wrong });
    for (let n = 0; n < 5; n++) await cloud.call('POST /api/v1/sign_in', { from, body: wrong });
    const refused = await signIn({ email }, { from });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('mail links of the portal', () => {
  it.each([
    ['reset', 'reset'],
    ['set', 'invite'],
  ] as const)('the link sets a password and signs in: %s', async (path, purpose) => {
    const { id, email } = await cloud.make.user();
    await signIn({ email });
    const { session: before } = browser;
    const token = await cloud.make.oneTimeToken(purpose, { userId: id });
    const set = (body: object) => browser.call(`POST /portal/password/${path}`, { body: { token, ...body } });
    const check = (call: Call = {}) =>
      browser.call(`POST /portal/password/${path}/check`, { body: { token }, ...call });
    expect(await check()).toMatchObject({ status: 204 });
    expect(await check({ headers: { origin: 'https://elsewhere.example' } })).toMatchObject({ status: 403 });
    expect(await set({ password: 'weak' })).toMatchObject({
      status: 422,
      body: { errors: { password: expect.anything() } },
    });
    expect(await set({})).toMatchObject({ status: 422, body: { errors: { password: expect.anything() } } });
    expect(await set({ password: NEW_PASSWORD, accepted_terms: false })).toMatchObject({ status: 422 });
    expect(await isAlive(before)).toBe(true);
    expect(await set({ password: NEW_PASSWORD, accepted_terms: true })).toMatchObject({
      status: 200,
      body: { user: { email } },
    });
    expect([await isAlive(before), await isAlive(browser.session)]).toEqual([false, true]);
    expect(await set({ password: NEW_PASSWORD })).toMatchObject({ status: 422 });
    expect(await check()).toMatchObject({ status: 422 });
  });

  it.each([
    ['reset', 'invite'],
    ['set', 'reset'],
  ] as const)('an expired link is reported before a password is entered: %s', async (path, other) => {
    const { id } = await cloud.make.user();
    const check = (token: string) => browser.call(`POST /portal/password/${path}/check`, { body: { token } });
    const ofOther = await cloud.make.oneTimeToken(other, { userId: id });
    const expired = await cloud.make.oneTimeToken(path === 'set' ? 'invite' : 'reset', { userId: id });
    cloud.clock.advance(31 * 24 * 60 * MINUTE_MS);
    const answers = [await check(ofOther), await check(expired), await check('hg1_nonsense')];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });
});

describe('GET /portal/session', () => {
  it('the session lists employers and marks operators', async () => {
    const [employer, other] = [await cloud.make.organization(), await cloud.make.organization()];
    const employee = await cloud.make.employee(employer, 'admin');
    const operator = await cloud.make.user({ staff: true });
    const of = async (who: TestUser) =>
      (await (await PortalBrowser.of(cloud, who)).call('GET /portal/session')).body;
    expect(await of(employee)).toMatchObject({
      is_operator: false,
      organizations: [{ id: employer, role: 'admin' }],
    });
    expect(await of(operator)).toMatchObject({ is_operator: true, organizations: [] });
    browser = new PortalBrowser(cloud);
    await signIn(operator, { body: { email: operator.email, password: PASSWORD, organization_id: other } });
    expect((await session()).body).toMatchObject({
      is_operator: false,
      user: { organization: { id: other } },
    });
  });
});

describe('organization of the portal', () => {
  const homeAt = async (at: TestCloud, host?: string) => {
    const headers = host === undefined ? {} : { 'x-forwarded-host': host };
    return (await at.call('GET /portal/session', { headers })).body.home;
  };

  it('the portal at the vetted host of an organization belongs to it', async () => {
    const set = (id: number, host: string, vetted: boolean) =>
      cloud.db
        .updateTable('organizations')
        .set({ cloud_host: host, cloud_host_vetted: vetted })
        .where('id', '=', id)
        .execute();
    const [ours, claimed] = [await cloud.make.organization(), await cloud.make.organization()];
    await set(ours, 'solar.example:8443', true);
    await set(claimed, 'claimed.example', false);
    expect(await homeAt(cloud, 'Solar.example:8443')).toMatchObject({ id: ours });
    for (const host of ['solar.example', 'claimed.example', 'not a host', ''])
      expect(await homeAt(cloud, host)).toBe(null);
  });

  it('a person with an account may become a customer at the own host of an organization, and is one then', async () => {
    const ours = await cloud.make.organization();
    const host = 'joined.example';
    const own = { cloud_host: host, cloud_host_vetted: true };
    await cloud.db.updateTable('organizations').set(own).where('id', '=', ours).execute();
    const tab = await PortalBrowser.of(cloud, await cloud.make.user());
    const headers = { 'x-forwarded-host': host };
    const mayJoin = async (given: object) =>
      (await tab.call<PortalSession>('GET /portal/session', given)).body.may_join;
    expect([await mayJoin({ headers }), await mayJoin({})]).toEqual([true, false]);
    const body = { organization_id: ours };
    const joined = await tab.call('POST /portal/api/v1/user/organizations', { body });
    expect(joined.status).toBe(200);
    expect(await mayJoin({ headers })).toBe(false);
  });

  it('the portal at other hosts belongs to the configured organization, or to the only one', async () => {
    await using alone = await startTestCloud({ portalOrganizationId: null });
    expect(await homeAt(alone)).toBe(null);
    const only = await alone.make.organization();
    expect(await homeAt(alone)).toMatchObject({ id: only });
    await alone.make.organization();
    expect(await homeAt(alone)).toBe(null);
    await using set = await startTestCloud({ portalOrganizationId: 2 });
    await set.make.organization();
    expect(await homeAt(set)).toBe(null);
    const second = await set.make.organization();
    expect([second, await homeAt(set)]).toEqual([2, expect.objectContaining({ id: 2 })]);
  });
});
