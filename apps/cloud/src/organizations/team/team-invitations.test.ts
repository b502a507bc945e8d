import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let organization: number;
let owner: TestUser;
let admin: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  organization = await cloud.make.organization();
  owner = await cloud.make.employee(organization, 'owner');
  admin = await cloud.make.employee(organization, 'admin');
});

const PASSWORD = 'A-very-long-horse-7';
const NAMES = { first_name: 'Ida', last_name: 'Noor' };
let count = 0;

const users = () => `/api/v1/organizations/${organization}/users`;
const invite = (email: string, role = 'member', token = owner.token, names: object = {}) =>
  cloud.call(`POST ${users()}`, { token, body: { email, role, ...names } });
const list = async (token = owner.token) =>
  (await cloud.call<{ id: number; pending: boolean }[]>(`GET ${users()}`, { token })).body;

/** A signed-in account with names and a phone number. */
async function person() {
  const user = await cloud.make.user({ firstName: 'Carl', lastName: 'Private', phoneNumber: '+49 170 555' });
  const session = await cloud.make.token(user.id, { kind: 'session' });
  return { ...user, session };
}
type Person = Awaited<ReturnType<typeof person>>;

const received = ({ session }: Person) =>
  cloud.call<{ organization: { id: number }; role: string }[]>('GET /api/v1/user/invitations', {
    token: session,
  });
const accept = ({ session }: Person) =>
  cloud.call(`POST /api/v1/user/invitations/${organization}/accept`, { token: session });
const decline = ({ session }: Person) =>
  cloud.call(`DELETE /api/v1/user/invitations/${organization}`, { token: session });

const actionsOn = async (userId: number) =>
  (
    await cloud.db
      .selectFrom('audit_events')
      .select('action')
      .where('user_id', '=', userId)
      .where('organization_id', '=', organization)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);

describe('an existing account invited to a team', () => {
  it('the organization sees only the email address of the invited account', async () => {
    const carl = await person();
    const { status, body } = await invite(carl.email, 'admin');
    expect(status).toBe(200);
    const shown = {
      id: carl.id,
      email: carl.email,
      first_name: '',
      last_name: '',
      role: 'admin',
      pending: true,
      expires_at: new Date(cloud.clock.now() + 14 * 24 * 60 * 60 * 1000).toISOString(),
    };
    expect(body).toEqual(shown);
    expect((await list()).filter(({ pending }) => pending)).toEqual([shown]);
    const log = await cloud.call<object[]>(`GET /api/v1/organizations/${organization}/audit`, {
      token: owner.token,
    });
    expect(log.body).toMatchObject([
      { action: 'organization_member.invited', user: { email: carl.email, name: '' } },
    ]);
    expect(JSON.stringify(log.body)).not.toContain('Private');
  });

  it('the directory and its search have no invited account before it accepts', async () => {
    const carl = await person();
    await invite(carl.email);
    for (const q of ['', 'carl', 'Private', '170', '49170555', carl.email, String(carl.id)]) {
      const found = await cloud.call<{ id: number }[]>(`GET /api/v1/users?q=${encodeURIComponent(q)}`, {
        token: owner.token,
      });
      expect(found.body.map(({ id }) => id)).not.toContain(carl.id);
    }
  });

  it('the invited account gets no access and no token of the organization before it accepts', async () => {
    const carl = await person();
    const site = await cloud.make.site({ organizationId: organization });
    await invite(carl.email, 'owner');
    expect((await cloud.call(`GET /api/v1/sites/${site.id}`, { token: carl.token })).status).toBe(404);
    expect((await cloud.call('GET /api/v1/sites', { token: carl.token })).body).toEqual([]);
    expect((await cloud.call('GET /api/v1/organizations', { token: carl.token })).body).toEqual([]);
    expect((await cloud.call(`GET ${users()}`, { token: carl.token })).status).toBe(403);
    const signIn = { email: carl.email, password: 'Correct-horse-7', organization_id: organization };
    expect(await cloud.call('POST /api/v1/sign_in', { body: signIn })).toMatchObject({
      status: 422,
      body: { errors: { organization_id: expect.any(Array) } },
    });
    const token = { name: 'early', scopes: ['sites:read_all'], organization_id: organization };
    expect((await cloud.call('POST /api/v1/user/tokens', { token: carl.session, body: token })).status).toBe(
      422,
    );
  });

  it('the invited account becomes an employee by accepting once', async () => {
    const carl = await person();
    await invite(carl.email, 'admin');
    expect((await received(carl)).body).toEqual([
      {
        organization: { id: organization, name: expect.any(String), logo: null },
        role: 'admin',
        invited_by: 'Ada Example',
        created_at: expect.any(String),
        expires_at: expect.any(String),
      },
    ]);
    expect((await accept(carl)).status).toBe(204);
    expect((await accept(carl)).status).toBe(404);
    expect((await list()).find(({ id }) => id === carl.id)).toMatchObject({
      first_name: 'Carl',
      role: 'admin',
      pending: false,
      expires_at: null,
    });
    expect((await received(carl)).body).toEqual([]);
    expect(await actionsOn(carl.id)).toEqual(['organization_member.invited', 'organization_member.added']);
    const directory = await cloud.call<object[]>('GET /api/v1/users?q=carl', { token: owner.token });
    expect(directory.body).toMatchObject([{ id: carl.id, phone_number: '+49 170 555' }]);
  });

  it('the invited account can decline and be invited again', async () => {
    const carl = await person();
    await invite(carl.email);
    expect((await decline(carl)).status).toBe(204);
    expect((await accept(carl)).status).toBe(404);
    expect((await list()).map(({ id }) => id)).not.toContain(carl.id);
    await invite(carl.email);
    expect((await accept(carl)).status).toBe(204);
    expect(await actionsOn(carl.id)).toContain('organization_member.invitation_declined');
  });

  it('a withdrawn invitation cannot be accepted', async () => {
    const carl = await person();
    await invite(carl.email);
    expect((await cloud.call(`DELETE ${users()}/${carl.id}`, { token: admin.token })).status).toBe(204);
    expect((await accept(carl)).status).toBe(404);
    expect((await cloud.call(`DELETE ${users()}/${carl.id}`, { token: admin.token })).status).toBe(404);
    expect(await actionsOn(carl.id)).toContain('organization_member.invitation_withdrawn');
  });

  it('an invitation expires after two weeks', async () => {
    const carl = await person();
    await invite(carl.email);
    cloud.clock.advance(14 * 24 * 60 * 60 * 1000);
    expect((await received(carl)).body).toEqual([]);
    expect((await accept(carl)).status).toBe(404);
    expect((await list()).map(({ id }) => id)).not.toContain(carl.id);
  });

  it('an invitation is accepted only in a session, and not with a token of another organization', async () => {
    const carl = await person();
    await invite(carl.email);
    const elsewhere = await cloud.make.organization(carl.id);
    const abroad = await cloud.make.token(carl.id, { kind: 'session', organizationId: elsewhere });
    expect((await accept({ ...carl, session: carl.token })).status).toBe(403);
    expect((await accept({ ...carl, session: abroad })).status).toBe(404);
    expect((await received({ ...carl, session: abroad })).body).toEqual([]);
    expect((await accept(await person())).status).toBe(404);
  });

  it('one of two concurrent acceptances is refused', async () => {
    const carl = await person();
    await invite(carl.email);
    const answers = await Promise.all([accept(carl), accept(carl)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
  });

  it('the mail links to the page without a secret and is not repeated within minutes', async () => {
    const carl = await person();
    await invite(carl.email);
    await invite(carl.email, 'admin');
    const mail = await cloud.mail(carl.email);
    expect(mail.subject).toMatch(/^Organization \d+ invites you to its team$/);
    expect(mail.text).toContain(`${cloud.url}/user/invitations\n`);
    expect(mail.text).toContain('The invitation comes from Ada Example.');
    expect(mail.text).not.toMatch(/hg1_/);
    cloud.clock.advance(5 * 60 * 1000);
    await invite(carl.email, 'member');
    expect((await cloud.mail(carl.email)).subject).toBe(mail.subject);
    expect(await cloud.mails(carl.email)).toHaveLength(2);
  });

  it('the invited role can change before acceptance, and only owners can invite an owner', async () => {
    const carl = await person();
    await invite(carl.email);
    const change = (role: string, token: string) =>
      cloud.call(`PATCH ${users()}/${carl.id}`, { token, body: { role } });
    expect((await change('admin', admin.token)).body).toMatchObject({ role: 'admin', pending: true });
    expect((await change('owner', admin.token)).status).toBe(403);
    expect((await change('owner', owner.token)).body).toMatchObject({ role: 'owner', pending: true });
    expect((await change('member', admin.token)).status).toBe(403);
    expect((await invite(carl.email, 'member', admin.token)).status).toBe(403);
    expect((await cloud.call(`DELETE ${users()}/${carl.id}`, { token: admin.token })).status).toBe(403);
    await accept(carl);
    expect((await list()).find(({ id }) => id === carl.id)).toMatchObject({ role: 'owner' });
  });

  it('the pending invitation is visible to managers of the organization only', async () => {
    const carl = await person();
    await invite(carl.email);
    const clerk = await cloud.make.employee(organization);
    expect((await list(admin.token)).map(({ id }) => id)).toContain(carl.id);
    expect((await list(clerk.token)).map(({ id }) => id)).not.toContain(carl.id);
  });

  it('an invited owner does not let the last owner leave', async () => {
    const carl = await person();
    await invite(carl.email, 'owner');
    expect((await cloud.call(`DELETE ${users()}/${owner.id}`, { token: owner.token })).status).toBe(403);
  });
});

describe('a new account invited to a team', () => {
  const setPassword = (token: string, organizationId: number | 'none') =>
    cloud.call(`PUT /api/v1/password/set/${token}`, {
      body: { password: PASSWORD, organization_id: organizationId },
    });

  it('setting the first password accepts the invitation and signs in to the organization', async () => {
    const email = `hire-${++count}@example.org`;
    const { body } = await invite(email, 'admin', owner.token, NAMES);
    expect(body).toMatchObject({ email, ...NAMES, role: 'admin', pending: true });
    const directory = await cloud.call<object[]>(`GET /api/v1/users?q=${email}`, { token: owner.token });
    expect(directory.body).toEqual([]);
    const { token, text } = await cloud.mail(email);
    expect(text).toMatch(/join the Organization \d+ team/);
    expect((await setPassword(token, organization)).status).toBe(200);
    expect((await list()).find(({ id }) => id === body.id)).toMatchObject({ ...NAMES, pending: false });
  });

  it('the link of a site invitation of the same organization does not accept the team invitation', async () => {
    const email = `resident-${++count}@example.org`;
    const { id } = await cloud.make.site({ ownerId: owner.id, organizationId: organization });
    const body = { email, role: 'member', ...NAMES };
    await cloud.call(`POST /api/v1/sites/${id}/users`, { token: owner.token, body });
    const { token } = await cloud.mail(email);
    const { body: invited } = await invite(email, 'member', owner.token, NAMES);
    expect((await setPassword(token, 'none')).status).toBe(200);
    expect((await list()).find((employee) => employee.id === invited.id)).toMatchObject({ pending: true });
  });

  it('the account belongs to no organization after the invitation was withdrawn', async () => {
    const email = `late-${++count}@example.org`;
    const { body } = await invite(email, 'member', owner.token, NAMES);
    const { token } = await cloud.mail(email);
    await cloud.call(`DELETE ${users()}/${body.id}`, { token: owner.token });
    expect((await setPassword(token, organization)).status).toBe(422);
    expect((await setPassword(token, 'none')).status).toBe(200);
    expect((await list()).map(({ id }) => id)).not.toContain(body.id);
  });

  it('the account is a customer of the organization whose link it used only', async () => {
    const rival = await cloud.make.organization();
    const [host, other] = [await cloud.make.user(), await cloud.make.user()];
    const sites = [
      await cloud.make.site({ ownerId: host.id, organizationId: organization }),
      await cloud.make.site({ ownerId: other.id, organizationId: rival }),
    ];
    const email = `wanted-${++count}@example.org`;
    const body = { email, role: 'member', ...NAMES };
    await cloud.call(`POST /api/v1/sites/${sites[0]?.id}/users`, { token: host.token, body });
    const { token } = await cloud.mail(email);
    await cloud.call(`POST /api/v1/sites/${sites[1]?.id}/users`, {
      token: other.token,
      body: { ...body, first_name: 'Eve' },
    });
    await setPassword(token, 'none');
    const account = await cloud.db
      .selectFrom('users')
      .select('organization_id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    expect(account.organization_id).toBe(organization);
  });
});

describe('POST /organizations/:id/users by an operator', () => {
  it('an operator makes an account an employee at once', async () => {
    const operator = await cloud.make.user({ staff: true });
    const carl = await person();
    await invite(carl.email);
    const { body } = await invite(carl.email, 'admin', operator.token);
    expect(body).toMatchObject({ first_name: 'Carl', role: 'admin', pending: false, expires_at: null });
    expect((await list()).filter(({ id }) => id === carl.id)).toHaveLength(1);
    expect((await received(carl)).body).toEqual([]);
  });
});
