import { Forbidden } from '@heliograph/kit';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { EVERY_ROW } from '../../db/search-list.ts';

/** The tickets that exist for a caller: all that may be seen, or those of the caller alone. */
export type View = 'any' | 'own';

/** A condition on `tickets`. */
export type TicketCondition = RawBuilder<SqlBool>;

/**
 * A condition on `tickets`: the caller handles it. The employees of its organization do, and operators; one without an
 * organization is the operators' alone. A token of an organization handles that one's alone.
 */
export function isHandledBy({ userId, organizationId, staff }: Caller) {
  const isOurs = sql<SqlBool>`(${staff}::boolean or coalesce(tickets.organization_id in (
    select organization_id from organization_members where user_id = ${userId}), false))`;
  return organizationId === null
    ? isOurs
    : sql<SqlBool>`(coalesce(tickets.organization_id = ${organizationId}, false) and ${isOurs})`;
}

/**
 * A condition on `tickets`: the caller requested them. With a token of an organization, those that were requested there or
 * are handled there.
 */
export function isRequestedBy({ userId, organizationId }: Caller) {
  const isOwn = sql<SqlBool>`tickets.requester_id = ${userId}`;
  return organizationId === null
    ? isOwn
    : sql<SqlBool>`(${isOwn} and ${organizationId} in (tickets.home_organization_id, tickets.organization_id))`;
}

export function isVisibleTo(caller: Caller, view: View) {
  return view === 'own'
    ? isRequestedBy(caller)
    : sql<SqlBool>`(${isHandledBy(caller)} or ${isRequestedBy(caller)})`;
}

/**
 * The tickets of `isVisibleTo` as conditions that an index serves one by one. No ticket meets two of them.
 *
 * @param employerIds the organizations that employ the caller
 */
export function scopesOf(
  caller: Caller,
  view: View,
  employerIds: readonly number[],
): readonly TicketCondition[] {
  const { userId, organizationId, staff } = caller;
  if (view === 'own') return [isRequestedBy(caller)];
  if (organizationId === null && staff) return [EVERY_ROW];
  const handlers =
    organizationId === null
      ? employerIds
      : [organizationId].filter((id) => staff || employerIds.includes(id));
  const isOfOthers = sql`tickets.requester_id <> ${userId}`;
  return [
    isRequestedBy(caller),
    ...handlers.map((id) => sql<SqlBool>`(tickets.organization_id = ${id} and ${isOfOthers})`),
  ];
}

/**
 * A condition on `users`: the caller can make them the assignee of a ticket. They are the employees of its organization, and
 * for operators the operators, too: employees do not find those by it.
 *
 * @param handlingId the organization that handles the ticket; null for the operator
 */
export function isAssignableBy({ staff, organizationId }: Caller, handlingId: number | null) {
  const seesOperators = staff && organizationId === null;
  return sql<SqlBool>`(users.confirmed_at is not null
    and (${isEmployeeOf(handlingId)} or (${seesOperators}::boolean and users.staff)))`;
}

/** A condition on `users`. */
export function isEmployeeOf(organizationId: number | null) {
  return sql<SqlBool>`exists (select from organization_members as employees
    where employees.user_id = users.id and employees.organization_id = ${organizationId}::integer)`;
}

/** @throws Forbidden */
export function requireHandler({ isHandler }: { readonly isHandler: boolean }): void {
  if (!isHandler) throw new Forbidden('Only those who handle the ticket may do this');
}

/** Employees give a ticket to the operator; operators give it to anyone. @throws Forbidden */
export function requireHandover({ staff, organizationId }: Caller, to: number | null): void {
  if (to !== null && !(staff && organizationId === null))
    throw new Forbidden('Only operators of the service hand a ticket to an organization');
}
