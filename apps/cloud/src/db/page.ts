import { DEFAULT_LIMIT, MAX_ID, MAX_LIMIT, type PageQuery } from '@heliograph/contracts';

/** Which rows of a list are read. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** A page of a list that is short enough to be read as a whole. */
export function slicePage<T>(rows: readonly T[], query: PageQuery): T[] {
  const { offset, limit } = pageFrom(query);
  return rows.slice(offset, offset + limit);
}

/** A limit above the largest page is served as the largest page; beyond the largest id there is nothing to skip to. */
export function pageFrom({ offset = 0, limit = DEFAULT_LIMIT }: PageQuery): Page {
  return { offset: Math.min(offset, MAX_ID), limit: Math.min(limit, MAX_LIMIT) };
}
