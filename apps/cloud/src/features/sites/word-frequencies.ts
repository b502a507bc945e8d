import type { Clock } from '@heliograph/kit';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

/** PostgreSQL looks at its tables again when a tenth of one has changed: what it found out changes seldom. */
const AGE_LIMIT_MS = 60_000;

/** A word of a search, and which share of all sites has it; 0 when that is not known to be many. */
export interface WordShare {
  readonly word: string;
  readonly share: number;
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

  async sharesOf(words: readonly string[]): Promise<WordShare[]> {
    if (words.length === 0) return [];
    const known = await this.#frequencies();
    const parts = words.flatMap(partsOf);
    // Without a letter or digit there is nothing to find: that matches no site, rather than every one.
    if (parts.length === 0) return words.map((word) => ({ word, share: 0 }));
    return parts.map((word) => ({ word, share: shareOf(word.toLowerCase(), known) }));
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

/** As `search_words` parts a text in the database, which also does its own lower case. */
function partsOf(word: string): string[] {
  return word.split(/[^a-z0-9\u0080-\u{10ffff}]+/iu).filter((part) => part !== '');
}

/** The share of sites with a word that begins with the given one, if no site has two of them. */
function shareOf(prefix: string, known: Frequencies): number {
  let sum = 0;
  for (const [word, share] of known) if (word.startsWith(prefix)) sum += share;
  return Math.min(sum, 1);
}
