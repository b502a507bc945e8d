import { SESSION_SCOPES } from '@heliograph/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { ThirdParty } from '../../../test/oauth/third-party.ts';
import { type Call, startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { SESSION_COOKIE } from '../../portal/session-cookie.ts';

const MINUTE_MS = 60_000;

let cloud: TestCloud;
let application: ThirdParty;
beforeAll(async () => {
  cloud = await startTestCloud();
  application = await ThirdParty.make(cloud);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** An authorization as the browser that began it knows it. */
interface Begun {
  readonly path: string;
  readonly cookie: string;
}

/** A user with a site and a session. */
let ada: TestUser;
let siteId: number;
let session: string;
let begun: Begun;
beforeEach(async () => {
  ada = await cloud.make.user();
  siteId = (await cloud.make.site({ ownerId: ada.id })).id;
  session = await sessionOf(ada);
  begun = await begin();
});

const sessionOf = ({ id }: TestUser) => cloud.make.token(id, { kind: 'session', scopes: SESSION_SCOPES });

async function begin(changes: Readonly<Record<string, string>> = {}): Promise<Begun> {
  const { headers } = await fetch(await application.authorizationUrl(changes), { redirect: 'manual' });
  const cookies = headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
  return { path: headers.get('location') ?? '', cookie: cookies.join('; ') };
}

interface PageCall extends Call {
  /** The browser's session cookie; null for none. */
  readonly as?: string | null;
  readonly of?: Begun;
}

/** Calls as the page does. */
function call(what: string, { as = session, of = begun, headers, body = {}, raw, ...others }: PageCall = {}) {
  const [method, name] = what.split(' ');
  const cookie = [of.cookie, ...(as === null ? [] : [`${SESSION_COOKIE}=${as}`])].join('; ');
  const content = raw === undefined ? { body } : { raw };
  return cloud.call(`${method} ${of.path}/${name}`, {
    ...others,
    ...(method === 'POST' && content),
    headers: { cookie, origin: cloud.url, ...headers },
  });
}

const allow = (options: PageCall & { readonly site?: unknown } = {}) =>
  call('POST allow', { body: { site_id: options.site ?? siteId }, ...options });
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;
const userShown = async () => (await call('GET request')).body.user;

/** Goes where the page leads after an answer. */
function goOn(location: string, as: string | null) {
  const cookie = [begun.cookie, ...(as === null ? [] : [`${SESSION_COOKIE}=${as}`])].join('; ');
  return fetch(location, { redirect: 'manual', headers: { cookie } });
}

describe('cross-site requests to the consent endpoints', () => {
  it.each<[string, Call, number]>([
    ['another origin', { headers: { origin: 'https://evil.example' } }, 403],
    ['a hidden origin', { headers: { origin: 'null' } }, 403],
    ['an origin that begins like ours', { headers: { origin: 'http://127.0.0.1' } }, 403],
    ['another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['another host of the domain', { headers: { 'sec-fetch-site': 'same-site' } }, 403],
    ['a form', { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
    ['a form that looks like JSON', { raw: '{}', headers: { 'content-type': 'text/plain' } }, 415],
  ])('a request is refused from %s', async (_how, from, status) => {
    for (const what of ['allow', 'deny']) {
      expect(await statusOf(call(`POST ${what}`, from))).toBe(status);
    }
    expect(await userShown()).toMatchObject({ email: ada.email });
  });

  it('a request without an origin is refused', async () => {
    const headers = { cookie: begun.cookie, 'content-type': 'application/json' };
    expect(await cloud.call(`POST ${begun.path}/deny`, { raw: '{}', headers })).toMatchObject({
      status: 403,
    });
  });
});

describe('unknown authorizations', () => {
  const statusesOf = async (of: Begun) => {
    const body = { site_id: siteId };
    const answers = ['GET request', 'GET sites', 'POST allow', 'POST deny'].map((what) =>
      call(what, { of, body }),
    );
    return new Set((await Promise.all(answers)).map(({ status }) => status));
  };

  it.each<[string, () => Promise<Begun>]>([
    ['of another browser', async () => ({ ...(await begin()), path: begun.path })],
    ['without its cookie', async () => ({ ...begun, cookie: '' })],
    ['that was never made', async () => ({ ...begun, path: '/oauth/consent/nonsense' })],
    [
      'that has expired',
      async () => {
        cloud.clock.advance(61 * MINUTE_MS);
        return begun;
      },
    ],
  ])('an authorization %s is not found', async (_which, of) => {
    expect(await statusesOf(await of())).toEqual(new Set([404]));
  });

  it('an answered authorization is not found', async () => {
    expect(await allow()).toMatchObject({ status: 200 });
    expect(await statusesOf(begun)).toEqual(new Set([404]));
  });
});

it('one of several concurrent answers is accepted', async () => {
  const answers = await Promise.all([allow(), allow(), allow(), call('POST deny'), call('POST deny')]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404]);
  const grants = await cloud.db
    .selectFrom('oauth_grants')
    .selectAll()
    .where('user_id', '=', ada.id)
    .execute();
  expect(grants).toHaveLength(answers.slice(0, 3).filter(({ status }) => status === 200).length);
});

describe('choice of a site', () => {
  it.each<[string, (site: number) => unknown]>([
    ['none', () => null],
    ["another account's", (site) => site],
    ['text', () => String(siteId)],
    ['a fraction', () => siteId + 0.5],
    ['zero', () => 0],
    ['one beyond all ids', () => 2 ** 31],
  ])('the choice "%s" is refused', async (_which, site) => {
    const other = await cloud.make.site();
    const answer = await call('POST allow', { body: { site_id: site(other.id) } });
    expect(answer).toMatchObject({ status: 422, body: { errors: { site_id: [expect.any(String)] } } });
    expect(await statusOf(allow())).toBe(200);
  });

  it.each<[string, (organizationId: number) => Promise<TestUser>]>([
    ['employees', (organizationId) => cloud.make.employee(organizationId, 'owner')],
    ['operators', () => cloud.make.user({ staff: true })],
  ])('%s can share their own sites alone', async (_who, make) => {
    const organizationId = await cloud.make.organization();
    const customers = await cloud.make.site({ organizationId });
    const user = await make(organizationId);
    const as = await sessionOf(user);
    const get = { token: as };
    expect(await statusOf(cloud.call(`GET /api/v1/sites/${customers.id}`, get))).toBe(200);
    expect((await call('GET sites', { as })).body).toEqual([]);
    expect((await call(`GET sites?q=${'s+'.repeat(50)}`, { as })).body).toEqual([]);
    expect(await statusOf(allow({ as, site: customers.id }))).toBe(422);
    await cloud.make.member(customers.id, user.id, 'member');
    expect((await call('GET sites', { as })).body).toMatchObject([{ id: customers.id }]);
    expect(await statusOf(allow({ as, site: customers.id }))).toBe(200);
  });

  it('the site chosen before is preselected, unless access to it was lost', async () => {
    await allow();
    begun = await begin();
    expect((await call('GET request')).body.site_chosen_before).toMatchObject({ id: siteId });
    await cloud.db
      .updateTable('sites')
      .set({ owner_id: (await cloud.make.user()).id })
      .where('id', '=', siteId)
      .execute();
    expect((await call('GET request')).body.site_chosen_before).toBe(null);
  });
});

describe('sessions at the consent endpoints', () => {
  it.each<[string, () => Promise<string | null>]>([
    ['no cookie', async () => null],
    ['an invented value', async () => 'hgs_nonsense'],
    ['an API token', async () => ada.token],
    ['two cookies', async () => `${session}; ${SESSION_COOKIE}=${await sessionOf(ada)}`],
  ])('the caller is not signed in with %s', async (_who, as) => {
    const caller = { as: await as() };
    expect((await call('GET request', caller)).body.user).toBe(null);
    for (const answer of [call('GET sites', caller), allow(caller)]) expect(await statusOf(answer)).toBe(401);
  });

  it('an account that another tab signed in after the page was shown is refused', async () => {
    const eve = await cloud.make.user();
    const hers = (await cloud.make.site({ ownerId: eve.id })).id;
    const shown = { as: await sessionOf(eve), body: { site_id: hers, email: ada.email } };
    expect(await statusOf(call('POST allow', shown))).toBe(401);
    expect(await userShown()).toMatchObject({ email: ada.email });
    const right = { ...shown, body: { ...shown.body, email: eve.email } };
    expect(await statusOf(call('POST allow', right))).toBe(200);
  });

  it('a session that was ended elsewhere is refused', async () => {
    const token = await sessionOf(ada);
    const { body } = await cloud.call<{ id: number; current: boolean }[]>('GET /api/v1/user/sessions', {
      token,
    });
    // The session that ends the others last: none is ended with one that is no more.
    for (const { id } of body.toSorted((a, b) => Number(a.current) - Number(b.current)))
      expect(await statusOf(cloud.call(`DELETE /api/v1/user/sessions/${id}`, { token }))).toBe(204);
    expect(await statusOf(allow())).toBe(401);
  });

  it('a session from before a new password is refused', async () => {
    const reset = await cloud.make.oneTimeToken('reset', { userId: ada.id });
    const body = { password: 'Another-horse-8', organization_id: 'none' };
    expect(await statusOf(cloud.call(`PUT /api/v1/password/reset/${reset}`, { body }))).toBe(200);
    expect(await statusOf(allow())).toBe(401);
  });

  it('a session from before the program required the password again is refused', async () => {
    cloud.clock.advance(MINUTE_MS);
    begun = await begin({ prompt: 'login' });
    expect((await call('GET request')).body).toMatchObject({
      user: null,
      signs_in_again: true,
      login_hint: ada.email,
    });
    expect([await statusOf(allow()), await statusOf(call('GET sites'))]).toEqual([401, 401]);
  });

  it('another account than the program requires is refused', async () => {
    const body = { client_id: application.clientId, nonce: 'n' };
    const known = await cloud.call('POST /api/v1/id_token', { token: session, body });
    begun = await begin({ id_token_hint: String(known.body.id_token) });
    expect(await userShown()).toMatchObject({ email: ada.email });
    const eve = await sessionOf(await cloud.make.user());
    const seen = (await call('GET request', { as: eve })).body;
    expect(seen).toMatchObject({ user: null, signs_in_again: true, login_hint: null });
    expect(await statusOf(allow({ as: eve }))).toBe(401);
    const { location } = (await allow()).body;
    const after = await goOn(String(location), session);
    expect(after.headers.get('location')).toContain('code=');
  });
});

it('an authorization continues in the browser that allowed it, and not in that of an attacker who planted its cookies', async () => {
  const { location } = (await allow()).body;
  const eve = await sessionOf(await cloud.make.user());
  for (const other of [null, eve]) {
    const answer = await goOn(String(location), other);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  }
  expect((await goOn(String(location), session)).headers.get('location')).toContain('code=');
});
