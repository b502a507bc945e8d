import type { Query } from './query.ts';

/**
 * The slow queries of each poll. Settings and warnings are read in turn, one a poll; constants are read in turn, too,
 * one after each round of the others. An answer is at most as many polls old as there are `often`, and `often` times
 * `seldom`.
 */
export class Rounds {
  readonly #often: readonly Query[];
  readonly #seldom: readonly Query[];
  #polls = 0;

  constructor(often: readonly Query[], seldom: readonly Query[]) {
    this.#often = often;
    this.#seldom = seldom;
  }

  /** The queries of the next poll. */
  next(): readonly Query[] {
    const poll = this.#polls++;
    const length = Math.max(1, this.#often.length);
    const often = this.#often[poll % length];
    const round = Math.floor(poll / length);
    const seldom = poll % length === 0 ? this.#seldom[round % Math.max(1, this.#seldom.length)] : undefined;
    return [often, seldom].filter((query) => query !== undefined);
  }
}
