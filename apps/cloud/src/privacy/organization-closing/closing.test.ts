import { type OrganizationClosing, SESSION_SCOPES } from '@heliograph/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { type Answer, startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let operator: TestUser;
let id: number;
let name: string;
let boss: TestUser;
let session: string;
beforeAll(async () => {
  cloud = await startTestCloud();
  operator = await cloud.make.user({ staff: true });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  id = await cloud.make.organization();
  name = (await cloud.call<{ name: string }>(`GET /api/v1/organizations/${id}`)).body.name;
  boss = await cloud.make.employee(id, 'owner');
  session = await sessionOf(boss);
});

const sessionOf = ({ id: userId }: TestUser) =>
  cloud.make.token(userId, {
    kind: 'session',
    scopes: SESSION_SCOPES,
    authenticatedAt: new Date(cloud.clock.now()),
  });
const close = (token = session) => cloud.call(`DELETE /api/v1/organizations/${id}`, { token });
const obstacles = async (token = boss.token) =>
  (await cloud.call<OrganizationClosing>(`GET /api/v1/organizations/${id}/closing`, { token })).body
    .obstacles;
const statusOf = (answer: Promise<Answer<unknown>>) => answer.then(({ status }) => status);

describe('closing an organization', () => {
  it('a closed organization is in no list, has no texts, and its id is not found', async () => {
    const privacy = () => fetch(`${cloud.url}/api/v1/legal/portal/privacy?organization_id=${id}`);
    expect((await privacy()).status).toBe(200);
    expect((await close()).status).toBe(204);
    expect(await statusOf(cloud.call(`GET /api/v1/organizations/${id}`))).toBe(404);
    expect((await privacy()).status).toBe(404);
    for (const token of [boss.token, operator.token]) {
      const { body } = await cloud.call<{ id: number }[]>('GET /api/v1/organizations?limit=200', { token });
      expect(body.map((organization) => organization.id)).not.toContain(id);
    }
    expect(await statusOf(close())).toBe(404);
  });

  it('the owners of a closed organization are mailed, and operators find who closed it', async () => {
    const other = await cloud.make.employee(id, 'owner');
    const admin = await cloud.make.employee(id, 'admin');
    await close();
    expect((await cloud.mail(boss.email)).subject).toBe(`${name} is closed`);
    expect((await cloud.mail(other.email)).subject).toBe(`${name} is closed`);
    expect(await cloud.mails(admin.email)).toEqual([]);
    const route = 'GET /api/v1/audit?action=organization.closed';
    const { body } = await cloud.call<object[]>(route, { token: operator.token });
    expect(body[0]).toMatchObject({
      actor: { id: boss.id },
      organization_id: id,
      organization_name: name,
      details: { name },
    });
  });

  it('tokens, sessions and invitations of a closed organization end, and people keep their accounts', async () => {
    const customer = await cloud.make.user({ customerOf: id });
    const invited = await cloud.make.user();
    await cloud.make.teamInvitation(id, invited.id);
    const ofOrganization = await cloud.make.token(customer.id, { kind: 'session', organizationId: id });
    await close();
    expect(await statusOf(cloud.call('GET /api/v1/user', { token: ofOrganization }))).toBe(401);
    expect(await statusOf(cloud.call('GET /api/v1/user', { token: customer.token }))).toBe(200);
    expect(await statusOf(cloud.call('GET /api/v1/user', { token: session }))).toBe(200);
    const accept = `POST /api/v1/user/invitations/${id}/accept`;
    expect(await statusOf(cloud.call(accept, { token: await sessionOf(invited) }))).toBe(404);
    const { body } = await cloud.call('GET /api/v1/user/invitations', { token: await sessionOf(invited) });
    expect(body).toEqual([]);
  });

  it('connections of a closed organization end, with the site tokens that they were issued', async () => {
    const owner = await cloud.make.user();
    const { id: siteId } = await cloud.make.site({ ownerId: owner.id });
    const clientId = await cloud.make.application(id);
    await cloud.make.grant(owner.id, { clientId, siteId });
    await close();
    const own = { token: await sessionOf(owner) };
    expect((await cloud.call('GET /api/v1/user/connections', own)).body).toEqual([]);
    const left = await cloud.db.selectFrom('oauth_clients').select('name').where('client_id', '=', clientId);
    expect(await left.execute()).toEqual([]);
  });

  it('employees of a closed organization lose sites that were shared with it, also at proxies', async () => {
    const { id: siteId } = await cloud.make.site();
    await cloud.make.share(id, siteId);
    await cloud.announce('us-1');
    const site = `/api/v1/sites/${siteId}`;
    expect(await statusOf(cloud.call(`POST ${site}/authorize`, { token: boss.token }))).toBe(200);
    await close();
    expect(await statusOf(cloud.call(`GET ${site}`, { token: boss.token }))).toBe(404);
    const { body } = await cloud.announce('us-1');
    const revoked = body.revocations as { site_id: number; subject: string }[];
    const subjects = revoked.filter((each) => each.site_id === siteId).map(({ subject }) => subject);
    expect(subjects).toContain(`user:${boss.id}`);
  });

  it('the name and the host of a closed organization are free for another', async () => {
    const host = `solar-${id}.example.com`;
    const route = 'POST /api/v1/organizations';
    const { body } = await cloud.call<{ id: number }>(route, {
      token: operator.token,
      body: { name: `Sun ${id}`, cloud_host: host },
    });
    const again = { token: operator.token, body: { name: `Sun ${id}`, cloud_host: host } };
    expect(await statusOf(cloud.call(route, again))).toBe(422);
    const token = await sessionOf(operator);
    expect(await statusOf(cloud.call(`DELETE /api/v1/organizations/${body.id}`, { token }))).toBe(204);
    const made = await cloud.call<{ id: number }>(route, again);
    expect(made).toMatchObject({ status: 201, body: { cloud_host: host } });
    expect(made.body.id).not.toBe(body.id);
  });

  it('a person whose invitation is in a mail still chooses a password with its link', async () => {
    const email = `new-${id}@example.org`;
    const body = { email, role: 'member', first_name: 'New', last_name: 'Person' };
    await cloud.call(`POST /api/v1/organizations/${id}/users`, { token: boss.token, body });
    const { text } = await cloud.mail(email);
    const token = /#password\/set\/([\w-]+)/.exec(text)?.[1];
    expect((await close()).status).toBe(204);
    const password = PASSWORD;
    const chosen = { password, password_confirmation: password, organization_id: 'none' };
    expect(await statusOf(cloud.call(`PUT /api/v1/password/set/${token}`, { body: chosen }))).toBe(200);
    const signIn = { body: { email, password, organization_id: 'none' } };
    expect(await statusOf(cloud.call('POST /api/v1/sign_in', signIn))).toBe(200);
    expect(
      await statusOf(cloud.call('POST /api/v1/sign_in', { body: { ...signIn.body, organization_id: id } })),
    ).not.toBe(200);
  });
});

describe('what stays of a closed organization', () => {
  it('a buyer keeps an order with the name of its seller, and a paid code activates a device', async () => {
    const buyer = await cloud.make.user({ customerOf: id });
    const orderId = await cloud.make.order(id, buyer.id, { isPaid: true });
    const order = `/api/v1/user/orders/${orderId}`;
    const code = await cloud.call(`POST ${order}/activation_code`, { token: buyer.token });
    expect(code.status).toBe(201);
    expect((await close()).status).toBe(204);
    expect((await cloud.call(`GET ${order}`, { token: buyer.token })).body).toMatchObject({
      organization: { id, name },
    });
    const uid = await cloud.make.device({ activated: false });
    const route = 'POST /api/v1/sites/request_activation';
    const activate = (value: unknown) =>
      cloud.call(route, { token: buyer.token, body: { uid, code: value } });
    const next = await cloud.call(`POST ${order}/activation_code`, { token: buyer.token });
    expect(next).toMatchObject({ status: 201, body: { uses_left: 1 } });
    expect((await activate(code.body.code)).status).toBe(422);
    expect((await activate(next.body.code)).status).toBe(200);
  });

  it('nothing of it is for sale, and operators find its products archived', async () => {
    const buyer = await cloud.make.user({ customerOf: id });
    const productId = await cloud.make.product(id, { sku: 'box' });
    await close();
    expect(await statusOf(cloud.call(`GET /api/v1/products/${productId}`, { token: buyer.token }))).toBe(404);
    const { body } = await cloud.call(`GET /api/v1/products/${productId}`, { token: operator.token });
    expect(body).toMatchObject({ state: 'archived', organization: { id, name } });
    const order = { organization_id: id, currency: 'USD', items: [{ sku: 'box' }] };
    expect(await statusOf(cloud.call('POST /api/v1/user/orders', { token: buyer.token, body: order }))).toBe(
      422,
    );
  });

  it('a ticket that it resolved is closed, and its requester goes on with the operator', async () => {
    const customer = await cloud.make.user({ customerOf: id });
    const ticketId = await cloud.make.ticket(customer.id, { state: 'resolved', organizationId: id });
    expect((await close()).status).toBe(204);
    const own = { token: customer.token };
    const ticket = `/api/v1/user/tickets/${ticketId}`;
    expect((await cloud.call(`GET ${ticket}`, own)).body).toMatchObject({ state: 'closed' });
    const reply = await cloud.call(`POST ${ticket}/replies`, { ...own, body: { body: 'And now?' } });
    expect(reply.status).toBe(201);
    const { body } = await cloud.call<{ id: number; organization: unknown; follow_up_of: number }[]>(
      `GET /api/v1/tickets?q=user_id:${customer.id}`,
      { token: operator.token },
    );
    expect(body.find(({ id: other }) => other !== ticketId)).toMatchObject({
      state: 'open',
      organization: null,
      follow_up_of: ticketId,
    });
    expect(body.find(({ id: other }) => other === ticketId)).toMatchObject({ organization: { id, name } });
  });
});

describe('what stands in the way of closing', () => {
  it('sites, open orders and open tickets are named, and refuse it', async () => {
    const { id: siteId } = await cloud.make.site({ organizationId: id, name: `roof-of-${id}` });
    const buyer = await cloud.make.user({ customerOf: id });
    const orderId = await cloud.make.order(id, buyer.id);
    const ticketId = await cloud.make.ticket(buyer.id, { organizationId: id, subject: 'No sun' });
    await cloud.make.ticket(buyer.id, { organizationId: id, state: 'closed' });
    expect(await obstacles()).toEqual([
      { kind: 'order', id: orderId, name: expect.any(String) },
      { kind: 'site', id: siteId, name: `roof-of-${id}` },
      { kind: 'ticket', id: ticketId, name: 'No sun' },
    ]);
    const { status, body } = await close();
    expect(status).toBe(422);
    expect(body).toEqual({ error: expect.stringContaining(`site roof-of-${id}`) });
    expect(await statusOf(cloud.call(`GET /api/v1/organizations/${id}`))).toBe(200);
  });

  it('an organization whose sites have moved away is closed', async () => {
    const { id: siteId } = await cloud.make.site({ organizationId: id });
    expect((await close()).status).toBe(422);
    const body = { organization_id: null };
    const moved = await cloud.call(`PUT /api/v1/sites/${siteId}/organization`, { token: boss.token, body });
    expect(moved.status).toBe(204);
    expect(await obstacles()).toEqual([]);
    expect((await close()).status).toBe(204);
  });
});

describe('who closes an organization', () => {
  it('owners and operators close it in a session with a fresh sign-in, and others do not', async () => {
    const admin = await cloud.make.employee(id, 'admin');
    expect(await statusOf(close(boss.token))).toBe(403);
    expect(await statusOf(close(operator.token))).toBe(403);
    expect(await statusOf(close(await sessionOf(admin)))).toBe(403);
    expect(await statusOf(close(await sessionOf(await cloud.make.user())))).toBe(403);
    const stale = await sessionOf(boss);
    cloud.clock.advance(16 * 60_000);
    expect(await statusOf(close(stale))).toBe(403);
    expect(await statusOf(close(await sessionOf(operator)))).toBe(204);
  });
});
