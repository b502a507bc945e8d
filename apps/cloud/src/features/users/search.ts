import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';
import type { Directory } from './policy.ts';

/** How many of the newest accounts tell how frequent the words of a search are. */
const SAMPLE = 1_000;

/**
 * Most accounts that are looked through, the newest first, before the index is asked. Those of an organization lie
 * scattered over the table, a page of it for each.
 */
const MAX_WALK = { everyone: 50_000, organizations: 5_000 };

/** Reading an account costs as much as reading this many entries of the index. */
const ENTRIES_PER_ACCOUNT = 40;

type Ids = RawBuilder<{ id: number }>;

/**
 * The ids of a page of those in a directory who match every word, the newest first.
 *
 * The index gives its matches in no order, so what it costs grows with all of them, and a common word costs
 * most. Looking through the newest accounts costs least for a common word. Nothing but the data tells which of
 * the two it is, and PostgreSQL takes every beginning of a word for one that a fixed share of rows has: so the
 * newest accounts are looked at first, and what they say decides.
 */
export async function search(
  db: Database,
  directory: Directory,
  words: readonly string[],
  { offset, limit }: Page,
): Promise<readonly number[]> {
  const wanted = offset + limit;
  const page = (found: readonly number[]) => found.slice(offset, wanted);
  const sample = await amongNewest(db, directory, words, SAMPLE);
  if (sample.found.length >= wanted || sample.seen < SAMPLE) return page(sample.found);
  const walk = Math.ceil((1.5 * SAMPLE * wanted) / sample.found.length);
  const maxWalk = directory.everyone ? MAX_WALK.everyone : MAX_WALK.organizations;
  if (sample.found.length > 1 && walk <= maxWalk) {
    const walked = await amongNewest(db, directory, words, walk);
    if (walked.found.length >= wanted || walked.seen < walk) return page(walked.found);
  }
  return fromIndex(db, directory, indexTermsOf(words, sample.counts), words, { offset, limit });
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
  /** How many accounts were looked at; fewer than asked for when there are no more. */
  readonly seen: number;
  /** Who matches every word, the newest first. */
  readonly found: readonly number[];
  /** How many match each word. */
  readonly counts: readonly number[];
}

async function amongNewest(
  db: Database,
  directory: Directory,
  words: readonly string[],
  count: number,
): Promise<Sample> {
  const { rows } = await sql<Sample>`
    select count(*)::integer as seen,
      coalesce(array_agg(id order by id desc) filter (where search @@ ${all(words)}), '{}') as found,
      array[${sql.join(words.map((word) => sql`count(*) filter (where search @@ ${all([word])})`))}]::integer[] as counts
    from ${newestWithTerms(directory, count)} as newest`.execute(db);
  const [sample] = rows;
  if (sample === undefined) throw new Error('An aggregate has one row');
  return sample;
}

/**
 * The words to ask the index for; the others are looked for in what it finds. A word is worth its entries as
 * long as they cost less than the accounts that the rarest word finds.
 */
function indexTermsOf(words: readonly string[], counts: readonly number[]): readonly string[] {
  // A word that the sample does not have is in less than one account of it, not in none.
  const rarest = Math.max(Math.min(...counts), 0.1);
  return words.filter((_word, i) => (counts[i] ?? 0) <= rarest * ENTRIES_PER_ACCOUNT);
}

async function fromIndex(
  db: Database,
  directory: Directory,
  drivers: readonly string[],
  words: readonly string[],
  { offset, limit }: Page,
): Promise<number[]> {
  // "is true" hides the other words from the index: it would read every entry of a common one.
  const { rows } = await sql<{ id: number }>`
    select id from (
      select id from users
      where search @@ ${all(drivers)} and (search @@ ${all(words)}) is true and ${isIn(directory)}
      offset 0
    ) as found order by id desc offset ${offset} limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

function isIn(directory: Directory): RawBuilder<boolean> {
  if (directory.everyone) return sql`true`;
  const { userId, organizationIds } = directory;
  return sql`(id = ${userId} or organization_id = any(${organizationIds}::integer[]) or id in (
    select user_id from organization_members where organization_id = any(${organizationIds}::integer[])))`;
}

/** A query that matches what has all the words; each is a word by itself. */
function all(words: readonly string[]): RawBuilder<unknown> {
  return sql`search_query(${words.join(' ')})`;
}
