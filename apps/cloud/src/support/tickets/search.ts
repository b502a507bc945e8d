import { TICKET_CATEGORIES, TICKET_PRIORITIES, TICKET_STATES, TICKET_TURNS } from '@heliograph/contracts';
import { type RawBuilder, sql } from 'kysely';
import { hasEmail } from '../../db/has-email.ts';
import type { Page } from '../../db/page.ts';
import { oneOf, parseSearch, type SearchKeys } from '../../db/search.ts';
import { type SearchedTable, searchList } from '../../db/search-list.ts';
import { idOf, isDated, isEqual, organizationIs } from '../../db/search-values.ts';
import type { TicketCondition } from './policy.ts';

const TICKETS: SearchedTable = { name: 'tickets', order: ['updated_at', 'id'] };

export interface TicketSearch {
  readonly q: string | undefined;
  /** The handler of the tickets to be found; undefined for all. */
  readonly organizationId?: number | undefined;
}

/**
 * The ids of a page of the tickets in `scopes`, the last changed first, for `in`.
 *
 * @param userId who is meant by `assignee:me`
 */
export function searchTickets(
  scopes: readonly TicketCondition[],
  { q, organizationId }: TicketSearch,
  userId: number,
  page: Page,
): RawBuilder<number> {
  const { conditions, searchTerms } = parseSearch(q, keysFor(userId));
  const isHandledThere =
    organizationId === undefined ? [] : [sql`tickets.organization_id = ${organizationId}`];
  return searchList(TICKETS, scopes, { conditions: [...conditions, ...isHandledThere], searchTerms }, page);
}

function keysFor(userId: number): SearchKeys {
  return {
    state: (text) => isEqual('tickets.state', oneOf(TICKET_STATES, text)),
    priority: (text) => isEqual('tickets.priority', oneOf(TICKET_PRIORITIES, text)),
    category: (text) => isEqual('tickets.category', oneOf(TICKET_CATEGORIES, text)),
    awaiting: (text) => isEqual('tickets.awaiting', oneOf(TICKET_TURNS, text)),
    assignee: (text) => {
      const name = text.toLowerCase();
      if (name === 'none') return sql`tickets.assignee_id is null`;
      return isEqual('tickets.assignee_id', name === 'me' ? userId : idOf(text));
    },
    organization_id: (text) => organizationIs('tickets.organization_id', text),
    site_id: (text) => isEqual('tickets.site_id', idOf(text)),
    order_id: (text) => isEqual('tickets.order_id', idOf(text)),
    user_id: (text) => isEqual('tickets.requester_id', idOf(text)),
    email: (text) => sql`tickets.requester_id = (select id from users where ${hasEmail(text)})`,
    created_after: (text) => isDated('tickets.created_at', '>', text),
    updated_after: (text) => isDated('tickets.updated_at', '>', text),
  };
}
