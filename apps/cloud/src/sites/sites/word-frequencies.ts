import { foldText } from '@heliograph/contracts/folded-text';
import type { Clock } from '@heliograph/kit';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

/** PostgreSQL analyzes a table again when a tenth of it has changed: its statistics change seldom. */
const AGE_LIMIT_MS = 60_000;

/** A search term, and the share of all sites that match it, from 0 to 1; 0 when it is not among the common words. */
export interface WordShare {
  readonly word: string;
  readonly share: number;
}

type Frequencies = ReadonlyMap<string, number>;

/**
 * The frequencies of words among sites, from PostgreSQL's statistics of the most common ones. Its planner has them
 * too, but expects 2 % of all sites for any word that is not among them.
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

  async sharesOf(searchTerms: readonly string[]): Promise<WordShare[]> {
    if (searchTerms.length === 0) return [];
    const known = await this.#frequencies();
    const parts = searchTerms.flatMap(partsOf);
    // A term without a letter or digit matches no site, rather than every one.
    if (parts.length === 0) return searchTerms.map((word) => ({ word, share: 0 }));
    return parts.map((word) => ({ word, share: shareOf(foldText(word), known) }));
  }

  /** Waits for the first load only; later ones run in the background, as frequencies change little. */
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

/** Splits a text like `search_words` in the database. */
function partsOf(word: string): string[] {
  return word.split(/[^a-z0-9\u0080-\u{10ffff}]+/iu).filter((part) => part !== '');
}

/** The share of sites with a word that begins with the prefix, assuming that no site has two of them. */
function shareOf(prefix: string, known: Frequencies): number {
  let sum = 0;
  for (const [word, share] of known) if (word.startsWith(prefix)) sum += share;
  return Math.min(sum, 1);
}
