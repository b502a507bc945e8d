import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { type Caller, consoleCaller } from '../../access/caller.ts';
import { isVisibleTo, scopesOf } from './records.ts';
import { searchOrders } from './search.ts';

const ORDERS = 5_000;
/** The oldest orders: a scan from the newest would pass all others first. */
const RARE = 100;
/** In percent: a table with as many pages as one of 25,000 rows, which takes five times as long to make. */
const FILL_FACTOR = 20;
/** Pages of 8 KiB that PostgreSQL may read for a page of the list; the table has more than 1,250. */
const MAX_BLOCKS = 600;

const ALL = { offset: 0, limit: 200 };

let cloud: TestCloud;
let sellerId: number;
let buyerId: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  [sellerId, buyerId] = [await cloud.make.organization(), (await cloud.make.user()).id];
  const others = (await cloud.make.user()).id;
  // Kept up row by row, these would take most of the time.
  for (const name of ['orders', 'order_items'])
    await sql`alter table ${sql.ref(name)} disable trigger user`.execute(cloud.db);
  await sql`alter table orders set (fillfactor = ${sql.lit(FILL_FACTOR)})`.execute(cloud.db);
  const { rows: indexes } = await sql<{ indexname: string; indexdef: string }>`
    select indexname, indexdef from pg_indexes
    where tablename = 'orders' and indexname not in (select conname from pg_constraint)`.execute(cloud.db);
  for (const { indexname } of indexes) await sql`drop index ${sql.ref(indexname)}`.execute(cloud.db);
  await sql`insert into orders (id, organization_id, number, user_id, email, first_name, last_name, state, payment_state,
      currency, subtotal, shipping, tax, total, prices_include_tax, tax_lines, created_at, updated_at, part_words)
    overriding system value
    select nth, case when nth % 50 = 0 then ${sellerId}::int end, (1000 + nth)::text,
      case when rare then ${buyerId}::int else ${others} end,
      'buyer-' || nth || case nth when 9 then '@bücher.example' else '@example.org' end,
      case when rare then 'Zephyrine' else 'Ada' end, 'Lovelace', case when rare then 'cancelled' else 'completed' end,
      case when rare then 'refunded' else 'paid' end, 'EUR', 100, 0, 0, 100, true, '[]',
      '2026-01-01'::timestamptz + nth * interval '1 minute', '2026-01-01'::timestamptz + nth * interval '1 minute',
      search_words(case when rare then 'rs485_cable Cable BANK-' || nth else 'licence_year Licence' end)
    from (select nth, nth <= ${RARE} as rare from generate_series(1, ${ORDERS}::int) as nth) as numbers`.execute(
    cloud.db,
  );
  for (const { indexdef } of indexes) await sql.raw(indexdef).execute(cloud.db);
  for (const name of ['orders', 'order_items'])
    await sql`alter table ${sql.ref(name)} enable trigger user`.execute(cloud.db);
  await sql`select setval(pg_get_serial_sequence('orders', 'id'), ${ORDERS})`.execute(cloud.db);
  await sql`vacuum analyze orders`.execute(cloud.db);
}, 300_000);
afterAll(() => cloud?.[Symbol.asyncDispose]());

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/** A page of the list, as PostgreSQL finds it. */
async function planOf(caller: Caller, sellerIds: readonly number[], q: string): Promise<Plan> {
  const ids = searchOrders(scopesOf(caller, sellerIds), q, undefined, { offset: 0, limit: 20 });
  const { rows } = await sql<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>`
    explain (analyze, buffers, format json) select * from orders where id in ${ids}`.execute(cloud.db);
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL explained nothing');
  return row['QUERY PLAN'][0].Plan;
}

const expectFewBlocks = (plan: Plan) =>
  expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(MAX_BLOCKS);

describe('a page among 5,000 orders', () => {
  it.each([
    ['', 20],
    ['ada', 20],
    ['zephyrine', 20],
    ['zeph love', 20],
    ['cable', 20],
    ['bank-7 zephyrine', 11],
    ['nobody', 0],
    ['number:1007', 1],
    ['email:BUYER-7@example.org', 1],
    ['email:Buyer-9@BÜCHER.example', 1],
    ['email:buyer-9@xn--bcher-kva.example', 1],
    ['state:cancelled', 20],
    ['payment_state:refunded', 20],
    ['sku:rs485_cable', 0],
    ['state:cancelled ada', 0],
  ])('an operator who searches for "%s" reads few rows', async (q, count) => {
    const plan = await planOf(consoleCaller(), [], q);
    expect(plan['Actual Rows']).toBe(count);
    expectFewBlocks(plan);
  });

  it.each([
    ['', 20],
    ['ada', 20],
    ['zephyrine', 2],
    ['nobody', 0],
  ])('a seller who searches for "%s" reads few rows, however many others sell', async (q, count) => {
    const seller = { ...consoleCaller(-1), staff: false };
    const plan = await planOf(seller, [sellerId], q);
    expect(plan['Actual Rows']).toBe(count);
    expectFewBlocks(plan);
  });
});

describe('the orders that are listed for an account', () => {
  it.each<[string, (made: { readonly id: number; readonly other: number }) => Partial<Caller>]>([
    ['a buyer', ({ id }) => ({ userId: id })],
    ['a buyer with a token of the seller', ({ id }) => ({ userId: id, organizationId: sellerId })],
    ['an operator', () => ({ userId: -1, staff: true })],
    ['an operator with a token of the seller', () => ({ staff: true, organizationId: sellerId })],
    ['an admin of a seller', ({ other }) => ({ userId: other })],
    ['an admin with a token of the seller', ({ other }) => ({ userId: other, organizationId: sellerId })],
    ['a stranger', () => ({ userId: -1 })],
  ])('%s finds all orders that exist for the account, each once', async (_who, make) => {
    const boss = await cloud.make.employee(sellerId, 'admin');
    await cloud.make.order(sellerId, boss.id);
    await cloud.make.order(null, boss.id);
    const caller = { ...consoleCaller(), staff: false, ...make({ id: buyerId, other: boss.id }) };
    const sellers = caller.userId === boss.id ? [sellerId] : [];
    const listed = searchOrders(scopesOf(caller, sellers), undefined, undefined, ALL);
    const ids = await sql<{ id: number }>`select id from ${listed} as listed`.execute(cloud.db);
    const visible = await sql<{ id: number }>`select id from orders where ${isVisibleTo(caller)}
      order by id desc limit ${ALL.limit}`.execute(cloud.db);
    expect(ids.rows).toEqual(visible.rows);
  });
});
