import type { Clock } from '@heliograph/kit';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

/** PostgreSQL looks at its tables again when a tenth of one has changed: what it found out changes seldom. */
const AGE_LIMIT_MS = 60_000;

/** The words of a search, by how they are best looked for. */
export interface SplitWords {
  /** Found through the index: few sites have them. */
  readonly rare: readonly string[];
  /** Found by looking at sites in the order of the list: soon there are enough. */
  readonly frequent: readonly string[];
}

type Frequencies = ReadonlyMap<string, number>;

/**
 * How many sites have a word, from the statistics that PostgreSQL keeps of the words it meets most. Its planner has
 * them too, but does not use them for words that it does not know: of these it expects 2 % of all sites.
 */
export class WordFrequencies {
  readonly #db: Database;
  readonly #clock: Clock;
  #known: Promise<Frequencies> | undefined;
  #knownAtMs = 0;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** @param share from which share of all sites on a word is frequent */
  async split(words: readonly string[], share: number): Promise<SplitWords> {
    if (words.length === 0) return { rare: [], frequent: [] };
    const known = await this.#frequencies();
    const isFrequent = (word: string) => shareOf(word, known) >= share;
    const parts = words.flatMap(partsOf);
    return { rare: parts.filter((word) => !isFrequent(word)), frequent: parts.filter(isFrequent) };
  }

  /** Waits only for the first answer; later ones come in the background, for they change little. */
  #frequencies(): Promise<Frequencies> {
    const nowMs = this.#clock.now();
    if (this.#known !== undefined && nowMs - this.#knownAtMs < AGE_LIMIT_MS) return this.#known;
    this.#knownAtMs = nowMs;
    const last = this.#known;
    const next = this.#load();
    this.#known = last ?? next;
    next.then(
      () => {
        this.#known = next;
      },
      () => {
        if (this.#known === next) this.#known = undefined;
      },
    );
    return this.#known;
  }

  async #load(): Promise<Frequencies> {
    const { rows } = await sql<{ word: string | null; share: number | null }>`
      select unnest(most_common_elems::text::text[]) as word, unnest(most_common_elem_freqs) as share from pg_stats
      where schemaname = current_schema() and tablename = 'sites' and attname = 'search'`.execute(this.#db);
    return new Map(
      rows.flatMap(({ word, share }) => (word === null || share === null ? [] : [[word, share]])),
    );
  }
}

/** As `search_words` parts a text in the database. */
function partsOf(word: string): string[] {
  return word
    .toLowerCase()
    .split(/[^a-z0-9\u0080-\u{10ffff}]+/u)
    .filter((part) => part !== '');
}

/** The share of sites that have a word which begins with the given one, if no site has two of them. */
function shareOf(prefix: string, known: Frequencies): number {
  let sum = 0;
  for (const [word, share] of known) if (word.startsWith(prefix)) sum += share;
  return sum;
}
