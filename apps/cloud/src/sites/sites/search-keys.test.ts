import { readFile } from 'node:fs/promises';
import { SITE_SEARCH_KEYS } from '@heliograph/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { consoleCaller } from '../../access/caller.ts';
import { ProxyDirectory, type ProxyRecord } from '../../devices/proxies/directory.ts';
import { pageOf } from './page.ts';
import { parseSiteQuery } from './query.ts';

const SITES = 8_000;
/** The oldest sites, which are what the searches look for: a scan from the newest would pass all others first. */
const RARE = 25;
/** The oldest sites with a family that many have. */
const COMMON = SITES / 5;
/** In percent: tables with as many pages as those of five times the sites, which take five times as long to make. */
const FILL_FACTOR = 20;
/** Sites of a page: as small a part of the list as 20 of 40,000. */
const PAGE = 4;
/** Pages of 8 KiB that PostgreSQL may read for a page of the list, far fewer than the devices' table has. */
const MAX_BLOCKS = 300;

const GUIDE = Object.values(SITE_SEARCH_KEYS);

let cloud: TestCloud;
/** An account that is no owner of the others' sites. */
let memberId: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  const [owner, member] = [await cloud.make.user(), await cloud.make.user()];
  memberId = member.id;
  // Triggers and indexes, kept up row by row, would take most of the time.
  const { rows: indexes } = await sql<{
    indexname: string;
    indexdef: string;
  }>`select indexname, indexdef from pg_indexes
    where tablename in ('sites', 'devices') and indexname not in (select conname from pg_constraint)`.execute(
    cloud.db,
  );
  for (const { indexname } of indexes) await sql`drop index ${sql.ref(indexname)}`.execute(cloud.db);
  for (const table of ['sites', 'devices'])
    await sql`alter table ${sql.ref(table)} disable trigger user`.execute(cloud.db);
  for (const table of ['sites', 'devices', 'site_models', 'alerts'])
    await sql`alter table ${sql.ref(table)} set (fillfactor = ${sql.lit(FILL_FACTOR)})`.execute(cloud.db);
  await sql`insert into sites (id, name, region, owner_id, tags, device_words) overriding system value
    select nth, 'site-' || nth, case when nth <= ${RARE} then 'eu' else 'us' end,
      case when nth <= ${RARE} then ${member.id}::int else ${owner.id} end,
      case when nth <= ${RARE} then '{South,Service contract}' else '{}' end::text[],
      case when nth <= 5 then '' else 'arm64' end::tsvector
    from generate_series(1, ${SITES}::int) as nth`.execute(cloud.db);
  await sql`insert into devices (uid, site_id, inverter, battery, inverter_params, battery_params, beta, version, build_date,
      last_seen_at, online, proxy_name, hardware_silent_since)
    select 'device' || nth, nth,
      case when rare then 'Simulated Hybrid 6k, SunSpec' when nth <= ${COMMON} then 'Hybrid, Deye' else 'Other' end,
      case when rare then 'LFP 5 kWh' else 'Other' end,
      case when rare then '{"phases": 3}' else '{"phases": 1}' end::jsonb,
      case when rare then '{"cells": 16, "family": "pylontech"}' else '{"cells": 15}' end::jsonb,
      rare, case when rare then '0.1.0' else '0.0.9' end,
      case when rare then '2026-11-10' else '2026-01-01' end::date,
      case when nth <= 10 then null when rare then '2026-11-10' else '2026-01-01' end::timestamptz,
      rare and nth > 10, case when rare then 'eu-1' end, case when nth between 11 and 20 then '2026-11-10' end::timestamptz
    from (select nth, nth <= ${RARE} as rare from generate_series(1, ${SITES}::int) as nth) as site`.execute(
    cloud.db,
  );
  await sql`insert into site_models (site_id, part, model)
    select site_id, 'inverter', model from devices, reported_models(inverter) as model
    union all select site_id, 'battery', model from devices, reported_models(battery) as model
    union all select site_id, 'battery', model from devices, reported_models(battery_params ->> 'family') as model`.execute(
    cloud.db,
  );
  // Sites without a device, which were never seen either.
  await sql`delete from devices where site_id <= 5`.execute(cloud.db);
  await sql`insert into alerts (site_id, rule, kind, severity, unit, since, raised_at, last_at, cleared_at, times, text)
    select nth, 'battery_low', 'below', case when nth <= ${RARE} then 1 + nth % 3 else 3 end, '%', now(), now(), now(),
      case when nth > ${RARE} then now() end, 1, '' from generate_series(1, ${SITES}::int) as nth`.execute(
    cloud.db,
  );
  // No search here reads the index of words.
  for (const { indexname, indexdef } of indexes)
    if (indexname !== 'sites_search') await sql.raw(indexdef).execute(cloud.db);
  await sql`vacuum analyze`.execute(cloud.db);
}, 300_000);
afterAll(() => cloud?.[Symbol.asyncDispose]());

function liveProxy(name: string, nowMs: number): ProxyRecord {
  const host = `${name}.example.org`;
  return {
    name,
    region: 'eu',
    regionDomain: null,
    host,
    url: `https://${host}`,
    capacity: 1_000,
    draining: false,
    drainWanted: false,
    sessionCount: RARE,
    announcedAt: new Date(nowMs),
    isTrusted: true,
  };
}

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/** The first page of a list of all sites, as PostgreSQL finds it. */
async function planOf(q: string): Promise<Plan> {
  const nowMs = Date.parse('2026-11-11');
  const proxies = new ProxyDirectory([liveProxy('eu-1', nowMs)], nowMs, () => 0);
  const page = pageOf(
    consoleCaller(),
    [],
    { ...parseSiteQuery(q), searchTerms: [], proxies },
    { order: 'newest', offset: 0, limit: PAGE },
  );
  const { rows } = await sql<{
    'QUERY PLAN': readonly [{ readonly Plan: Plan }];
  }>`explain (analyze, buffers, format json) ${page}`.execute(cloud.db);
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL explained nothing');
  return row['QUERY PLAN'][0].Plan;
}

/** A search for the oldest sites: the examples of the guide, with names and numbers that exist. */
const rareSearchOf = (example: string): string =>
  example
    .replace('name:demo', 'name:site-7')
    .replace(/^uid:.*/, 'uid:device7')
    .replace('region:us', 'region:eu')
    .replace('user_id:123', `user_id:${memberId}`);

it('a search that reads every device reads at least twice as many pages as one may', async () => {
  const { rows } = await sql<{
    relpages: number;
  }>`select relpages from pg_class where relname = 'devices'`.execute(cloud.db);
  expect(rows[0]?.relpages).toBeGreaterThan(2 * MAX_BLOCKS);
});

it.each([
  ...GUIDE.flatMap(({ examples }) => examples),
  'inverter:sunspec',
  'inverter:nothing',
  'inverter:sunspec battery:none',
])('a page of %s among 8,000 sites reads few rows', async (example) => {
  const plan = await planOf(rareSearchOf(example));
  expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(MAX_BLOCKS);
  expect(plan['Actual Rows'] === 0).toBe(/:nothing|battery:none/.test(example));
});

it('the guide to the search in the documentation has a row for every key', async () => {
  const page = await readFile(new URL('../../../../../docs/api.md', import.meta.url), 'utf8');
  const rows = GUIDE.map(
    ({ examples, finds }) => `| ${examples.map((example) => `\`${example}\``).join(' ')} | ${finds} |`,
  );
  for (const row of rows) expect(page).toContain(row);
});
