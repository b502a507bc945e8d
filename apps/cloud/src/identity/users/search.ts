import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';
import { asStored } from '../../db/search.ts';
import type { Directory } from './policy.ts';

/** Newest accounts from which the frequency of search terms is estimated. */
const SAMPLE = 1_000;

/**
 * Most accounts that are scanned, the newest first, before the index is used. Accounts of an organization lie scattered
 * over the table, each on a page of its own.
 */
const MAX_WALK = { everyone: 50_000, organizations: 5_000 };

/** Entries of the index that cost as much as reading one account. */
const ENTRIES_PER_ACCOUNT = 40;

/** Longer queries are cut to this many terms, so that their cost has a bound. */
const MAX_TERMS = 16;

/** The separators of the index: see `search_words` in the migrations. */
const SEPARATORS = /[^0-9A-Za-z\u0080-\u{10ffff}]+/u;

type Ids = RawBuilder<{ id: number }>;

/**
 * The distinct terms of the query `q`; undefined when nothing can match, because a part of it has neither letters nor
 * digits.
 */
export function searchTermsOf(q = ''): readonly string[] | undefined {
  const parts = q.split(/\s+/).filter((part) => part !== '');
  const terms = parts.map((part) =>
    asStored(part)
      .split(SEPARATORS)
      .filter((term) => term !== ''),
  );
  if (terms.some((ofPart) => ofPart.length === 0)) return undefined;
  return [...new Set(terms.flat())].slice(0, MAX_TERMS);
}

/**
 * The ids of a page of a directory's accounts that match every term, the newest first.
 *
 * The index returns its matches in no order, so its cost grows with all of them, and a common term costs most. A scan of
 * the newest accounts costs least for a common term. PostgreSQL assumes a fixed share of rows for every prefix, so its
 * planner cannot choose: a sample of the newest accounts decides.
 */
export async function search(
  db: Database,
  directory: Directory,
  terms: readonly string[],
  { offset, limit }: Page,
): Promise<readonly number[]> {
  const wanted = offset + limit;
  const page = (found: readonly number[]) => found.slice(offset, wanted);
  const sample = await amongNewest(db, directory, terms, SAMPLE);
  if (sample.found.length >= wanted || sample.seen < SAMPLE) return page(sample.found);
  const walk = Math.ceil((1.5 * SAMPLE * wanted) / sample.found.length);
  const maxWalk = directory.everyone ? MAX_WALK.everyone : MAX_WALK.organizations;
  if (sample.found.length > 1 && walk <= maxWalk) {
    const walked = await amongNewest(db, directory, terms, walk);
    if (walked.found.length >= wanted || walked.seen < walk) return page(walked.found);
  }
  return fromIndex(db, directory, indexTermsOf(terms, sample.counts), terms, { offset, limit });
}

/** The newest ids of a directory, at most `count`, as a subquery. */
export function newest(directory: Directory, count: number): Ids {
  if (directory.everyone) return sql`(select id from users order by id desc limit ${count})`;
  const { userId, organizationIds } = directory;
  return sql`(select id from (
      select ${userId}::integer as id
      union
      select people.id from unnest(${organizationIds}::integer[]) as organization (id) cross join lateral (
        (select user_id as id from organization_members
          where organization_id = organization.id order by user_id desc limit ${count})
        union all
        (select user_id from organization_customers
          where organization_id = organization.id order by user_id desc limit ${count})
        union all
        (select users.id from users where organization_id = organization.id order by id desc limit ${count})
      ) as people
    ) as people where id is not null order by id desc limit ${count})`;
}

/** The newest accounts of a directory with what they are found by. */
function newestWithTerms(directory: Directory, count: number): RawBuilder<unknown> {
  if (directory.everyone) return sql`(select id, search from users order by id desc limit ${count})`;
  // The offset keeps PostgreSQL from reading the whole table for a long list of ids.
  return sql`(select newest.id, people.search from ${newest(directory, count)} as newest
    cross join lateral (select search from users where users.id = newest.id offset 0) as people)`;
}

interface Sample {
  /** Scanned accounts; fewer than requested when there are no more. */
  readonly seen: number;
  /** Ids of accounts that match every term, the newest first. */
  readonly found: readonly number[];
  /** Matches of each term. */
  readonly counts: readonly number[];
}

async function amongNewest(
  db: Database,
  directory: Directory,
  terms: readonly string[],
  count: number,
): Promise<Sample> {
  const { rows } = await sql<Sample>`
    select count(*)::integer as seen,
      coalesce(array_agg(id order by id desc) filter (where search @@ ${all(terms)}), '{}') as found,
      array[${sql.join(terms.map((term) => sql`count(*) filter (where search @@ ${all([term])})`))}]::integer[] as counts
    from ${newestWithTerms(directory, count)} as newest`.execute(db);
  const [sample] = rows;
  if (sample === undefined) throw new Error('An aggregate has one row');
  return sample;
}

/**
 * The terms to ask the index for; the others are looked for in what it finds. A word is worth its entries as
 * long as they cost less than the accounts that the rarest word finds.
 */
function indexTermsOf(terms: readonly string[], counts: readonly number[]): readonly string[] {
  // A word that the sample does not have is in less than one account of it, not in none.
  const rarest = Math.max(Math.min(...counts), 0.1);
  return terms.filter((_term, i) => (counts[i] ?? 0) <= rarest * ENTRIES_PER_ACCOUNT);
}

async function fromIndex(
  db: Database,
  directory: Directory,
  drivers: readonly string[],
  terms: readonly string[],
  { offset, limit }: Page,
): Promise<number[]> {
  // "is true" hides the other terms from the index: it would read every entry of a common one.
  const { rows } = await sql<{ id: number }>`
    select id from (
      select id from users
      where search @@ ${all(drivers)} and (search @@ ${all(terms)}) is true and ${isIn(directory)}
      offset 0
    ) as found order by id desc offset ${offset} limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

function isIn(directory: Directory): RawBuilder<boolean> {
  if (directory.everyone) return sql`true`;
  const { userId, organizationIds } = directory;
  return sql`(id = ${userId} or organization_id = any(${organizationIds}::integer[]) or id in (
    select user_id from organization_members where organization_id = any(${organizationIds}::integer[])
    union all
    select user_id from organization_customers where organization_id = any(${organizationIds}::integer[])))`;
}

/** A `tsquery` that matches accounts with all the terms. */
function all(terms: readonly string[]): RawBuilder<unknown> {
  return sql`search_query(${terms.join(' ')})`;
}
