import type {
  JoinedOrganization,
  OwnTicketWithMessages,
  PortalSession,
  Product,
  Shop,
  User,
} from '@heliograph/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { PortalBrowser } from '../../../test/portal/browser.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const signIn = (email: string, organization_id: number | 'none') =>
  cloud.call('POST /api/v1/sign_in', { body: { email, password: PASSWORD, organization_id } });
const join = (token: string, organization_id: unknown) =>
  cloud.call('POST /api/v1/user/organizations', { token, body: { organization_id } });
const leave = (token: string, id: unknown) =>
  cloud.call(`DELETE /api/v1/user/organizations/${id}`, { token });
const joinedBy = async (token: string) =>
  (await cloud.call<JoinedOrganization[]>('GET /api/v1/user/organizations', { token })).body;
const session = async (email: string) => (await signIn(email, 'none')).body.token as string;

/** The ids of other accounts that an employee of an organization finds. */
async function foundBy(employee: TestUser, q = ''): Promise<number[]> {
  const { body } = await cloud.call<User[]>(`GET /api/v1/users?q=${q}`, { token: employee.token });
  return body.map(({ id }) => id).filter((id) => id !== employee.id);
}

it.each([false, true])(
  'an account becomes the customer of an organization by its own consent (customer of another before: %s)',
  async (isCustomer) => {
    const [first, second] = [await cloud.make.organization(), await cloud.make.organization()];
    const eve = await cloud.make.user(isCustomer ? { customerOf: first } : {});
    const employee = await cloud.make.employee(second);
    expect((await signIn(eve.email, second)).status).toBe(422);
    expect(await foundBy(employee)).toEqual([]);
    const token = await session(eve.email);
    for (const _ of ['once', 'and the same again'])
      expect(await join(token, second)).toMatchObject({ status: 200, body: { id: second } });
    expect(await signIn(eve.email, second)).toMatchObject({
      status: 200,
      body: { user: { organization: { id: second } } },
    });
    expect((await signIn(eve.email, first)).status).toBe(isCustomer ? 200 : 422);
    expect(await foundBy(employee)).toEqual([eve.id]);
    expect(await foundBy(employee, eve.email.split('@')[0])).toEqual([eve.id]);
    const { body: log } = await cloud.call<{ action: string }[]>('GET /api/v1/user/audit', { token });
    expect(log.filter(({ action }) => action === 'account.changed')).toHaveLength(1);
  },
);

it.each(['customer of none', 'employee of another'])(
  'sites and tickets of an account stay as they were after it joined an organization (%s)',
  async (kind) => {
    const [employer, second] = [await cloud.make.organization(), await cloud.make.organization()];
    const eve = kind === 'customer of none' ? await cloud.make.user() : await cloud.make.employee(employer);
    const token = await session(eve.email);
    const destinations = async () => {
      const body = { subject: `Question ${Math.random()}`, body: 'How?' };
      const ticket = await cloud.call<OwnTicketWithMessages>('POST /api/v1/user/tickets', { token, body });
      expect(ticket.status).toBe(201);
      const { organization_id } = await cloud.db
        .selectFrom('tickets')
        .select('organization_id')
        .where('id', '=', ticket.body.id)
        .executeTakeFirstOrThrow();
      const { organization_id: home } = await cloud.db
        .selectFrom('users')
        .select('organization_id')
        .where('id', '=', eve.id)
        .executeTakeFirstOrThrow();
      return { ticket: organization_id, home };
    };
    const before = await destinations();
    expect((await join(token, second)).status).toBe(200);
    expect(await destinations()).toEqual(before);
  },
);

it('an account leaves an organization that it joined, whose sessions end and whose employees no longer see it', async () => {
  const [first, second] = [await cloud.make.organization(), await cloud.make.organization()];
  const eve = await cloud.make.user({ customerOf: first });
  const employee = await cloud.make.employee(second);
  const token = await session(eve.email);
  expect(await joinedBy(token)).toEqual([]);
  await join(token, second);
  expect(await joinedBy(token)).toEqual([{ id: second, name: expect.any(String) }]);
  const tokenOf = async (id: number) => (await signIn(eve.email, id)).body.token as string;
  const [home, away] = [await tokenOf(first), await tokenOf(second)];
  const isValid = async (of: string) => (await cloud.call('GET /api/v1/user', { token: of })).status === 200;
  expect(await isValid(away)).toBe(true);
  for (const id of [first, 999_999, 'none']) expect((await leave(token, id)).status).toBe(404);
  expect((await leave(token, second)).status).toBe(204);
  expect([await isValid(token), await isValid(home), await isValid(away)]).toEqual([true, true, false]);
  expect(await joinedBy(token)).toEqual([]);
  expect(await foundBy(employee)).toEqual([]);
  expect((await signIn(eve.email, second)).status).toBe(422);
  expect((await leave(token, second)).status).toBe(404);
  const { body: log } = await cloud.call<object[]>('GET /api/v1/user/audit', { token });
  expect(log).toContainEqual(
    expect.objectContaining({
      action: 'account.changed',
      details: { customer_of: { from: expect.any(String), to: null }, revoked_tokens: [expect.any(Number)] },
    }),
  );
});

it('an account with a role on a site of an organization keeps its sessions when it leaves it', async () => {
  const second = await cloud.make.organization();
  const eve = await cloud.make.user();
  const token = await session(eve.email);
  await join(token, second);
  await cloud.make.site({ organizationId: second, ownerId: eve.id });
  const { body } = await signIn(eve.email, second);
  expect((await leave(token, second)).status).toBe(204);
  expect((await cloud.call('GET /api/v1/user', { token: body.token as string })).status).toBe(200);
});

it('an account buys from an organization that it joined, and asks it, at the own host of the organization', async () => {
  const [first, second] = [await cloud.make.organization(), await cloud.make.organization()];
  const eve = await cloud.make.user({ customerOf: first });
  const admin = await PortalBrowser.of(cloud, await cloud.make.employee(second, 'admin'));
  const imported = await admin.call(`PUT /portal/api/catalogue?organization_id=${second}`, {
    raw: 'products: [{ sku: box, name: Box, kind: device, prices: { EUR: 119 } }]',
    headers: { 'content-type': 'application/yaml' },
  });
  expect(imported.status).toBe(200);
  const own = { cloud_host: 'away.example', cloud_host_vetted: true };
  await cloud.db.updateTable('organizations').set(own).where('id', '=', second).execute();
  const tab = await PortalBrowser.of(cloud, eve);
  const headers = { 'x-forwarded-host': 'away.example' };
  const seen = async (at: object) => {
    const shop = await tab.call<Shop>('GET /portal/api/shop', at);
    const products = await tab.call<Product[]>(
      `GET /portal/api/v1/products?q=sku:box&organization_id=${second}`,
      at,
    );
    const session = await tab.call<PortalSession>('GET /portal/session', at);
    const body = { subject: `Question ${Math.random()}`, body: 'How?' };
    const ticket = await tab.call<{ id: number }>('POST /portal/api/v1/user/tickets', { ...at, body });
    expect(ticket.status).toBe(201);
    const { organization_id } = await cloud.db
      .selectFrom('tickets')
      .select('organization_id')
      .where('id', '=', ticket.body.id)
      .executeTakeFirstOrThrow();
    return {
      shop: shop.body.organization?.id ?? null,
      products: products.body.length,
      hasShop: session.body.has_shop,
      ticket: organization_id,
    };
  };
  expect(await seen({ headers })).toEqual({ shop: null, products: 0, hasShop: false, ticket: first });
  await tab.call('POST /portal/api/v1/user/organizations', { body: { organization_id: second } });
  expect(await seen({ headers })).toEqual({ shop: second, products: 1, hasShop: true, ticket: second });
  expect(await seen({})).toEqual({ shop: null, products: 1, hasShop: false, ticket: first });
});

it('an organization that does not exist, or one too many, cannot be joined', async () => {
  const { email } = await cloud.make.user();
  const token = await session(email);
  const refused = { status: 422, body: { errors: { organization_id: [expect.any(String)] } } };
  for (const id of [0, -1, 999_999, 2 ** 31, 'none', null])
    expect(await join(token, id)).toMatchObject(refused);
  const ids = await Promise.all(Array.from({ length: 21 }, () => cloud.make.organization()));
  for (const id of ids.slice(0, 20)) expect((await join(token, id)).status).toBe(200);
  expect(await join(token, ids[20])).toMatchObject(refused);
  expect((await leave(token, ids[0])).status).toBe(204);
  expect((await join(token, ids[20])).status).toBe(200);
});

it('a link to a new password is refused for an organization that the account does not belong to', async () => {
  const second = await cloud.make.organization();
  const eve = await cloud.make.user();
  const token = await cloud.make.oneTimeToken('reset', { userId: eve.id });
  const use = (organization_id: number | 'none') =>
    cloud.call(`PUT /api/v1/password/reset/${token}`, { body: { password: PASSWORD, organization_id } });
  const refusal = expect.stringMatching(/^is not one that this account belongs to/);
  expect(await use(second)).toMatchObject({ status: 422, body: { errors: { organization_id: [refusal] } } });
  expect((await use('none')).status).toBe(200);
});
