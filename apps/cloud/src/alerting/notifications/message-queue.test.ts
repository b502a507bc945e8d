import type { TestDatabase } from '@heliograph/dev/testing';
import { ManualClock } from '@heliograph/kit';
import { type Insertable, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Factory } from '../../../test/factory.ts';
import { cloudDatabase, NOW } from '../../../test/test-cloud.ts';
import { addDelegation } from '../../db/delegations.ts';
import { type Database, openDatabase } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import { type ClaimOptions, MessageQueue, type Result, type Turn, type Underway } from './message-queue.ts';

const LIMIT = 4;
const LEASE_MS = 60_000;
const HOUR_MS = 60 * 60_000;

type Channel = Turn['channel'];

let database: TestDatabase;
let db: Database;
let close: () => Promise<void>;
let clock: ManualClock;
let make: Factory;
beforeAll(async () => {
  database = await cloudDatabase();
  ({ db, close } = openDatabase(database.url, () => undefined));
  clock = new ManualClock(NOW);
  make = new Factory(db, clock);
});
afterAll(async () => {
  await close?.();
  await database?.drop();
});
beforeEach(async () => {
  await db.deleteFrom('notifications').execute();
  await db.deleteFrom('message_queues').execute();
});

const after = (ms: number): Date => new Date(clock.now() + ms);

/** Claims every turn, of channels that do not fail. */
const claim = (options: Partial<ClaimOptions> = {}, queue = new MessageQueue(db, clock)) =>
  queue.claim({
    ...{ isFailing: false, limit: 100, full: { accounts: [], tenants: [] }, admit: () => 'claim' },
    ...options,
  });

type Message = Partial<Omit<Insertable<Schema['notifications']>, 'due_at'>> & { readonly dueInMs?: number };

/** Stores messages of an account, by ntfy unless they name another channel. @returns their ids */
async function put(userId: number, messages: readonly Message[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { dueInMs = 0, ...message } of messages) {
    const row = {
      ...{ user_id: userId, channel: 'ntfy' as const, push_subscription_id: null, kind: 'test' as const },
      ...{ alert_id: null, outage_id: null, state: 'waiting' as const, sent_at: null, failure: null },
      ...{ due_at: after(dueInMs), created_at: after(0), ...message },
    };
    const { id } = await db.insertInto('notifications').values(row).returning('id').executeTakeFirstOrThrow();
    ids.push(id);
  }
  return ids;
}

const makeBrowser = (userId: number, n: number) =>
  db
    .insertInto('push_subscriptions')
    .values({
      ...{ user_id: userId, endpoint: `https://push.example.org/${userId}/${n}`, label: 'Firefox' },
      ...{ p256dh: Buffer.alloc(65), auth: Buffer.alloc(16), created_at: after(0) },
    })
    .returning('id')
    .executeTakeFirstOrThrow();

const queueOf = async (userId: number, channel: Channel = 'ntfy') =>
  db
    .selectFrom('message_queues')
    .select(['id', 'turn_at', 'failing'])
    .where('user_id', '=', userId)
    .where('channel', '=', channel)
    .orderBy('id')
    .executeTakeFirstOrThrow();

const makeTurns = (rows: readonly Partial<Insertable<Schema['message_queues']>>[]) =>
  db
    .insertInto('message_queues')
    .values(
      rows.map((row) => ({
        ...{ user_id: 0, channel: 'ntfy' as const, tenant: 1, turn_at: after(0), failing: false },
        ...row,
      })),
    )
    .execute();

it.each(['others', 'failing'] as const)(
  'accounts that have all their connections take no turns of the claim, of channels: %s',
  async (lane) => {
    const isFailing = lane === 'failing';
    const ids = await make.users(LIMIT + 1);
    await db
      .insertInto('message_queues')
      .values(
        ids.map((id) => ({
          ...{ user_id: id, channel: 'ntfy' as const, tenant: -id },
          ...{ turn_at: new Date(clock.now()), failing: isFailing },
        })),
      )
      .execute();
    // Accounts have their turns from the greatest id to the least.
    const [free = 0, ...full] = ids.toSorted((one, other) => one - other);
    const turns: Turn[] = [];
    await new MessageQueue(db, clock).claim({
      isFailing,
      limit: LIMIT,
      full: { accounts: full, tenants: [] },
      admit: (turn) => {
        turns.push(turn);
        return 'busy';
      },
    });
    expect(turns.map(({ userId }) => userId)).toEqual([free]);
  },
);

describe('the message of a turn', () => {
  it('the most urgent one that is due leaves, the earliest of these, unless another of its channel is under way', async () => {
    interface Row {
      readonly messages: readonly Message[];
      /** The one that is claimed, by its place in the list. */
      readonly claimed: number | null;
      readonly isDoubtful?: boolean;
      /** When the channel has its next turn. */
      readonly turnInMs: number | null;
    }
    const leased = { state: 'sending', dueInMs: 30_000 } as const;
    const waits = { urgency: 3 };
    const isClaimed = { claimed: 0, turnInMs: LEASE_MS };
    const ROWS: readonly Row[] = [
      { messages: [waits], ...isClaimed },
      { messages: [{ ...waits, dueInMs: -1 }], ...isClaimed },
      { messages: [{ ...waits, dueInMs: 1 }], claimed: null, turnInMs: 1 },
      { messages: [{ ...waits, state: 'sending' }], ...isClaimed, isDoubtful: true },
      { messages: [{ ...waits, doubtful: true }], ...isClaimed, isDoubtful: true },
      { messages: [leased], claimed: null, turnInMs: 30_000 },
      { messages: [leased, waits], claimed: null, turnInMs: 30_000 },
      { messages: [{ ...leased, channel: 'telegram' }, waits], claimed: 1, turnInMs: LEASE_MS },
      { messages: [{ ...leased, channel: 'mail' }, waits], claimed: 1, turnInMs: LEASE_MS },
      ...(['sent', 'failed', 'skipped'] as const).map((state) => ({
        ...{ messages: [{ ...waits, state }], claimed: null, turnInMs: null },
      })),
      {
        messages: [{ urgency: 1, dueInMs: -2 }, { urgency: 2, dueInMs: -1 }, waits],
        claimed: 2,
        turnInMs: LEASE_MS,
      },
      { messages: [{ urgency: 1, dueInMs: -2 }, { urgency: 2 }], claimed: 1, turnInMs: LEASE_MS },
      { messages: [{ ...waits, dueInMs: 1 }, { urgency: 1 }], claimed: 1, turnInMs: LEASE_MS },
      { messages: [waits, { ...waits, dueInMs: -1 }], claimed: 1, turnInMs: LEASE_MS },
      { messages: [{ ...waits, state: 'sent', dueInMs: -1 }, waits], claimed: 1, turnInMs: LEASE_MS },
      {
        messages: [
          { ...waits, dueInMs: 9 },
          { urgency: 2, dueInMs: 8 },
        ],
        claimed: null,
        turnInMs: 8,
      },
      {
        messages: [
          { ...waits, dueInMs: 8 },
          { urgency: 1, dueInMs: 9 },
        ],
        claimed: null,
        turnInMs: 8,
      },
      {
        messages: [
          { ...waits, dueInMs: 9 },
          { ...waits, dueInMs: 8 },
        ],
        claimed: null,
        turnInMs: 8,
      },
      {
        messages: [
          { ...waits, dueInMs: 9 },
          { ...waits, channel: 'telegram', dueInMs: 8 },
        ],
        claimed: null,
        turnInMs: 9,
      },
      {
        messages: [
          { ...waits, dueInMs: 9 },
          { ...waits, channel: 'mail', dueInMs: 8 },
        ],
        claimed: null,
        turnInMs: 9,
      },
      {
        messages: [
          { ...waits, dueInMs: 9 },
          { ...waits, state: 'failed', dueInMs: 8 },
        ],
        claimed: null,
        turnInMs: 9,
      },
    ];
    const userIds = await make.users(ROWS.length);
    const stored: string[][] = [];
    for (const [index, { messages }] of ROWS.entries()) stored.push(await put(userIds[index] ?? 0, messages));
    await db.deleteFrom('message_queues').execute();
    await makeTurns(userIds.map((user_id) => ({ user_id, tenant: -user_id })));
    const { messages: claimed, hasMore } = await claim();
    const found = [];
    for (const [index, { messages }] of ROWS.entries()) {
      const queue = await queueOf(userIds[index] ?? 0);
      const one = claimed.find(({ queueId }) => queueId === queue.id);
      found.push({
        messages,
        claimed: one === undefined ? null : (stored[index]?.indexOf(one.id) ?? null),
        isDoubtful: one?.doubtful ?? false,
        turnInMs: queue.turn_at && queue.turn_at.getTime() - clock.now(),
      });
    }
    expect(found).toEqual(ROWS.map((row) => ({ isDoubtful: false, ...row })));
    expect(hasMore).toBe(true);
    const states = await db
      .selectFrom('notifications')
      .select(['id', 'state', 'attempts', 'due_at'])
      .where('attempts', '>', 0)
      .execute();
    expect(states.map(({ id }) => id).toSorted()).toEqual(claimed.map(({ id }) => id).toSorted());
    const underway = { state: 'sending', attempts: 1, due_at: after(LEASE_MS) };
    for (const one of states) expect(one).toMatchObject(underway);
  });

  it('browsers of an account are channels of their own', async () => {
    const [userId = 0] = await make.users(1);
    const [first, second, third] = [
      await makeBrowser(userId, 1),
      await makeBrowser(userId, 2),
      await makeBrowser(userId, 3),
    ];
    const of = ({ id }: { readonly id: number }) => ({ channel: 'push' as const, push_subscription_id: id });
    const [, free, later, waiting] = await put(userId, [
      { ...of(first), state: 'sending', dueInMs: 30_000 },
      of(second),
      { ...of(third), dueInMs: 5 },
      of(first),
    ]);
    const { messages } = await claim();
    expect(messages.map(({ id }) => id)).toEqual([free]);
    clock.advance(30_000);
    expect((await claim()).messages.map(({ id }) => id).toSorted()).toEqual([later, waiting]);
  });

  it('one that another transaction has locked stays due, and the others leave', async () => {
    const [locked = 0, other = 0] = await make.users(2);
    const [lockedId = ''] = await put(locked, [{}]);
    const [otherId = ''] = await put(other, [{}]);
    await db.transaction().execute(async (tx) => {
      await tx.selectFrom('notifications').select('id').where('id', '=', lockedId).forUpdate().execute();
      const { messages, hasMore } = await claim();
      expect([messages.map(({ id }) => id), hasMore]).toEqual([[otherId], true]);
      expect((await queueOf(locked)).turn_at).toEqual(after(0));
      // Another look at it alone finds the same, so this process does not look again immediately.
      expect(await claim()).toEqual({ messages: [], hasMore: false });
    });
    expect((await claim()).messages.map(({ id }) => id)).toEqual([lockedId]);
  });

  it('the end of an attempt is stored unless another process claimed the message since, and of its channel alone', async () => {
    const [userId = 0, otherId = 0] = await make.users(2);
    const [id = ''] = await put(userId, [{}]);
    await put(otherId, [{}]);
    const one = (found: { readonly messages: readonly Underway[] }): Underway => {
      const message = found.messages.find((candidate) => candidate.id === id);
      if (message === undefined) throw new Error('The message was not claimed');
      return message;
    };
    const queue = new MessageQueue(db, clock);
    const result: Result = {
      ...{
        state: 'sent',
        dueAt: after(0),
        sentAt: after(0),
        failure: null,
        isDoubtful: false,
        isFailing: false,
      },
    };
    const rowOf = () =>
      db
        .selectFrom('notifications')
        .select(['state', 'doubtful', 'failure'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    const first = one(await claim());
    clock.advance(LEASE_MS);
    const second = one(await claim());
    expect([first.attempts, second.attempts, second.doubtful]).toEqual([1, 2, true]);
    await queue.finish(first, { ...result, isFailing: true });
    expect(await rowOf()).toEqual({ state: 'sending', doubtful: true, failure: null });
    expect([(await queueOf(userId)).failing, (await queueOf(otherId)).failing]).toEqual([true, false]);
    const failed = { state: 'waiting', failure: 'answered 503', dueAt: after(HOUR_MS) } as const;
    await queue.finish(second, { ...result, ...failed, isFailing: undefined });
    expect(await rowOf()).toEqual({ state: 'waiting', doubtful: true, failure: 'answered 503' });
    expect(await queueOf(userId)).toMatchObject({ failing: true, turn_at: after(0) });
    expect((await queueOf(otherId)).turn_at).toEqual(after(LEASE_MS));
    await claim({ isFailing: true });
    expect((await queueOf(userId)).turn_at).toEqual(after(HOUR_MS));
    clock.advance(HOUR_MS);
    const third = one(await claim({ isFailing: true }));
    await queue.finish(third, result);
    expect([(await rowOf()).state, (await queueOf(userId)).failing]).toEqual(['sent', false]);
  });
});

describe('the turns of tenants', () => {
  it.each([
    [true, -1],
    [true, 0],
    [false, 1],
    [false, null],
  ])('there is work: %s, with a turn in %s ms', async (isDue, inMs) => {
    const [user_id = 0] = await make.users(1);
    await makeTurns([{ user_id, turn_at: inMs === null ? null : after(inMs) }]);
    const { rows } = await sql`select ${new MessageQueue(db, clock).isDue(after(0))} as "isDue"`.execute(db);
    expect(rows).toEqual([{ isDue }]);
  });

  /** The turns that a claim would have. */
  const turnsOf = async (options: Partial<ClaimOptions> = {}, queue?: MessageQueue): Promise<Turn[]> => {
    const turns: Turn[] = [];
    const admit = (turn: Turn) => {
      turns.push(turn);
      return 'full' as const;
    };
    await claim({ ...options, admit }, queue);
    return turns;
  };
  const tenantsOf = async (options: Partial<ClaimOptions> = {}, queue?: MessageQueue) =>
    (await turnsOf(options, queue)).map(({ tenant }) => tenant).toSorted((one, other) => one - other);

  it('a channel has a turn when it is due, of its lane, and neither its tenant nor its account has all connections', async () => {
    const ROWS: readonly Partial<Insertable<Schema['message_queues']>>[] = [
      ...[{ turn_at: after(1) }, { turn_at: null }, { failing: true }, { tenant: 50 }],
      ...[{}, { turn_at: after(-1) }],
    ];
    const userIds = await make.users(ROWS.length);
    await makeTurns(ROWS.map((row, index) => ({ user_id: userIds[index] ?? 0, tenant: index + 1, ...row })));
    const full = { accounts: [], tenants: [50] };
    expect(await tenantsOf({ full })).toEqual([5, 6]);
    // Those that have no turn take the place of none that has.
    expect(await tenantsOf({ full, limit: 1 })).toEqual([5]);
    expect(await tenantsOf({ full, isFailing: true, limit: 1 })).toEqual([3]);
    expect(await tenantsOf({ full: { accounts: [userIds[4] ?? 0], tenants: [] } })).toEqual([6, 50]);
    const queue = new MessageQueue(db, clock);
    const next = (limit: number) => tenantsOf({ full, limit }, queue);
    expect([await next(2), await next(1), await next(1), await next(1)]).toEqual([[5, 6], [5], [6], [5]]);
    expect(await tenantsOf({ full, limit: 0 })).toEqual([]);
  });

  it('tenants have turns one after another, from the last one on, each with four of its channels at most', async () => {
    const userIds = await make.users(16);
    await makeTurns(
      userIds.map((user_id, index) => ({
        ...{ user_id, tenant: [-7, 2, 9][index % 3] ?? 0, turn_at: after(-(index % 5)) },
      })),
    );
    expect(await tenantsOf()).toEqual(
      [-7, 2, 9].flatMap((tenant) => Array.from({ length: 4 }, () => tenant)),
    );
    const queue = new MessageQueue(db, clock);
    const next = (limit: number) => tenantsOf({ limit }, queue);
    expect(await next(2)).toEqual([-7, 2]);
    // Each once, although they begin in the middle.
    expect(await next(99)).toHaveLength(12);
    expect(await next(2)).toEqual([-7, 9]);
    expect(await next(2)).toEqual([2, 9]);
    expect(await next(1)).toEqual([-7]);
    // The second ones only after the first of each.
    expect(await next(5)).toEqual([-7, 2, 2, 9, 9]);
    await db.deleteFrom('message_queues').where('tenant', '<>', 2).execute();
    for (let times = 1; times <= 2; times++) expect(await next(9)).toEqual([2, 2, 2, 2]);
  });

  it('channels without a turn take none of the four of their tenant', async () => {
    const userIds = await make.users(9);
    const [free = 0, ...others] = userIds;
    await makeTurns([
      { user_id: free },
      ...others.map((user_id, index) => ({ user_id, turn_at: after(-1), failing: index < 4 })),
    ]);
    const full = { accounts: others.slice(4), tenants: [] };
    expect((await turnsOf({ full })).map(({ userId }) => userId)).toEqual([free]);
  });

  it('the channels of a tenant that waited longest have their turn, and those that another process has locked have none', async () => {
    const userIds = await make.users(6);
    await makeTurns(
      userIds.map((user_id, index) => ({ user_id, turn_at: after(-([1, 6, 2, 5, 3, 4][index] ?? 0)) })),
    );
    const usersOf = async (limit: number) =>
      (await turnsOf({ limit }))
        .map(({ userId }) => userIds.indexOf(userId))
        .toSorted((one, other) => one - other);
    expect(await usersOf(2)).toEqual([1, 3]);
    expect(await usersOf(9)).toEqual([1, 3, 4, 5]);
    await db.transaction().execute(async (tx) => {
      await tx
        .selectFrom('message_queues')
        .select('id')
        .where('user_id', '=', userIds[1] ?? 0)
        .forUpdate()
        .execute();
      expect(await usersOf(2)).toEqual([3]);
    });
  });

  it('a turn that is busy comes again two to four seconds later, and one whose tenant is full stays due', async () => {
    const [busy = 0, full = 0] = await make.users(2);
    for (const id of [busy, full]) await put(id, [{}]);
    const admit = ({ userId }: Turn) => (userId === busy ? 'busy' : 'full');
    expect(await claim({ admit })).toEqual({ messages: [], hasMore: true });
    const [busyTurn, fullTurn] = [(await queueOf(busy)).turn_at, (await queueOf(full)).turn_at];
    const busyMs = (busyTurn?.getTime() ?? 0) - clock.now();
    expect(busyMs).toBeGreaterThanOrEqual(2_000);
    expect(busyMs).toBeLessThanOrEqual(4_000);
    expect(fullTurn).toEqual(after(0));
    const waiting = await db.selectFrom('notifications').select(['state', 'attempts']).execute();
    expect(waiting).toEqual([0, 0].map((attempts) => ({ state: 'waiting', attempts })));
  });

  it('a turn has the addresses of its account, without those that are suspended or gone', async () => {
    const ids = await make.users(4);
    const [own = 0, other = 0, ntfySuspended = 0, telegramSuspended = 0] = ids;
    const sealed = (userId: number, kind: string) => Buffer.from(`${kind} of ${userId}`);
    for (const user_id of ids)
      await db
        .insertInto('notification_settings')
        .values({
          ...{ user_id, severity: 3, team_severity: null, team_tags: [], escalation_minutes: null },
          ...{ outages: true, mail: true, digest: 'at_once', quiet_from: null, quiet_until: null },
          ...{
            time_zone: 'UTC',
            sealed_ntfy: sealed(user_id, 'ntfy'),
            sealed_telegram: sealed(user_id, 'telegram'),
          },
        })
        .execute();
    const [browser, suspended, moved] = [
      await makeBrowser(own, 1),
      await makeBrowser(own, 2),
      await makeBrowser(other, 3),
    ];
    const at = after(0);
    const author = { userId: own, tokenId: null };
    const suspend = async (
      made: Parameters<typeof addDelegation>[2],
      isSuspended: boolean,
    ): Promise<void> => {
      await addDelegation(db, author, made, at);
      if (!isSuspended) return;
      await db
        .updateTable('delegations')
        .set({ suspended_at: at, suspended_for: 'account' })
        .where(
          'id',
          '=',
          db.selectFrom('delegations').select((eb) => eb.fn.max('id').as('id')),
        )
        .execute();
    };
    for (const kind of ['ntfy', 'telegram'] as const) {
      await suspend({ kind, userId: own }, false);
      await suspend({ kind, userId: ntfySuspended }, kind === 'ntfy');
      await suspend({ kind, userId: telegramSuspended }, kind === 'telegram');
    }
    await suspend({ kind: 'push', pushSubscriptionId: browser.id, userId: own }, false);
    await suspend({ kind: 'push', pushSubscriptionId: suspended.id, userId: own }, true);
    await makeTurns([
      ...ids.map((user_id) => ({ user_id, tenant: -user_id })),
      ...[browser, suspended, moved].map(({ id }) => ({
        ...{ user_id: own, tenant: -own, channel: 'push' as const, push_subscription_id: id },
      })),
    ]);
    const turns = await turnsOf();
    const textOf = (address: Buffer | null) => address?.toString() ?? null;
    const found = turns
      .filter(({ channel }) => channel === 'ntfy')
      .map(({ userId, sealedNtfy, sealedTelegram }) => [userId, textOf(sealedNtfy), textOf(sealedTelegram)])
      .toSorted(([one], [another]) => Number(one) - Number(another));
    expect(found).toEqual([
      [own, `ntfy of ${own}`, `telegram of ${own}`],
      [other, `ntfy of ${other}`, `telegram of ${other}`],
      [ntfySuspended, null, `telegram of ${ntfySuspended}`],
      [telegramSuspended, `ntfy of ${telegramSuspended}`, null],
    ]);
    const browsers = turns
      .filter(({ channel }) => channel === 'push')
      .map(({ subscriptionId }) => subscriptionId);
    expect(browsers.toSorted()).toEqual([browser.id, null, null].toSorted());
  });
});
