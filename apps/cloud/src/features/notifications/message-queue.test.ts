import type { TestDatabase } from '@heliograph/dev-env/testing';
import { ManualClock } from '@heliograph/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../db/open.ts';
import { Factory } from '../../testing/factory.ts';
import { cloudDatabase, NOW } from '../../testing/test-cloud.ts';
import { MessageQueue, type Turn } from './message-queue.ts';

const LIMIT = 4;

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
