import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const NO_ADDRESS = 'must be one email address, such as name@example.org';

let cloud: TestCloud;
let owner: TestUser;
let organization: number;
let site: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  organization = await cloud.make.organization();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** A new caller for every describe: limits count per caller. */
async function newSite(): Promise<void> {
  owner = await cloud.make.user();
  site = (await cloud.make.site({ ownerId: owner.id, organizationId: organization })).id;
}

const invite = (body: unknown, token = owner.token) =>
  cloud.call(`POST /api/v1/sites/${site}/users`, { token, body });

const NAMES = { first_name: 'Grace', last_name: 'Hopper' };
let count = 0;
const newEmail = () => `new-${++count}@example.org`;

const accounts = (email: string) =>
  cloud.db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'confirmed_at', 'password_hash', 'organization_id'])
    .where('email', '=', email)
    .execute();

describe('POST /sites/:id/users for an existing account', () => {
  beforeAll(newSite);

  it('an existing account gets the role at once', async () => {
    const { id, email, token } = await cloud.make.user();
    const given = email.toUpperCase();
    const { status, body } = await invite({ email: ` ${given} `, role: 'admin', ...NAMES });
    expect(status).toBe(200);
    expect(body).toEqual({ id, email, ...NAMES, role: 'admin', pending: true });
    expect((await cloud.call(`GET /api/v1/sites/${site}`, { token })).status).toBe(200);
  });

  it('the names in the invitation do not change the account', async () => {
    const { email, token } = await cloud.make.user();
    await invite({ email, role: 'member', ...NAMES });
    const { body } = await cloud.call('GET /api/v1/user', { token });
    expect(body).toMatchObject({ first_name: 'Ada', last_name: 'Example' });
  });

  it('a second invitation changes the role', async () => {
    const { id, email } = await cloud.make.user();
    for (const [given, role] of [
      ['member', 'member'],
      ['admin', 'admin'],
      ['viewer', 'member'],
    ]) {
      const { status, body } = await invite({ email, role: given, ...NAMES });
      expect({ status, body }).toMatchObject({ status: 200, body: { id, role } });
    }
    const listed = await cloud.call<{ id: number }[]>(`GET /api/v1/sites/${site}/users`, {
      token: owner.token,
    });
    expect(listed.body.filter((member) => member.id === id)).toMatchObject([{ role: 'member' }]);
  });
});

describe('POST /sites/:id/users for a new email address', () => {
  beforeAll(newSite);

  it('the invitation creates an account in the organization of the site and mails a link to it', async () => {
    const email = newEmail();
    const { status, body } = await invite({ email, role: 'member', ...NAMES });
    expect(status).toBe(200);
    expect(body).toEqual({ id: expect.any(Number), email, ...NAMES, role: 'member', pending: true });
    expect(await accounts(email)).toEqual([
      { id: body.id, ...NAMES, confirmed_at: null, password_hash: null, organization_id: organization },
    ]);
    const { link } = await cloud.mail(email);
    expect(link).toMatch(new RegExp(`/sign_in#password/set/[^?]+\\?site_id=${site}$`));
  });

  it.each([
    [{}, ['first_name', 'last_name']],
    [{ first_name: 'Grace' }, ['last_name']],
    [{ first_name: ' ', last_name: 'Hopper' }, ['first_name']],
    [{ first_name: null, last_name: '' }, ['first_name', 'last_name']],
  ])('a new account with the names %j is refused with 422', async (names, missing) => {
    const email = newEmail();
    const { status, body } = await invite({ email, role: 'member', ...names });
    expect(status).toBe(422);
    expect(body).toEqual({ errors: Object.fromEntries(missing.map((name) => [name, ["can't be blank"]])) });
    expect(await accounts(email)).toEqual([]);
  });

  it('a new account can become the owner at once', async () => {
    await newSite();
    const email = newEmail();
    const { body } = await invite({ email, role: 'owner', ...NAMES });
    expect(body).toMatchObject({ role: 'owner' });
    const shown = await cloud.call(`GET /api/v1/sites/${site}`, { token: owner.token });
    expect(shown.body).toMatchObject({
      owner: { email },
      users: [
        { email, role: 'owner' },
        { id: owner.id, role: 'admin' },
      ],
    });
  });

  it('concurrent invitations create one account and send one mail', async () => {
    const email = newEmail();
    const sites = [site, (await cloud.make.site({ ownerId: owner.id, organizationId: organization })).id];
    const calls = sites.flatMap((id) =>
      [email, email.toUpperCase()].map((spelling) =>
        cloud.call(`POST /api/v1/sites/${id}/users`, {
          token: owner.token,
          body: { email: spelling, role: 'member', ...NAMES },
        }),
      ),
    );
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const { rows } = await cloud.db
      .selectFrom('site_members')
      .select('site_id')
      .where('user_id', '=', Number(answers[0]?.body.id))
      .execute()
      .then((found) => ({ rows: found.map(({ site_id }) => site_id).sort() }));
    expect(rows).toEqual(sites.toSorted());
    await cloud.mail(String(answers[0]?.body.email));
    expect(await cloud.mails(String(answers[0]?.body.email))).toHaveLength(1);
  });
});

describe('the body of POST /sites/:id/users', () => {
  beforeAll(newSite);

  it.each<[object, string, string]>([
    [{ role: 'member' }, 'email', "can't be blank"],
    [{ email: '', role: 'member' }, 'email', "can't be blank"],
    [{ email: null, role: 'member' }, 'email', "can't be blank"],
    [{ email: 'nobody', role: 'member' }, 'email', NO_ADDRESS],
    [{ email: 'a@b@c', role: 'member' }, 'email', NO_ADDRESS],
    [{ email: 'a@example.org, b@example.org', role: 'member' }, 'email', NO_ADDRESS],
    [{ email: 'a@example.org,b@example.org', role: 'member' }, 'email', NO_ADDRESS],
    [{ email: 'a\r\nBcc: b@example.org', role: 'member' }, 'email', NO_ADDRESS],
    [{ email: 'Ada <a@example.org>', role: 'member' }, 'email', NO_ADDRESS],
    [
      { email: `${'a'.repeat(10_000)}@example.org`, role: 'member' },
      'email',
      'must have at most 320 characters, not 10012',
    ],
    [{ email: 7, role: 'member' }, 'email', 'must be a text, not a number'],
    [{ email: ['a@example.org'], role: 'member' }, 'email', 'must be a text, not a list'],
    [{ email: 'a@example.org' }, 'role', "can't be blank"],
    [
      { email: 'a@example.org', role: 'root' },
      'role',
      'must be "owner", "admin", "member" or "viewer", not "root"',
    ],
    [
      { email: 'a@example.org', role: {} },
      'role',
      'must be "owner", "admin", "member" or "viewer", not an object',
    ],
    [
      { email: 'a@example.org', role: 'member', first_name: 7 },
      'first_name',
      'must be a text or null, not a number',
    ],
    [
      { email: 'a@example.org', role: 'member', last_name: 'x'.repeat(256) },
      'last_name',
      'must have at most 255 characters, not 256',
    ],
  ])('the body %j is refused with 422', async (body, field, message) => {
    expect(await invite(body)).toMatchObject({ status: 422, body: { errors: { [field]: [message] } } });
  });

  it('the answer names every invalid field', async () => {
    const { status, body } = await invite({});
    expect(status).toBe(422);
    expect(body).toEqual({ errors: { email: ["can't be blank"], role: ["can't be blank"] } });
  });

  it.each([[undefined], [[]], ['text'], [null], [7]])(
    'a body that is no object, %j, is refused with 400',
    async (body) => {
      expect(await invite(body)).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    },
  );

  it.each(['0', '-1', '2147483648', '99999999999999999999', 'x'])(
    'an invitation to site %s is answered 404',
    async (id) => {
      const body = { email: 'a@example.org', role: 'member' };
      const { status } = await cloud.call(`POST /api/v1/sites/${id}/users`, { token: owner.token, body });
      expect(status).toBe(404);
    },
  );
});
