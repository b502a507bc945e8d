import type { ServiceEvent } from '@heliograph/contracts';
import { silentLogger } from '@heliograph/kit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { appendEvents } from '../../db/events.ts';
import { Housekeeping } from '../../housekeeping/housekeeping.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';
import { type Scene, setScene } from '../members/testing/scene.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let cloud: TestCloud;
let scene: Scene;
beforeAll(async () => {
  cloud = await startTestCloud();
  scene = await setScene(cloud);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const read = async (token: string, query = '', path = '/events') => {
  await transactionsEnded();
  const { status, body } = await cloud.call<ServiceEvent[]>(`GET /api/v1${path}${query}`, { token });
  expect(status).toBe(200);
  return body;
};

/** The feed stops before transactions that have not ended: those of other tests, on the same server, too. */
async function transactionsEnded(): Promise<void> {
  const { rows } = await sql<{ next: string }>`select pg_current_xact_id()::text as next`.execute(cloud.db);
  await vi.waitFor(async () => {
    const { rows: ended } = await sql<{ all: boolean }>`
      select pg_snapshot_xmin(pg_current_snapshot()) > ${rows[0]?.next}::xid8 as all`.execute(cloud.db);
    expect(ended).toEqual([{ all: true }]);
  }, PATIENCE);
}
const PATIENCE = { timeout: 20_000, interval: 10 };

const add = (siteId: number, data: Record<string, unknown>, db = cloud.db) =>
  appendEvents(db, [{ type: 'alert.raised', at: new Date(cloud.clock.now()), siteId, data }]);

it('a change of the members of a site is an event for those who look after it, and not for others', async () => {
  const { site, owner, admin, member, guest, stranger, organization } = scene;
  const removed = await cloud.call(`DELETE /api/v1/sites/${site}/users/${guest.id}`, { token: owner.token });
  expect(removed.status).toBe(204);
  const event = {
    id: expect.stringMatching(/^\d+-\d+-\d+$/),
    type: 'site_member.removed',
    at: new Date(cloud.clock.now()).toISOString(),
    site_id: site,
    organization_id: organization,
    user_id: guest.id,
    data: { actor_id: owner.id, from: 'member', to: null },
  };
  expect(await read(owner.token)).toEqual([event]);
  expect(await read(admin.token)).toEqual([event]);
  // The account that it is about reads it among its own.
  expect(await read(guest.token)).toEqual([event]);
  const within = (organizationId: number) => cloud.make.token(guest.id, { organizationId });
  expect(await read(await within(organization))).toEqual([event]);
  expect(await read(await within(await cloud.make.organization()))).toEqual([]);
  expect(await read(member.token)).toEqual([]);
  expect(await read(stranger.token)).toEqual([]);
});

it('every reader of a site reads its alerts, and a third party only those of the site of its token', async () => {
  const { site, owner, member } = await setScene(cloud);
  const other = await setScene(cloud);
  await add(site, { rule: 'battery_low' });
  await add(other.site, { rule: 'grid_lost' });
  const rules = async (token: string) => (await read(token, '?type=alert')).map(({ data }) => data.rule);
  expect(await rules(member.token)).toEqual(['battery_low']);
  const grant = { kind: 'oauth', scopes: ['sites:read_single'], siteId: site } as const;
  expect(await rules(await cloud.make.token(owner.id, grant))).toEqual(['battery_low']);
  expect(await rules(await cloud.make.token(owner.id, { ...grant, siteId: other.site }))).toEqual([]);
});

it('a reader that goes on after the last event reads each event once', async () => {
  const { site, owner } = await setScene(cloud);
  for (let n = 1; n <= 7; n++) await add(site, { n });
  const numbers: unknown[] = [];
  let after = '';
  for (let events = await read(owner.token, '?limit=3'); events.length > 0; ) {
    numbers.push(...events.map(({ data }) => data.n));
    after = events.at(-1)?.id ?? '';
    events = await read(owner.token, `?limit=3&after=${after}`);
  }
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await add(site, { n: 8 });
  expect(await read(owner.token, `?after=${after}`)).toMatchObject([{ data: { n: 8 } }]);
});

it('no event appears before one that was read already, when transactions end in another order than they began', async () => {
  const { site, owner } = await setScene(cloud);
  const read3 = () => read(owner.token, '?type=alert.raised');
  let commitFirst = () => {};
  const mayCommit = new Promise<void>((resolve) => {
    commitFirst = resolve;
  });
  let added = () => {};
  const isAdded = new Promise<void>((resolve) => {
    added = resolve;
  });
  const first = cloud.db.transaction().execute(async (tx) => {
    await add(site, { n: 1 }, tx);
    added();
    await mayCommit;
  });
  await isAdded;
  await add(site, { n: 2 });
  expect((await cloud.call(`GET /api/v1/events`, { token: owner.token })).body).toEqual([]);
  commitFirst();
  await first;
  expect((await read3()).map(({ data }) => data.n)).toEqual([1, 2]);
});

it('types and first parts of types select events', async () => {
  const { site, owner, guest } = await setScene(cloud);
  await add(site, {});
  await cloud.call(`DELETE /api/v1/sites/${site}/users/${guest.id}`, { token: owner.token });
  const types = async (type: string) => (await read(owner.token, `?type=${type}`)).map((event) => event.type);
  expect(await types('alert')).toEqual(['alert.raised']);
  expect(await types('site_member.removed,alert.cleared')).toEqual(['site_member.removed']);
  expect(await types('alert,site_member')).toEqual(['alert.raised', 'site_member.removed']);
});

it('the managers of an organization read what happened at its sites', async () => {
  const { site, guest, owner, organization } = await setScene(cloud);
  const manager = await cloud.make.user();
  const values = { organization_id: organization, user_id: manager.id, role: 'admin' } as const;
  await cloud.db.insertInto('organization_members').values(values).execute();
  await cloud.call(`DELETE /api/v1/sites/${site}/users/${guest.id}`, { token: owner.token });
  const events = await read(manager.token, '', `/organizations/${organization}/events`);
  expect(events).toMatchObject([{ type: 'site_member.removed', site_id: site }]);
});

it('a position that is no event, or older than events are kept, is refused with the reason', async () => {
  const { site, owner } = await setScene(cloud);
  const after = (id: string) => cloud.call(`GET /api/v1/events?after=${id}`, { token: owner.token });
  expect((await after('yesterday')).status).toBe(422);
  await add(site, {});
  const [event] = await read(owner.token, '?type=alert');
  cloud.clock.advance(30 * DAY_MS + 1);
  const refused = await after(event?.id ?? '');
  expect(refused.status).toBe(422);
  expect(JSON.stringify(refused.body)).toContain('begin without it');
  await new Housekeeping(cloud.db, cloud.clock, silentLogger).run();
  expect(await cloud.db.selectFrom('events').select('id').execute()).toEqual([]);
});
