import type { Webhook, WebhookDelivery } from '@heliograph/contracts';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { eventually, it } from '../../../test/alerting/webhook-test.ts';
import type { FeedEvent } from '../events/service.ts';
import { wakeWebhooks } from './works.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

it('a webhook that is to have more types gets the events of these at once', async ({
  cloud,
  scene,
  webhooks: { as, raise, until, untilIdle },
}) => {
  const { owner } = scene;
  const { id } = await as(owner.token).make('/types', { types: ['site'] });
  await raise(1);
  await untilIdle();
  await cloud.call(`PATCH /api/v1/webhooks/${id}`, { token: owner.token, body: { types: [] } });
  await until('/types', [1]);
});

it('events since a time are sent again, with the ids that they had', async ({
  cloud,
  receiver,
  scene,
  webhooks: { as, raise, until },
}) => {
  const { owner } = scene;
  const { id } = await as(owner.token).make('/again');
  await raise(1);
  cloud.clock.advance(1);
  const since = new Date(cloud.clock.now()).toISOString();
  await raise(2);
  await raise(3);
  await until('/again', [1, 2, 3]);
  const replayed = await cloud.call(`POST /api/v1/webhooks/${id}/replay`, {
    token: owner.token,
    body: { since },
  });
  expect(replayed.status).toBe(200);
  await until('/again', [1, 2, 3, 2, 3]);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids.slice(3)).toEqual(ids.slice(1, 3));
});

it('an account gets what it may read now, and an organization what happens at its sites', async ({
  cloud,
  scene,
  webhooks: { as, raise, numbersAt, until },
}) => {
  const { owner, organization, tokens, stranger, operator } = scene;
  const guest = await cloud.make.user();
  await cloud.make.member(scene.site, guest.id, 'member');
  await as(guest.token).make('/guest');
  await as(operator.token).make('/operator');
  const onceOperator = await cloud.make.user({ staff: true });
  await as(onceOperator.token).make('/once-operator');
  await cloud.db.updateTable('users').set({ staff: false }).where('id', '=', onceOperator.id).execute();
  await as(stranger.token).make('/stranger');
  const manager = tokens["organization's admin"];
  await as(manager).make('/firm', { organization_id: organization, types: ['alert'] });
  await raise(1);
  await until('/guest', [1]);
  await until('/firm', [1]);
  await until('/operator', [1]);
  await cloud.call(`DELETE /api/v1/sites/${scene.site}/users/${guest.id}`, { token: owner.token });
  await raise(2);
  await until('/firm', [1, 2]);
  expect(numbersAt('/guest').filter((n) => n === 2)).toEqual([]);
  for (const path of ['/stranger', '/once-operator']) expect(numbersAt(path)).toEqual([]);
});

it('an account that is limited to an organization has webhooks of its own, about that organization alone', async ({
  cloud,
  scene,
  webhooks: { as, raise, until },
}) => {
  const { owner, organization, site } = scene;
  const { id: elsewhere } = await cloud.make.site({ ownerId: owner.id });
  const limited = await cloud.make.token(owner.id, { organizationId: organization });
  const { id } = await as(limited).make('/limited');
  const { id: unlimitedId } = await as(owner.token).make('/unlimited');
  await raise(1, elsewhere);
  await raise(2, site);
  await until('/unlimited', [1, 2]);
  await until('/limited', [2]);
  const list = async (token: string) =>
    (await cloud.call<Webhook[]>('GET /api/v1/webhooks', { token })).body.map((webhook) => webhook.id);
  expect(await list(limited)).toEqual([id]);
  expect(await list(owner.token)).toEqual([id, unlimitedId]);
  expect(await as(owner.token).show(id)).toMatchObject({
    organization_id: null,
    limited_to_organization_id: organization,
  });
  const hidden = await cloud.call(`GET /api/v1/webhooks/${unlimitedId}`, { token: limited });
  expect(hidden.status).toBe(404);
});

it('an address that is not on the public internet is refused, and so are webhooks of others', async ({
  cloud,
  scene,
  webhooks: { as },
}) => {
  const { owner, stranger, organization } = scene;
  const make = (token: string, body: object) => cloud.call('POST /api/v1/webhooks', { token, body });
  for (const url of [
    'https://inside.example.org/hook',
    'http://localhost/hook',
    'https://10.0.0.1/',
    'no address',
    'https://nowhere.example.org/',
  ]) {
    const refused = await make(owner.token, { name: 'Inside', url });
    expect(refused.status, url).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('cannot be used');
    expect(JSON.stringify(refused.body)).not.toContain('10.0.0.1');
  }
  const url = 'https://localhost/';
  expect((await make(stranger.token, { name: 'Firm', url, organization_id: organization })).status).toBe(403);
  const { id } = await as(owner.token).make('/own');
  expect((await cloud.call(`GET /api/v1/webhooks/${id}`, { token: stranger.token })).status).toBe(404);
  expect((await cloud.call(`DELETE /api/v1/webhooks/${id}`, { token: stranger.token })).status).toBe(404);
});

it('a webhook is there, too, while the database does not answer about its organization', async ({
  cloud,
  scene,
  webhooks: { as },
}) => {
  const { organization, tokens } = scene;
  const token = tokens["organization's admin"];
  const { id } = await as(token).make('/still-there', { organization_id: organization });
  const rename = (from: string, to: string) =>
    sql`alter table organization_members rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(cloud.db);
  await rename('role', 'away');
  try {
    expect((await cloud.call(`GET /api/v1/webhooks/${id}`, { token })).status).toBe(500);
  } finally {
    await rename('away', 'role');
  }
  expect((await cloud.call(`GET /api/v1/webhooks/${id}`, { token })).status).toBe(200);
});

it('a list has the webhooks of the caller or of the organization, and a change of one is recorded and changes no other', async ({
  cloud,
  scene,
}) => {
  const { owner, admin, organization, tokens } = scene;
  const elsewhere = await cloud.make.organization();
  const since = new Date(cloud.clock.now()).toISOString();
  const own = [
    await cloud.make.webhook({ userId: owner.id }),
    await cloud.make.webhook({ userId: owner.id }),
  ];
  const other = await cloud.make.webhook({ userId: admin.id });
  const ofOrganization = await cloud.make.webhook({ organizationId: organization });
  await cloud.make.webhook({ organizationId: elsewhere });
  const manager = tokens["organization's admin"];
  const list = async (token: string, query = '') =>
    (await cloud.call<Webhook[]>(`GET /api/v1/webhooks${query}`, { token })).body.map(({ id }) => id);
  expect(await list(owner.token)).toEqual(own);
  expect(await list(admin.token)).toEqual([other]);
  expect(await list(manager)).toEqual([]);
  expect(await list(manager, `?organization_id=${organization}`)).toEqual([ofOrganization]);

  const all = () => cloud.db.selectFrom('webhooks').selectAll().orderBy('id').execute();
  const requests: readonly (readonly [string, object, string])[] = [
    ['PATCH', { name: 'Other' }, 'webhook.changed'],
    ['POST secret', {}, 'webhook.secret_replaced'],
    ['POST replay', { since }, 'webhook.replayed'],
    ['DELETE', {}, 'webhook.deleted'],
  ];
  for (const [id, token, of] of [
    [own[0] ?? 0, owner.token, { user_id: owner.id, organization_id: null }],
    [ofOrganization, manager, { user_id: null, organization_id: organization }],
  ] as const)
    for (const [request, body, action] of requests) {
      const others = (await all()).filter((row) => row.id !== id);
      const [method, path] = request.split(' ');
      const route = `${method} /api/v1/webhooks/${id}${path === undefined ? '' : `/${path}`}`;
      expect((await cloud.call(route, { token, ...(method !== 'DELETE' && { body }) })).status).toBeLessThan(
        300,
      );
      expect((await all()).filter((row) => row.id !== id)).toEqual(others);
      const recorded = await cloud.db
        .selectFrom('audit_events')
        .select(['action', 'user_id', 'organization_id', 'details'])
        .orderBy('id', 'desc')
        .limit(1)
        .execute();
      const name = 'Other';
      expect(recorded).toEqual([{ action, ...of, details: { name, id } }]);
    }
  expect((await all()).map(({ id }) => id)).not.toContain(own[0]);
});

it('twenty test messages an hour are sent to each webhook', async ({ cloud, scene }) => {
  const { owner } = scene;
  const [id, otherId] = [
    await cloud.make.webhook({ userId: owner.id }),
    await cloud.make.webhook({ userId: owner.id }),
  ];
  const statusOf = async (of: number) =>
    (await cloud.call(`POST /api/v1/webhooks/${of}/test`, { token: owner.token })).status;
  for (let n = 1; n <= 20; n++) expect(await statusOf(id)).toBe(200);
  expect([await statusOf(id), await statusOf(otherId)]).toEqual([429, 200]);
});

it('the log has the newest 200 messages of each webhook', async ({
  cloud,
  scene,
  webhooks: { as, raise, until, untilIdle },
}) => {
  const { owner } = scene;
  const [id, otherId] = [
    (await as(owner.token).make('/logged')).id,
    (await as(owner.token).make('/other')).id,
  ];
  await sql`insert into webhook_deliveries (webhook_id, at, event_id, event_type, outcome, duration_ms)
    select id, now(), '0-0-' || n, 'alert.raised', 'delivered', 1
    from webhooks cross join generate_series(1, 200) as n where id in (${id}, ${otherId}) order by n`.execute(
    cloud.db,
  );
  await cloud.call(`PATCH /api/v1/webhooks/${otherId}`, { token: owner.token, body: { enabled: false } });
  await raise(1);
  await untilIdle();
  await until('/logged', [1]);
  const oldest = async (webhookId: number) => {
    const route = `GET /api/v1/webhooks/${webhookId}/deliveries?offset=199`;
    return (await cloud.call<WebhookDelivery[]>(route, { token: owner.token })).body.map(
      (one) => one.event_id,
    );
  };
  await eventually(async () => expect(await oldest(id)).toEqual(['0-0-2']));
  expect(await oldest(otherId)).toEqual(['0-0-1']);
});

it('an account and an organization have ten webhooks each', async ({ cloud, scene }) => {
  const { owner, organization, tokens } = scene;
  for (let n = 1; n <= 10; n++) await cloud.make.webhook({ userId: owner.id });
  const statusOf = async (token: string, body: object = {}) => {
    const made = { name: 'One more', url: 'https://localhost/more', ...body };
    return (await cloud.call('POST /api/v1/webhooks', { token, body: made })).status;
  };
  const ofOrganization = { organization_id: organization };
  expect(await statusOf(owner.token)).toBe(422);
  expect(await statusOf(scene.admin.token)).toBe(201);
  expect(await statusOf(tokens["organization's admin"], ofOrganization)).toBe(201);
  for (let n = 2; n <= 10; n++) await cloud.make.webhook({ organizationId: organization });
  expect(await statusOf(tokens["organization's admin"], ofOrganization)).toBe(422);
});

it.for(['users', 'organizations'] as const)(
  'webhooks that are made concurrently are counted one after another: of %s',
  async (owners, { cloud, scene }) => {
    const { owner, organization, tokens } = scene;
    const isOwn = owners === 'users';
    const of = isOwn ? { userId: owner.id } : { organizationId: organization };
    for (let n = 1; n <= 9; n++) await cloud.make.webhook(of);
    let answer: number | undefined;
    const made = await cloud.db.transaction().execute(async (tx) => {
      const ownerId = isOwn ? owner.id : organization;
      await tx.selectFrom(owners).select('id').where('id', '=', ownerId).forNoKeyUpdate().execute();
      const call = cloud.call('POST /api/v1/webhooks', {
        token: isOwn ? owner.token : tokens["organization's admin"],
        body: {
          ...{ name: 'One more', url: 'https://localhost/more' },
          ...(!isOwn && { organization_id: organization }),
        },
      });
      const ended = call.then(({ status }) => {
        answer = status;
      });
      await eventually(async () => {
        expect((await cloud.waitingForLocks()) > 0 || answer !== undefined).toBe(true);
      });
      await cloud.make.webhook(of);
      return { ended };
    });
    await made.ended;
    expect(answer).toBe(422);
  },
);

it('an event wakes the webhooks of those who may read it, unless they are off, wait for a retry, or are due', async ({
  cloud,
  scene,
}) => {
  const { site, organization, owner, admin, member, stranger, operator } = scene;
  const partner = await cloud.make.organization();
  const elsewhere = await cloud.make.organization();
  await cloud.make.share(partner, site);
  const other = await cloud.make.site({ organizationId: elsewhere });
  await cloud.make.share(elsewhere, other.id);
  const accounts: Readonly<Record<string, number>> = {
    ...{ owner: owner.id, admin: admin.id, member: member.id, stranger: stranger.id, operator: operator.id },
    employee: (await cloud.make.employee(organization)).id,
    'employee of a partner': (await cloud.make.employee(partner)).id,
    'employee of another organization': (await cloud.make.employee(elsewhere, 'owner')).id,
    'owner of another site': (await cloud.make.user()).id,
    'member of another site': (await cloud.make.user()).id,
  };
  await cloud.db
    .updateTable('sites')
    .set({ owner_id: accounts['owner of another site'] ?? 0 })
    .where('id', '=', other.id)
    .execute();
  await cloud.make.member(other.id, accounts['member of another site'] ?? 0, 'admin');
  const idOf: Record<string, number> = {};
  for (const [name, userId] of Object.entries(accounts)) idOf[name] = await cloud.make.webhook({ userId });
  for (const [name, organizationId] of Object.entries({ organization, partner, elsewhere }))
    idOf[`the organization ${name}`] = await cloud.make.webhook({ organizationId });
  for (const name of ['off', 'failing', 'due']) idOf[name] = await cloud.make.webhook({ userId: owner.id });
  const now = new Date(cloud.clock.now());
  const later = new Date(now.getTime() + HOUR_MS);
  const due = new Date(now.getTime() - 1);
  const wokenBy = async (event: Partial<FeedEvent>): Promise<string[]> => {
    const none = { siteId: null, organizationId: null, userId: null };
    const woken: string[] = [];
    const rolledBack = new Error('rolled back');
    // Webhooks that are due within a transaction alone are sent by no process.
    const run = cloud.db.transaction().execute(async (tx) => {
      const set = (name: string | undefined, values: object) =>
        tx
          .updateTable('webhooks')
          .set(values)
          .where('id', 'in', name === undefined ? Object.values(idOf) : [idOf[name] ?? 0])
          .execute();
      await set(undefined, { enabled: true, next_at: later });
      await set('off', { enabled: false });
      await set('failing', { failing_since: due });
      await set('due', { next_at: due });
      const whole = { transaction: '1', id: '1', at: now, type: 'alert.raised', data: {}, ...none, ...event };
      await wakeWebhooks(tx, [whole], now);
      const rows = await tx.selectFrom('webhooks').select('id').where('next_at', '=', now).execute();
      woken.push(...Object.keys(idOf).filter((name) => rows.some(({ id }) => id === idOf[name])));
      throw rolledBack;
    });
    await run.catch((error: unknown) => {
      if (error !== rolledBack) throw error;
    });
    return woken;
  };
  const seers = ['owner', 'admin', 'member', 'operator', 'employee', 'employee of a partner'];
  expect(await wokenBy({ siteId: site, organizationId: organization })).toEqual([
    ...seers,
    'the organization organization',
  ]);
  expect(await wokenBy({ siteId: site })).toEqual(seers);
  expect(await wokenBy({ organizationId: partner })).toEqual(['operator', 'the organization partner']);
  expect(await wokenBy({ userId: stranger.id })).toEqual(['stranger', 'operator']);
});
