import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { consoleCaller } from '../../access/caller.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';
import { ProxyDirectory } from '../proxies/directory.ts';
import { pageOf } from './page.ts';
import { parseSiteQuery } from './query.ts';

const SITES = 100_000;
/** Rows a statement, each of which has a limit of time. */
const BATCH = 5_000;

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
  const owner = await cloud.make.user();
  // Words, which this test does not search, would take most of the time.
  await sql`alter table devices disable trigger devices_words_of_new`.execute(cloud.db);
  for (let first = 1; first <= SITES; first += BATCH) {
    await sql`insert into sites (name, region, owner_id) select 'site-' || i, 'us', ${owner.id}
      from generate_series(${first}::int, ${first + BATCH - 1}::int) as i`.execute(cloud.db);
  }
  // The oldest fifth has the family: a scan of the newest devices would pass all others first.
  const { rows } = await sql<{ id: number }>`select min(id) as id from sites`.execute(cloud.db);
  const oldest = rows[0]?.id ?? 0;
  for (let from = oldest; from < oldest + SITES; from += BATCH) {
    const inverter = from < oldest + SITES / 5 ? 'Hybrid 6k, Deye' : 'Other, SunSpec';
    await sql`insert into devices (uid, site_id, inverter) select 'device' || id, id, ${inverter} from sites
      where id between ${from} and ${from + BATCH - 1}`.execute(cloud.db);
  }
  await sql`analyze`.execute(cloud.db);
}, 300_000);
afterAll(() => cloud?.[Symbol.asyncDispose]());

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Index Name'?: string;
  readonly 'Node Type': string;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

const EXAMPLES = [
  'inverter:deye',
  'inverter:"hybrid 6k, deye"',
  'inverter:nothing',
  'inverter:sunspec battery:none',
];

it.each(EXAMPLES)('a page of %s among 100,000 sites reads the index of models and few rows', async (q) => {
  const sites = {
    ...parseSiteQuery(q),
    searchTerms: [],
    proxies: new ProxyDirectory([], Date.now(), () => 0),
  };
  const page = pageOf(consoleCaller(), sites, { order: 'newest', offset: 0, limit: 20 });
  const { rows } = await sql<{
    'QUERY PLAN': readonly { Plan: Plan }[];
  }>`explain (analyze, format json) ${page}`.execute(cloud.db);
  const nodes = rows.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan }) => nodesOf(Plan));
  expect(nodes.map((node) => node['Index Name'])).toContain('site_models_pkey');
  expect(Math.max(...nodes.map((node) => node['Actual Rows'] * node['Actual Loops']))).toBeLessThanOrEqual(
    20,
  );
});
