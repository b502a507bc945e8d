import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

/** More rows than a search scans, also within the organization, before it uses the index. */
const SITES = 2_600;
const isOfOrganization = (i: number) => i % 3 === 0;

/** The sites that have each word: common and rare words, at either end of the list. */
const HAS_WORD: Readonly<Record<string, (i: number) => boolean>> = {
  garage: (i) => i % 3 < 2,
  garden: (i) => i % 7 === 0,
  windmill: (i) => i % 50 === 0,
  oldest: (i) => i < 20,
  newest: (i) => i > SITES - 20,
  needle: (i) => i === 3,
  nowhere: () => false,
};
const inverterOf = (i: number) => (i % 5 === 0 ? 'Deye' : 'SunSpec');

const described = Array.from({ length: SITES }, (_, i) => {
  const searchTerms = Object.keys(HAS_WORD).filter((word) => HAS_WORD[word]?.(i));
  return {
    i,
    name: `s${String(i * 7919 + 10_000).padStart(9, '0')}`,
    searchTerms: [...searchTerms, `unit${i}`],
  };
});

let cloud: TestCloud;
let tokens: { all: string; organization: string };
beforeAll(async () => {
  cloud = await startTestCloud();
  const owner = await cloud.make.user();
  const employee = await cloud.make.user();
  const organizationId = await cloud.make.organization(employee.id);
  const rows = described.map(({ i, name, searchTerms }) => ({
    name,
    description: searchTerms.join(', '),
    organization_id: isOfOrganization(i) ? organizationId : null,
  }));
  await sql`insert into sites (name, description, region, owner_id, organization_id)
    select name, description, 'us', ${owner.id}, organization_id
    from jsonb_to_recordset(${JSON.stringify(rows)}) as given(name text, description text, organization_id int)
    order by name::text`.execute(cloud.db);
  await sql`insert into devices (uid, site_id, inverter)
    select name, id, case when (substr(name, 2)::int - 10000) / 7919 % 5 = 0 then 'Deye' else 'SunSpec' end
    from sites`.execute(cloud.db);
  // Without statistics no word counts as common, and every search has the same plan.
  await sql`analyze`.execute(cloud.db);
  tokens = { all: (await cloud.make.user({ staff: true })).token, organization: employee.token };
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

type Search = {
  who: 'all' | 'organization';
  searchTerms: string[];
  deye: boolean;
  offset: number;
  limit: number;
};

function expected({ who, searchTerms, deye, offset, limit }: Search): string[] {
  const found = described.filter(
    (site) =>
      (who === 'all' || isOfOrganization(site.i)) &&
      (!deye || inverterOf(site.i) === 'Deye') &&
      searchTerms.every((word) =>
        [site.name, ...site.searchTerms, inverterOf(site.i).toLowerCase()].some((own) =>
          own.startsWith(word),
        ),
      ),
  );
  const ordered = who === 'all' ? found.toReversed() : found;
  return ordered.slice(offset, offset + limit).map(({ name }) => name);
}

const search: fc.Arbitrary<Search> = fc.record({
  who: fc.constantFrom('all' as const, 'organization' as const),
  searchTerms: fc.array(
    fc.oneof(
      fc.constantFrom(...Object.keys(HAS_WORD)),
      fc.constantFrom('ga', 'unit', 'unit25', 'deye', 's0'),
    ),
    { maxLength: 3 },
  ),
  deye: fc.boolean(),
  offset: fc.constantFrom(0, 1, 20, 500),
  limit: fc.constantFrom(1, 20, 200),
});

it('a search finds the sites with every word in list order, for common and rare words', async () => {
  await fc.assert(
    fc.asyncProperty(search, async (search) => {
      const q = [...search.searchTerms, ...(search.deye ? ['inverter:deye'] : [])].join(' ');
      const { body } = await cloud.call<{ name: string }[]>(
        `GET /api/v1/sites?q=${encodeURIComponent(q)}&offset=${search.offset}&limit=${search.limit}`,
        { token: tokens[search.who] },
      );
      expect(body.map(({ name }) => name)).toEqual(expected(search));
    }),
    { numRuns: 120 },
  );
});
