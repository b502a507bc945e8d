import type { PasskeyCreationOptions } from '@heliograph/contracts';
import { SESSION_SCOPES } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { addApp, TestApp } from '../../../test/second-factor.ts';
import { SoftwareAuthenticator } from '../../../test/software-authenticator.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const signIn = ({ email }: TestUser, organization_id: number | 'none' = 'none', more: object = {}) =>
  cloud.call('POST /api/v1/sign_in', { body: { email, password: PASSWORD, organization_id, ...more } });
const setRequired = (token: string, id: number, required: boolean) =>
  cloud.call(`PATCH /api/v1/organizations/${id}`, { token, body: { requires_second_factor: required } });
const statusOf = async (token: unknown) =>
  (await cloud.call('GET /api/v1/user', { token: String(token) })).status;

/** An organization whose owner has a second factor and requires one of its employees. */
async function strictOrganization() {
  const id = await cloud.make.organization();
  const owner = await cloud.make.employee(id, 'owner');
  const { token } = await addApp(cloud, owner);
  expect((await setRequired(token, id, true)).status).toBe(200);
  return { id, owner, session: token };
}

describe('an organization that requires a second factor', () => {
  it('every owner is mailed who changed the rule, and no one else is', async () => {
    const id = await cloud.make.organization();
    const [owner, other] = [await cloud.make.employee(id, 'owner'), await cloud.make.employee(id, 'owner')];
    const [admin, operator] = [
      await cloud.make.employee(id, 'admin'),
      await cloud.make.user({ staff: true }),
    ];
    const { token } = await addApp(cloud, admin);
    expect((await setRequired(token, id, true)).status).toBe(200);
    expect((await setRequired(token, id, true)).status).toBe(200);
    for (const { email } of [owner, other]) {
      const mail = await cloud.mail(email);
      expect(mail.subject).toContain('requires a second factor');
      expect(mail.text).toContain(`(${admin.email}) did this`);
      expect(mail.text).toContain(`/organizations/${id}\n`);
    }
    const session = await cloud.make.token(operator.id, { kind: 'session', scopes: SESSION_SCOPES });
    expect((await setRequired(session, id, false)).status).toBe(200);
    expect((await cloud.mail(other.email)).subject).toContain('no longer requires a second factor');
    expect(JSON.stringify(await cloud.mails(admin.email))).not.toContain('requires');
  });

  it('a second factor is required only by a manager who has one, in a fresh session, and the change is recorded', async () => {
    const id = await cloud.make.organization();
    const owner = await cloud.make.employee(id, 'owner');
    const bare = await cloud.make.token(owner.id, { kind: 'session', scopes: SESSION_SCOPES });
    const without = await setRequired(bare, id, true);
    expect(without).toMatchObject({
      status: 422,
      body: { errors: { requires_second_factor: ['needs a second factor of your own first'] } },
    });
    const { token } = await addApp(cloud, owner);
    expect(await setRequired(token, id, true)).toMatchObject({
      status: 200,
      body: { requires_second_factor: true },
    });
    cloud.clock.advance(16 * 60_000);
    expect(await setRequired(token, id, false)).toMatchObject({
      status: 403,
      body: { next_step: 'sign_in' },
    });
    const event = await cloud.db
      .selectFrom('audit_events')
      .select('details')
      .where('organization_id', '=', id)
      .where('action', '=', 'organization.changed')
      .executeTakeFirstOrThrow();
    expect(event.details).toEqual({ requires_second_factor: { from: false, to: true } });
    const clerk = await cloud.make.employee(id);
    expect((await setRequired(clerk.token, id, false)).status).toBe(403);
  });

  it('an API token does not end that a second factor is required', async () => {
    const { id, owner } = await strictOrganization();
    expect((await setRequired(owner.token, id, false)).status).toBe(403);
    expect((await signIn(await cloud.make.employee(id), id)).status).toBe(412);
  });

  it('the password of an employee without a second factor is answered 412 in this and in no organization', async () => {
    const { id } = await strictOrganization();
    const clerk = await cloud.make.employee(id);
    for (const organization of [id, 'none'] as const) {
      expect(await signIn(clerk, organization)).toMatchObject({
        status: 412,
        body: { next_step: 'second_factor', methods: [], error: expect.stringContaining('set one up') },
      });
    }
  });

  it('employees signing in to another organization and other accounts need no second factor', async () => {
    const { id } = await strictOrganization();
    const other = await cloud.make.organization();
    const clerk = await cloud.make.employee(id);
    await cloud.db
      .insertInto('organization_members')
      .values({ organization_id: other, user_id: clerk.id, role: 'member' })
      .execute();
    expect((await signIn(clerk, other)).status).toBe(200);
    const customer = await cloud.make.user({ customerOf: id });
    expect((await signIn(customer, id)).status).toBe(200);
    const member = await cloud.make.user();
    const site = await cloud.make.site({ organizationId: id });
    await cloud.make.member(site.id, member.id, 'admin');
    expect((await signIn(member, id)).status).toBe(200);
  });

  it('an employee sets up a second factor with the pending token and is signed in', async () => {
    const { id } = await strictOrganization();
    const clerk = await cloud.make.employee(id);
    const token = String((await signIn(clerk, id)).body.pending_token);
    const { body } = await cloud.call('POST /api/v1/user/second_factor/totp', { token });
    const app = new TestApp(cloud, String(body.secret));
    const added = await cloud.call('PUT /api/v1/user/second_factor/totp', {
      token,
      body: { otp: await app.code() },
    });
    expect(added).toMatchObject({ status: 200, body: { recovery_codes: { length: 10 } } });
    const session = await signIn(clerk, id, { password: undefined, pending_token: token });
    expect(session.status).toBe(200);
    expect(await statusOf(session.body.token)).toBe(200);
    expect((await cloud.call('POST /api/v1/user/second_factor/totp', { token })).status).toBe(401);
    expect((await signIn(clerk, id)).body.methods).toEqual(['totp', 'recovery_code']);
  });

  it('an employee can set up a passkey instead', async () => {
    const { id } = await strictOrganization();
    const clerk = await cloud.make.employee(id);
    const token = String((await signIn(clerk, id)).body.pending_token);
    const { body } = await cloud.call<PasskeyCreationOptions>('POST /api/v1/user/passkeys/options', {
      token,
    });
    const passkey = new SoftwareAuthenticator(cloud.url).create(body);
    const added = await cloud.call('POST /api/v1/user/passkeys', { token, body: { name: 'Phone', passkey } });
    expect(added.status).toBe(201);
    expect((await signIn(clerk, id, { password: undefined, pending_token: token })).status).toBe(200);
  });

  it('one of two concurrent set-ups with one pending token is refused', async () => {
    const { id } = await strictOrganization();
    const clerk = await cloud.make.employee(id);
    const tokens = [await signIn(clerk, id), await signIn(clerk, id)].map(({ body }) =>
      String(body.pending_token),
    );
    const bodies: object[] = [];
    for (const token of tokens) {
      const { body } = await cloud.call<PasskeyCreationOptions>('POST /api/v1/user/passkeys/options', {
        token,
      });
      bodies.push({ name: 'Phone', passkey: new SoftwareAuthenticator(cloud.url).create(body) });
    }
    const answers = await Promise.all(
      tokens.map((token, i) => cloud.call('POST /api/v1/user/passkeys', { token, body: bodies[i] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
  });

  it('sessions of employees without a second factor lose access, API tokens keep it', async () => {
    const id = await cloud.make.organization();
    const clerk = await cloud.make.employee(id);
    const owner = await cloud.make.employee(id, 'owner');
    const [unlimited, within] = [await signIn(clerk), await signIn(clerk, id)].map(({ body }) => body.token);
    expect([await statusOf(unlimited), await statusOf(within)]).toEqual([200, 200]);
    const { token: session } = await addApp(cloud, owner);
    await setRequired(session, id, true);
    expect([await statusOf(unlimited), await statusOf(within)]).toEqual([401, 401]);
    expect(await statusOf(clerk.token)).toBe(200);
    await setRequired(session, id, false);
    expect([await statusOf(unlimited), await statusOf(within)]).toEqual([200, 200]);
  });

  it('sessions of a new employee without a second factor lose access', async () => {
    const { id, session } = await strictOrganization();
    const user = await cloud.make.user();
    const { token } = (await signIn(user)).body;
    await cloud.call(`POST /api/v1/organizations/${id}/users`, {
      token: session,
      body: { email: user.email, role: 'member' },
    });
    // The employment begins with this row, at once or when the invitation is accepted.
    await cloud.db
      .insertInto('organization_members')
      .values({ organization_id: id, user_id: user.id, role: 'member' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    expect(await statusOf(token)).toBe(401);
  });

  it('an employee cannot remove the last second factor', async () => {
    const { session } = await strictOrganization();
    expect((await cloud.call('GET /api/v1/user/second_factor', { token: session })).body).toMatchObject({
      required_by: [expect.stringMatching(/^Organization/)],
    });
    const answer = await cloud.call('DELETE /api/v1/user/second_factor/totp', { token: session });
    expect(answer).toMatchObject({ status: 422, body: { error: expect.stringContaining('requires') } });
  });
});
