import { sql } from 'kysely';
import { expect } from 'vitest';
import { eventually, it } from '../../../test/alerting/webhook-test.ts';
import { appendEvents } from '../../db/events.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

it('a webhook is sent where it is due, on, and claimed by no other process', async ({
  cloud,
  scene,
  webhooks: { put, raise, numbersAt, until, untilIdle },
}) => {
  const { owner } = scene;
  const idOf: Record<string, number> = {};
  const paths = ['/due', '/off', '/claimed', '/claim-ended', '/waiting'];
  for (const path of paths) idOf[path] = await put({ userId: owner.id }, path);
  await untilIdle();
  const now = new Date(cloud.clock.now());
  const [before, after] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];
  const set = (path: string, values: object) =>
    cloud.db
      .updateTable('webhooks')
      .set(values)
      .where('id', '=', idOf[path] ?? 0)
      .execute();
  await set('/off', { enabled: false, next_at: now });
  await set('/claimed', { claimed_until: now, next_at: now });
  await set('/claim-ended', { claimed_until: before });
  await set('/waiting', { failing_since: before, failures: 1, next_at: after });
  await raise(1);
  await until('/claim-ended', [1]);
  await raise(2);
  await until('/due', [1, 2]);
  for (const path of ['/off', '/claimed', '/waiting']) expect(numbersAt(path), path).toEqual([]);
  cloud.clock.advance(1);
  await until('/claimed', [1, 2]);
  await until('/waiting', [1, 2]);
  expect(numbersAt('/off')).toEqual([]);
  await cloud.call(`PATCH /api/v1/webhooks/${idOf['/off']}`, { token: owner.token, body: { enabled: true } });
  await until('/off', [1, 2]);
});

it('receivers that fail and are slow take sixteen places, eight of one account, and leave the others to those that work', async ({
  cloud,
  receiver,
  scene,
  webhooks: { put, raise, numbersAt, until, untilIdle },
}) => {
  const { owner, guest, member, admin } = scene;
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  const made = [owner, guest, member].flatMap(({ id }, index) => Array<number>(9 - index).fill(id));
  await Promise.all(made.map((userId) => put({ userId }, '/slow')));
  await put({ userId: admin.id }, '/works');
  await untilIdle();
  receiver.answer = async (path) => {
    if (path === '/slow') await mayAnswer;
    return 204;
  };
  const failUntil = (next_at: Date, ...users: readonly number[]) =>
    cloud.db
      .updateTable('webhooks')
      .set({ failing_since: new Date(cloud.clock.now() - 1), failures: 1, next_at })
      .where('user_id', 'in', users)
      .execute();
  const slow = () => numbersAt('/slow');
  const now = new Date(cloud.clock.now());
  await failUntil(new Date(now.getTime() + HOUR_MS), guest.id, member.id);
  await failUntil(now, owner.id);
  await raise(1);
  await eventually(() => expect(slow()).toHaveLength(8));
  await until('/works', [1]);
  expect(slow()).toHaveLength(8);
  await failUntil(now, guest.id, member.id);
  await eventually(() => expect(slow()).toHaveLength(16));
  await raise(2);
  await until('/works', [1, 2]);
  expect(slow()).toHaveLength(16);
  answer();
  await eventually(() => expect(slow()).toHaveLength(2 * made.length));
});

it('an event that happens while a slow receiver takes those before it arrives after them', async ({
  cloud,
  receiver,
  scene,
  webhooks: { as, eventOf, raise, until, untilIdle },
}) => {
  const { owner } = scene;
  await as(owner.token).make('/slow');
  // Events that wake it before it is idle would make it due again by themselves.
  await untilIdle();
  let taken = 0;
  const isPlaced = async () => {
    const { rows } = await sql`select from events where (transaction, id) >
      (select transaction, id from event_cursors where name = 'events for webhooks')`.execute(cloud.db);
    return rows.length === 0;
  };
  receiver.answer = async () => {
    taken++;
    // Each answer takes longer than half of the claim of the webhook.
    if (taken <= 2) cloud.clock.advance(40_000);
    if (taken === 2) {
      await raise(3);
      await eventually(async () => expect(await isPlaced()).toBe(true));
    }
    return 200;
  };
  await appendEvents(cloud.db, [eventOf(1), eventOf(2)]);
  await until('/slow', [1, 2, 3]);
});

it('more events than are read in one go arrive in their order, and progress is stored each second', async ({
  cloud,
  receiver,
  scene,
  webhooks: { as, eventOf, numbersAt, until, rowOf, untilIdle },
}) => {
  const { owner } = scene;
  const { id } = await as(owner.token).make('/many');
  await untilIdle();
  const logged: unknown[] = [];
  receiver.answer = async () => {
    const { length } = numbersAt('/many');
    if (length <= 4) logged.push((await rowOf(id)).event_id);
    cloud.clock.advance(length === 1 ? 999 : length === 2 ? 1 : 0);
    return 200;
  };
  const numbers = Array.from({ length: 51 }, (_, index) => index + 1);
  const start = (await rowOf(id)).event_id;
  await appendEvents(
    cloud.db,
    numbers.map((n) => eventOf(n)),
  );
  await until('/many', numbers);
  await untilIdle();
  const events = await cloud.db.selectFrom('events').select('id').orderBy('id').execute();
  const second = events.at(-50)?.id;
  expect(logged).toEqual([start, start, second, second]);
  expect((await rowOf(id)).event_id).toBe(events.at(-1)?.id);
});

it('a webhook that is switched off while a message is under way stays as it was, and sends no other', async ({
  cloud,
  receiver,
  scene,
  webhooks: { as, eventOf, until, untilIdle },
}) => {
  const { owner } = scene;
  const { id } = await as(owner.token).make('/interrupted');
  await untilIdle();
  const change = (body: object) => cloud.call(`PATCH /api/v1/webhooks/${id}`, { token: owner.token, body });
  receiver.answer = async () => {
    if (receiver.received.length === 1) await change({ enabled: false });
    cloud.clock.advance(1_000);
    return 200;
  };
  await appendEvents(cloud.db, [eventOf(1), eventOf(2)]);
  await until('/interrupted', [1]);
  await eventually(async () => expect((await as(owner.token).show(id)).state).toBe('off'));
  await change({ enabled: true });
  await until('/interrupted', [1, 1, 2]);
});

it('the webhooks of an account, and those of an organization, have eight connections, and those of others are sent meanwhile', async ({
  cloud,
  receiver,
  webhooks: { eventOf, put, numbersAt, until },
}) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  receiver.answer = async (path) => {
    if (path.startsWith('/holds')) await released;
    return 200;
  };
  /** Returns a site of the account and one of the organization. */
  const makeBoth = async (path: string, count: number): Promise<readonly [number, number]> => {
    const [{ id: ownerId }, organizationId] = [await cloud.make.user(), await cloud.make.organization()];
    for (let n = 1; n <= count; n++) {
      await put({ userId: ownerId }, `${path}/account`);
      await put({ organizationId }, `${path}/organization`);
    }
    const { id: ofAccount } = await cloud.make.site({ ownerId });
    return [ofAccount, (await cloud.make.site({ organizationId })).id];
  };
  const happensAt = async (siteId: number, n: number) => {
    const { organization_id: organizationId } = await cloud.db
      .selectFrom('sites')
      .select('organization_id')
      .where('id', '=', siteId)
      .executeTakeFirstOrThrow();
    await appendEvents(cloud.db, [{ ...eventOf(n, siteId), organizationId }]);
  };
  const sites = await makeBoth('/holds', 9);
  const otherSites = await makeBoth('/takes', 1);
  const held = (path: string) => numbersAt(`/holds/${path}`).length;
  const counts = () => [held('account'), held('organization')];
  // One after the other: each has its own eight, however many the other has.
  for (const [index, expected] of [
    [8, 0],
    [8, 8],
  ].entries()) {
    await happensAt(sites[index] ?? 0, 1);
    await eventually(() => expect(counts()).toEqual(expected));
  }
  for (const siteId of otherSites) await happensAt(siteId, 2);
  await until('/takes/account', [2]);
  await until('/takes/organization', [2]);
  expect(counts()).toEqual([8, 8]);
  release();
  await eventually(() => expect(counts()).toEqual([9, 9]));
});

it('a webhook that has more events after two seconds waits for its next turn until all that are due had theirs', async ({
  cloud,
  receiver,
  webhooks: { put, eventOf, raise, until, untilIdle },
}) => {
  const held: (() => void)[] = [];
  receiver.answer = async (path) => {
    if (!path.startsWith('/holds')) return 200;
    const { promise, resolve } = Promise.withResolvers<void>();
    held.push(resolve);
    await promise;
    return 200;
  };
  const hostile = await cloud.make.users(8);
  await Promise.all(hostile.flatMap((userId) => Array.from({ length: 8 }, () => put({ userId }, '/holds'))));
  const other = await cloud.make.user();
  await put({ userId: other.id }, '/takes');
  const sites = await Promise.all(hostile.map((ownerId) => cloud.make.site({ ownerId })));
  const { id: otherSite } = await cloud.make.site({ ownerId: other.id });
  await untilIdle();
  await appendEvents(
    cloud.db,
    sites.flatMap(({ id }) => [1, 2, 3].map((n) => eventOf(n, id))),
  );
  await eventually(() => expect(held).toHaveLength(64));
  cloud.clock.advance(1);
  await raise(4, otherSite);
  await eventually(async () => {
    const waking = await cloud.db
      .selectFrom('webhooks')
      .select('next_at')
      .where('user_id', '=', other.id)
      .execute();
    expect(waking.map(({ next_at: at }) => at.getTime() <= cloud.clock.now())).toEqual([true]);
  });
  cloud.clock.advance(2_000);
  for (const answer of held) answer();
  await until('/takes', [4]);
  // Not after the second messages of all others.
  expect(receiver.received.findIndex(({ path }) => path === '/takes')).toBeLessThan(128);
  await cloud.db.deleteFrom('webhooks').execute();
  for (const answer of held) answer();
});
