import { type RawBuilder, sql } from 'kysely';
import type { Page } from '../../db/page.ts';

export interface OrderedPage extends Page {
  readonly order: 'newest' | 'name';
}

/** Ids of sites, and the other key of a list's order. */
export type Keys = RawBuilder<{ id: number; key: string | null }>;

interface Order {
  /** The sort key besides the id; null where the id suffices, so that no column is read. */
  readonly key: RawBuilder<unknown>;
  readonly byKey: RawBuilder<unknown>;
  /** As the indexes spell it. */
  readonly indexed: RawBuilder<unknown>;
  /** The same order in a form that keeps the planner from scanning such an index. */
  readonly unindexed: RawBuilder<unknown>;
}

/** Numbers within names are in their order; the indexes spell it so. */
export const NAME_KEY = sql<string | null>`folded(sites.name) collate natural_order`;

export const ORDERS: Readonly<Record<OrderedPage['order'], Order>> = {
  newest: {
    key: sql`null::text`,
    byKey: sql`id desc`,
    indexed: sql`sites.id desc`,
    unindexed: sql`sites.id + 0 desc`,
  },
  name: {
    key: NAME_KEY,
    byKey: sql`key, id`,
    indexed: sql`${NAME_KEY}, sites.id`,
    unindexed: sql`(folded(sites.name) || '') collate natural_order, sites.id`,
  },
};
