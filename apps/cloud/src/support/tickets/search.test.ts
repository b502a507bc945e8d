import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { type Caller, consoleCaller } from '../../access/caller.ts';
import { isVisibleTo, scopesOf } from './policy.ts';
import { searchTickets } from './search.ts';

const TICKETS = 5_000;
/** The tickets that changed first: a scan from the last changed would pass all others first. */
const RARE = 100;
/** In percent: a table with as many pages as one of 25,000 rows, which takes five times as long to make. */
const FILL_FACTOR = 20;
/** Pages of 8 KiB that PostgreSQL may read for a page of the list; the table has more than 750. */
const MAX_BLOCKS = 600;

const ALL = { offset: 0, limit: 200 };

let cloud: TestCloud;
let handlerId: number;
let requester: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  handlerId = await cloud.make.organization();
  requester = await cloud.make.user({ firstName: 'Zephyrine' });
  const { rows: others } = await sql<{ id: number }>`insert into users (email, first_name)
    select 'requester-' || nth || '@example.org', 'Ada' from generate_series(1, 1000) as nth returning id`.execute(
    cloud.db,
  );
  // Kept up row by row, these would take most of the time.
  await sql`alter table tickets disable trigger user`.execute(cloud.db);
  await sql`alter table tickets set (fillfactor = ${sql.lit(FILL_FACTOR)})`.execute(cloud.db);
  const { rows: indexes } = await sql<{ indexname: string; indexdef: string }>`
    select indexname, indexdef from pg_indexes
    where tablename = 'tickets' and indexname not in (select conname from pg_constraint)`.execute(cloud.db);
  for (const { indexname } of indexes) await sql`drop index ${sql.ref(indexname)}`.execute(cloud.db);
  await sql`insert into tickets (id, subject, state, priority, category, source, requester_id, organization_id, last_side,
      waiting_since, message_count, created_at, updated_at, last_message_at, resolved_at, closed_at, topic_words)
    overriding system value
    select nth, case when rare then 'Battery is cold' else 'No sun' end, case when rare then 'open' else 'closed' end,
      'normal', 'other', 'portal', case when rare then ${requester.id}::int else (${others.map((each) => each.id)}::int[])[1 + nth % 1000] end,
      case when nth % 50 = 0 then ${handlerId}::int end, 'customer', case when rare then at end, 1, at, at, at,
      case when not rare then at end, case when not rare then at end,
      search_words(case when rare then 'Zephyrine' else 'Ada' end)
    from (select nth, nth <= ${RARE} as rare, '2026-01-01'::timestamptz + nth * interval '1 minute' as at
      from generate_series(1, ${TICKETS}::int) as nth) as numbers`.execute(cloud.db);
  await sql`select setval(pg_get_serial_sequence('tickets', 'id'), ${TICKETS})`.execute(cloud.db);
  for (const { indexdef } of indexes) await sql.raw(indexdef).execute(cloud.db);
  await sql`alter table tickets enable trigger user`.execute(cloud.db);
  await sql`vacuum analyze tickets`.execute(cloud.db);
}, 300_000);
afterAll(() => cloud?.[Symbol.asyncDispose]());

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/** A page of the list, as PostgreSQL finds it. */
async function planOf(caller: Caller, employerIds: readonly number[], q: string): Promise<Plan> {
  const scopes = scopesOf(caller, 'any', employerIds);
  const ids = searchTickets(scopes, { q }, caller.userId, { offset: 0, limit: 20 });
  const { rows } = await sql<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>`
    explain (analyze, buffers, format json) select * from tickets where id in ${ids}`.execute(cloud.db);
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL explained nothing');
  return row['QUERY PLAN'][0].Plan;
}

const expectFewBlocks = (plan: Plan) =>
  expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(MAX_BLOCKS);

describe('a page among 5,000 tickets', () => {
  it.each([
    ['', 20],
    ['sun', 20],
    ['battery', 20],
    ['zephyrine cold', 20],
    ['nobody', 0],
    ['state:open', 20],
    ['state:open ada', 0],
    ['awaiting:support state:open', 20],
  ])('an operator who searches for "%s" reads few rows', async (q, count) => {
    const plan = await planOf(consoleCaller(), [], q);
    expect(plan['Actual Rows']).toBe(count);
    expectFewBlocks(plan);
  });

  it('an operator who searches for an email address reads few rows', async () => {
    const plan = await planOf(consoleCaller(), [], `email:${requester.email}`);
    expect(plan['Actual Rows']).toBe(20);
    expectFewBlocks(plan);
  });

  it.each([
    ['', 20],
    ['sun', 20],
    ['battery', 2],
    ['nobody', 0],
  ])('an employee who searches for "%s" reads few rows, however many others handle', async (q, count) => {
    const plan = await planOf({ ...consoleCaller(-1), staff: false }, [handlerId], q);
    expect(plan['Actual Rows']).toBe(count);
    expectFewBlocks(plan);
  });
});

describe('the tickets that are listed for an account', () => {
  it.each<[string, (employee: number) => Partial<Caller>]>([
    ['a requester', () => ({ userId: requester.id })],
    ['a requester with a token of the handler', () => ({ userId: requester.id, organizationId: handlerId })],
    ['an operator', () => ({ userId: -1, staff: true })],
    ['an operator with a token of the handler', () => ({ staff: true, organizationId: handlerId })],
    ['an employee', (userId) => ({ userId })],
    ['an employee with a token of the handler', (userId) => ({ userId, organizationId: handlerId })],
    ['a stranger', () => ({ userId: -1 })],
  ])('%s finds all tickets that exist for the account, each once', async (_who, make) => {
    const { id: employee } = await cloud.make.employee(handlerId, 'member');
    await cloud.make.ticket(employee, { organizationId: handlerId });
    await cloud.make.ticket(employee);
    const caller = { ...consoleCaller(), staff: false, ...make(employee) };
    const employers = caller.userId === employee ? [handlerId] : [];
    const listed = searchTickets(scopesOf(caller, 'any', employers), { q: undefined }, caller.userId, ALL);
    const ids = await sql<{ id: number }>`select id from ${listed} as listed`.execute(cloud.db);
    const visible = await sql<{ id: number }>`select id from tickets where ${isVisibleTo(caller, 'any')}
      order by updated_at desc, id desc limit ${ALL.limit}`.execute(cloud.db);
    expect(ids.rows).toEqual(visible.rows);
  });
});

describe('the words of a ticket', () => {
  it('a ticket is found by the names that its requester and its site have now', async () => {
    const person = await cloud.make.user({ firstName: 'Former' });
    const site = await cloud.make.site({ ownerId: person.id, name: 'old-roof' });
    const id = await cloud.make.ticket(person.id, { siteId: site.id });
    const operator = { ...consoleCaller(), userId: -1 };
    const find = async (q: string) => {
      const listed = searchTickets(scopesOf(operator, 'any', []), { q }, -1, ALL);
      const { rows } = await sql<{ id: number }>`select id from ${listed} as listed`.execute(cloud.db);
      return rows.map((row) => row.id);
    };
    expect(await find('former old-roof')).toEqual([id]);
    await cloud.db.updateTable('users').set({ first_name: 'Later' }).where('id', '=', person.id).execute();
    await cloud.db.updateTable('sites').set({ name: 'new-roof' }).where('id', '=', site.id).execute();
    expect(await find('former')).toEqual([]);
    expect(await find('later new-roof')).toEqual([id]);
    await cloud.db.deleteFrom('sites').where('id', '=', site.id).execute();
    expect(await find('later new-roof')).toEqual([]);
    expect(await find('later')).toEqual([id]);
  });
});
