import { SESSION_SCOPES } from '@heliograph/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { OPERATOR } from '../../access/caller.ts';
import { type AdminPlatform, openAdminPlatform } from '../../operator/admin/platform.ts';
import { importCatalogueFile } from '../../shop/products/catalogues.ts';

const ROUNDS = 6;

/** Enough for a slow machine. */
const PATIENCE_MS = 300_000;

let cloud: TestCloud;
let platform: AdminPlatform;
beforeAll(async () => {
  cloud = await startTestCloud();
  const config = { databaseUrl: cloud.databaseUrl, cloudUrl: cloud.url };
  platform = await openAdminPlatform(config, () => undefined, cloud.clock);
  await cloud.announce('us-1');
});
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]();
  await cloud?.[Symbol.asyncDispose]();
});

const sessionOf = ({ id }: TestUser, organizationId: number | null = null) =>
  cloud.make.token(id, {
    kind: 'session',
    scopes: SESSION_SCOPES,
    authenticatedAt: new Date(cloud.clock.now()),
    organizationId,
  });

interface Round {
  readonly id: number;
  readonly boss: TestUser;
}

/** Closes organizations while something happens to them, and checks what is left of each that is closed. */
async function closeMeanwhile<T>(
  prepare: (round: Round) => Promise<() => Promise<T>>,
  check: (round: Round, isClosed: boolean, answer: T) => Promise<void>,
): Promise<void> {
  for (let count = 0; count < ROUNDS; count += 1) {
    const id = await cloud.make.organization();
    const boss = await cloud.make.employee(id, 'owner');
    const token = await sessionOf(boss);
    const act = await prepare({ id, boss });
    const close = () => cloud.call(`DELETE /api/v1/organizations/${id}`, { token });
    // Either may be the first to arrive.
    const started = count % 2 === 0 ? close() : undefined;
    const [answer, closed] = await Promise.all([act(), started ?? close()]);
    expect([204, 422, 503]).toContain(closed.status);
    await check({ id, boss }, closed.status === 204, answer);
  }
}

const count = async (table: 'sites' | 'orders' | 'tickets' | 'organization_members', id: number) =>
  (await cloud.db.selectFrom(table).selectAll().where('organization_id', '=', id).execute()).length;

it('an organization that is closed twice at once is closed once, and its owner gets one mail', async () => {
  const id = await cloud.make.organization();
  const boss = await cloud.make.employee(id, 'owner');
  const token = await sessionOf(boss);
  const close = () => cloud.call(`DELETE /api/v1/organizations/${id}`, { token });
  const answers = await Promise.all([close(), close(), close()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
  await cloud.mail(boss.email);
  expect(await cloud.mails(boss.email)).toHaveLength(1);
});

it(
  'an order is placed with a seller that stays, or not at all',
  () =>
    closeMeanwhile(
      async ({ id }) => {
        const { token } = await cloud.make.user({ customerOf: id });
        await cloud.make.product(id, { sku: 'advice', kind: 'service' });
        const body = { organization_id: id, currency: 'usd', items: [{ sku: 'advice' }] };
        return () => cloud.call('POST /api/v1/user/orders', { token, body });
      },
      async ({ id }, isClosed, { status }) => {
        expect(isClosed ? [422, 503] : [201]).toContain(status);
        expect(await count('orders', id)).toBe(isClosed ? 0 : 1);
      },
    ),
  PATIENCE_MS,
);

it(
  'a site joins an organization that stays, or none',
  () =>
    closeMeanwhile(
      async ({ id }) => {
        const { token } = await cloud.make.user({ customerOf: id });
        const uid = await cloud.make.device();
        return () => cloud.call('POST /api/v1/sites/register', { token, body: { uid } });
      },
      async ({ id }, isClosed, { status }) => {
        expect([200, 503]).toContain(status);
        if (isClosed) expect(await count('sites', id)).toBe(0);
        else expect(status).toBe(200);
      },
    ),
  PATIENCE_MS,
);

it(
  'a site moves to an organization that stays, or not at all',
  () =>
    closeMeanwhile(
      async ({ id, boss: { id: ownerId, token } }) => {
        const { id: siteId } = await cloud.make.site({ ownerId });
        const body = { organization_id: id };
        return () => cloud.call(`PUT /api/v1/sites/${siteId}/organization`, { token, body });
      },
      async ({ id }, isClosed, { status }) => {
        expect(isClosed ? [422, 503] : [204]).toContain(status);
        expect(await count('sites', id)).toBe(isClosed ? 0 : 1);
      },
    ),
  PATIENCE_MS,
);

it(
  'an invitation is accepted to an organization that stays, or is gone',
  () =>
    closeMeanwhile(
      async ({ id }) => {
        const invited = await cloud.make.user();
        await cloud.make.teamInvitation(id, invited.id);
        const token = await sessionOf(invited);
        return () => cloud.call(`POST /api/v1/user/invitations/${id}/accept`, { token });
      },
      async ({ id }, isClosed, { status }) => {
        // An employee who was just accepted does not keep the owner from closing.
        expect(isClosed).toBe(true);
        expect([204, 404, 503]).toContain(status);
        expect(await count('organization_members', id)).toBe(0);
      },
    ),
  PATIENCE_MS,
);

it(
  'a new ticket goes to an organization that stays, or to the operator',
  () =>
    closeMeanwhile(
      async ({ id }) => {
        const { token } = await cloud.make.user({ customerOf: id });
        const body = { subject: 'No sun', body: 'At noon.' };
        return () => cloud.call('POST /api/v1/user/tickets', { token, body });
      },
      async ({ id }, isClosed, { status }) => {
        expect([201, 503]).toContain(status);
        expect(await count('tickets', id)).toBe(isClosed ? 0 : 1);
      },
    ),
  PATIENCE_MS,
);

it(
  'a reply that opens a resolved ticket again keeps its organization, or goes to the operator',
  () =>
    closeMeanwhile(
      async ({ id }) => {
        const { id: userId, token } = await cloud.make.user({ customerOf: id });
        const ticketId = await cloud.make.ticket(userId, { state: 'resolved', organizationId: id });
        return () =>
          cloud.call(`POST /api/v1/user/tickets/${ticketId}/replies`, { token, body: { body: 'Again.' } });
      },
      async ({ id }, isClosed, { status }) => {
        expect(status).toBe(201);
        const live = await cloud.db
          .selectFrom('tickets')
          .select('state')
          .where('organization_id', '=', id)
          .where('state', '<>', 'closed')
          .execute();
        expect(live).toEqual(isClosed ? [] : [{ state: 'open' }]);
      },
    ),
  PATIENCE_MS,
);

it(
  'a catalogue is imported before its organization is closed, or not at all',
  () => {
    const file = 'products:\n  - { sku: advice, name: Advice, kind: service, prices: { EUR: 1 } }\n';
    const importInto = (id: number) => importCatalogueFile(platform, OPERATOR, id, file);
    return closeMeanwhile(
      async ({ id }) => {
        await cloud.make.product(id, { sku: 'advice', kind: 'service', state: 'archived' });
        return () =>
          importInto(id).then(
            () => 'imported',
            () => 'refused',
          );
      },
      async ({ id }, isClosed) => {
        expect(isClosed).toBe(true);
        await expect(importInto(id)).rejects.toThrow();
        const products = cloud.db.selectFrom('products').select('state').where('organization_id', '=', id);
        expect(await products.execute()).toEqual([{ state: 'archived' }]);
      },
    );
  },
  PATIENCE_MS,
);

it(
  'a sign-in at an organization while it is closed leaves no session there',
  () =>
    closeMeanwhile(
      async ({ id }) => {
        const { email } = await cloud.make.user({ customerOf: id });
        const body = { email, password: PASSWORD, organization_id: id };
        return () => cloud.call('POST /api/v1/sign_in', { body });
      },
      async ({ id }, isClosed, { status }) => {
        expect(isClosed).toBe(true);
        expect(status).not.toBe(500);
        const left = cloud.db.selectFrom('tokens').select('id').where('organization_id', '=', id);
        expect(await left.execute()).toEqual([]);
      },
    ),
  PATIENCE_MS,
);
