import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let organization: number;
let owner: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  organization = await cloud.make.organization();
  owner = await cloud.make.employee(organization, 'owner');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const users = () => `/api/v1/organizations/${organization}/users`;
const add = (body: unknown, from?: string) =>
  cloud.call<{ id: number; errors: unknown }>(`POST ${users()}`, {
    token: owner.token,
    body,
    ...(from !== undefined && { from }),
  });
const remove = (id: number, token = owner.token) => cloud.call(`DELETE ${users()}/${id}`, { token });
const status = async (token: string, route = 'GET /api/v1/user') =>
  (await cloud.call(route, { token })).status;

const recordsOf = (userId: number) =>
  cloud.db
    .selectFrom('audit_events')
    .select(['action', 'actor_id', 'organization_id', 'details'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();

describe('POST /organizations/:id/users', () => {
  it('the invitation creates and mails an account for a new email address', async () => {
    const invitee = { email: ' New.Hand@example.org', role: 'admin', first_name: ' Ida ', last_name: 'Noor' };
    const { status, body } = await add(invitee);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(Number),
      email: 'new.hand@example.org',
      first_name: 'Ida',
      last_name: 'Noor',
      role: 'admin',
      pending: true,
      expires_at: expect.any(String),
    });
    const account = await cloud.db
      .selectFrom('users')
      .select(['organization_id', 'password_hash', 'confirmed_at'])
      .where('id', '=', body.id)
      .executeTakeFirst();
    expect(account).toEqual({ organization_id: null, password_hash: null, confirmed_at: null });
    expect(await recordsOf(body.id)).toMatchObject([
      { action: 'account.created', actor_id: owner.id, organization_id: organization },
      { action: 'organization_member.invited', details: { from: null, to: 'admin' } },
    ]);
    expect(await mailTo('new.hand@example.org')).toContain(`${cloud.url}/sign_in#password/set/`);
  });

  it("a mail links to the organization's own host only after an operator has set it", async () => {
    const operator = await cloud.make.user({ staff: true });
    const branded = await cloud.make.organization();
    const brandOwner = await cloud.make.employee(branded, 'owner');
    const invitedWhen = async (token: string, email: string) => {
      const route = `/api/v1/organizations/${branded}`;
      await cloud.call(`PATCH ${route}`, { token, body: { cloud_host: 'portal.example.net' } });
      const body = { email, role: 'member', first_name: 'A', last_name: 'B' };
      await cloud.call(`POST ${route}/users`, { token: brandOwner.token, body });
      return mailTo(email);
    };
    const doubtful = await invitedWhen(brandOwner.token, 'before@example.org');
    expect(doubtful).toContain(`${cloud.url}/sign_in#`);
    expect(doubtful).not.toContain('portal.example.net');
    expect(await invitedWhen(operator.token, 'after@example.org')).toContain(
      'https://portal.example.net/sign_in#',
    );
  });

  const mailsTo = (recipient: string) =>
    cloud.db.selectFrom('mailbox_messages').select('text').where('recipient', '=', recipient).execute();
  const mailTo = async (recipient: string) => {
    const sent = () => mailsTo(recipient);
    await expect.poll(sent, { timeout: 15_000, interval: 50 }).toHaveLength(1);
    return (await sent())[0]?.text;
  };

  it('an existing account stays pending, and only changes are recorded', async () => {
    const { id, email } = await cloud.make.user();
    for (const role of ['member', 'member', 'admin']) {
      expect((await add({ email, role })).body).toMatchObject({ id, role });
    }
    expect(await recordsOf(id)).toMatchObject([
      { action: 'organization_member.invited', details: { from: null, to: 'member' } },
      { action: 'organization_member.invited', details: { from: 'member', to: 'admin' } },
    ]);
  });

  it.each<[object, object]>([
    [
      { email: 'nobody@example.org', role: 'member' },
      { first_name: ["can't be blank"], last_name: ["can't be blank"] },
    ],
    [{ email: 'nobody', role: 'member' }, { email: ['must be one email address, such as name@example.org'] }],
    [{}, { email: ["can't be blank"], role: ["can't be blank"] }],
    [
      { email: 'nobody@example.org', role: 'boss' },
      { role: [expect.stringMatching(/^must be .*, not "boss"$/)] },
    ],
  ])('the body %j is refused with 422', async (body, errors) => {
    expect(await add(body)).toMatchObject({ status: 422, body: { errors } });
  });

  it('the calls from one address are limited', async () => {
    const from = '192.0.2.7';
    const statuses: number[] = [];
    for (let i = 0; i < 7; i += 1) {
      const names = { first_name: 'A', last_name: 'B' };
      statuses.push((await add({ email: 'again@example.org', role: 'admin', ...names }, from)).status);
    }
    expect(statuses).toContain(429);
    const known = await cloud.make.user();
    expect((await add({ email: known.email, role: 'member' }, from)).status).toBe(200);
  });
});

describe('DELETE /organizations/:id/users/:user_id', () => {
  it('a removed employee loses access to the sites at once', async () => {
    const employee = await cloud.make.employee(organization, 'admin');
    const { id: site } = await cloud.make.site({ organizationId: organization });
    const show = `GET /api/v1/sites/${site}`;
    expect(await status(employee.token, show)).toBe(200);
    expect((await remove(employee.id)).status).toBe(204);
    expect(await status(employee.token, show)).toBe(404);
    expect(await status(employee.token, `GET ${users()}`)).toBe(403);
    expect((await remove(employee.id)).status).toBe(404);
  });

  it('every employee can leave', async () => {
    const employee = await cloud.make.employee(organization);
    expect((await remove(employee.id, employee.token)).status).toBe(204);
    expect((await remove(employee.id, employee.token)).status).toBe(403);
  });

  /** Tokens of a new employee, for the organization and otherwise. */
  const tokensOf = async (userId: number) => {
    const [api, session, free] = [
      await cloud.make.token(userId, { organizationId: organization }),
      await cloud.make.token(userId, { organizationId: organization }),
      await cloud.make.token(userId),
    ];
    const ids = await cloud.db
      .selectFrom('tokens')
      .select('id')
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
    const sessionId = ids.at(-2)?.id ?? 0;
    await cloud.db.updateTable('tokens').set({ kind: 'session' }).where('id', '=', sessionId).execute();
    return { api, session, free, apiId: ids.at(-3)?.id, sessionId };
  };

  it('a removal revokes and records every token of the organization', async () => {
    const { id } = await cloud.make.employee(organization);
    const { api, session, free, apiId, sessionId } = await tokensOf(id);
    await remove(id);
    expect([await status(api), await status(session), await status(free)]).toEqual([401, 401, 200]);
    const records = await recordsOf(id);
    expect(records.map(({ action, details }) => [action, details])).toEqual([
      [
        'organization_member.removed',
        { from: 'member', to: null, revoked_tokens: expect.arrayContaining([apiId, sessionId]) },
      ],
    ]);
  });

  it.each<[string, (userId: number) => Promise<unknown>]>([
    [
      'a customer',
      (id) =>
        cloud.db.updateTable('users').set({ organization_id: organization }).where('id', '=', id).execute(),
    ],
    ['the owner of a site', (ownerId) => cloud.make.site({ ownerId, organizationId: organization })],
    [
      'a member of a site',
      async (id) => {
        const site = await cloud.make.site({ organizationId: organization });
        await cloud.make.member(site.id, id, 'member');
      },
    ],
  ])('a removed employee who is %s keeps sessions and loses API tokens', async (_who, become) => {
    const { id } = await cloud.make.employee(organization);
    await become(id);
    const { api, session, free } = await tokensOf(id);
    await remove(id);
    expect([await status(api), await status(session), await status(free)]).toEqual([401, 200, 200]);
  });

  it('the proxies get the sites that the removed employee lost', async () => {
    const { id } = await cloud.make.employee(organization);
    const [theirs, shared, own, elsewhere] = [
      await cloud.make.site({ organizationId: organization }),
      await cloud.make.site(),
      await cloud.make.site({ organizationId: organization, ownerId: id }),
      await cloud.make.site(),
    ];
    await cloud.db
      .insertInto('organization_sites')
      .values({ organization_id: organization, site_id: shared.id, created_at: new Date(cloud.clock.now()) })
      .execute();
    const unused = await cloud.make.site({ organizationId: organization });
    await cloud.announce('us-1');
    const token = await cloud.make.token(id, { organizationId: organization });
    for (const { id: siteId } of [theirs, shared, own]) {
      expect((await cloud.call(`POST /api/v1/sites/${siteId}/authorize`, { token })).status).toBe(200);
    }
    await remove(id);
    const { body } = await cloud.announce('us-1');
    const lost = (body.revocations as { site_id: number; user_id: number; subject: string }[])
      .filter((revocation) => revocation.user_id === id && revocation.subject.startsWith('user:'))
      .map(({ site_id }) => site_id);
    expect(lost.toSorted()).toEqual([theirs.id, shared.id].toSorted());
    for (const { id: kept } of [own, elsewhere, unused]) expect(lost).not.toContain(kept);
  });
});
