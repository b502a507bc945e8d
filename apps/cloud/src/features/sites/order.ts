import { type RawBuilder, sql } from 'kysely';
import type { Page } from '../../db/page.ts';

/** A page of a list of sites. */
export interface OrderedPage extends Page {
  readonly order: 'newest' | 'name';
}

/** Ids of sites, and what the order of a list needs besides. */
export type Keys = RawBuilder<{ id: number; key: string | null }>;

interface Order {
  /** What the id alone does not order by; nothing is read that is not needed. */
  readonly key: RawBuilder<unknown>;
  readonly byKey: RawBuilder<unknown>;
  /** As the indexes spell it. */
  readonly indexed: RawBuilder<unknown>;
  /** The same where walking along such an index would be a mistake. */
  readonly unindexed: RawBuilder<unknown>;
}

/** How lists are ordered. */
export const ORDERS: Readonly<Record<OrderedPage['order'], Order>> = {
  newest: {
    key: sql`null::text`,
    byKey: sql`id desc`,
    indexed: sql`sites.id desc`,
    unindexed: sql`sites.id + 0 desc`,
  },
  name: {
    key: sql`lower(sites.name)`,
    byKey: sql`key, id`,
    indexed: sql`lower(sites.name), sites.id`,
    unindexed: sql`lower(sites.name) || '', sites.id`,
  },
};
