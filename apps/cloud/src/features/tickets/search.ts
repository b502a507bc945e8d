import { TICKET_CATEGORIES, TICKET_PRIORITIES, TICKET_STATES, TICKET_TURNS } from '@heliograph/contracts';
import { sql } from 'kysely';
import { oneOf, type SearchKeys, searchCondition } from '../../db/search.ts';
import { dateOf, idOf, organizationIs } from '../../db/search-values.ts';

const SEARCHED = sql`concat_ws(' ', tickets.id, tickets.subject, requesters.first_name, requesters.last_name,
  requesters.email, sites.name)`;

/** A condition on `tickets` with their `requesters` and `sites`. @param userId who is meant by `assignee:me` */
export function ticketSearch(q: string | undefined, userId: number) {
  return searchCondition(q, keysFor(userId), SEARCHED);
}

function keysFor(userId: number): SearchKeys {
  return {
    state: (text) => equal('state', oneOf(TICKET_STATES, text)),
    priority: (text) => equal('priority', oneOf(TICKET_PRIORITIES, text)),
    category: (text) => equal('category', oneOf(TICKET_CATEGORIES, text)),
    awaiting: (text) => equal('awaiting', oneOf(TICKET_TURNS, text)),
    assignee: (text) => {
      const name = text.toLowerCase();
      if (name === 'none') return sql`tickets.assignee_id is null`;
      return equal('assignee_id', name === 'me' ? userId : idOf(text));
    },
    organization_id: (text) => organizationIs('tickets.organization_id', text),
    site_id: (text) => equal('site_id', idOf(text)),
    order_id: (text) => equal('order_id', idOf(text)),
    user_id: (text) => equal('requester_id', idOf(text)),
    email: (text) => sql`lower(requesters.email) = lower(${text})`,
    created_after: (text) => later('created_at', dateOf(text)),
    updated_after: (text) => later('updated_at', dateOf(text)),
  };
}

function equal(column: string, value: string | number | undefined) {
  return value === undefined ? undefined : sql`${sql.ref(`tickets.${column}`)} = ${value}`;
}

function later(column: string, date: Date | undefined) {
  return date === undefined ? undefined : sql`${sql.ref(`tickets.${column}`)} > ${date}`;
}
