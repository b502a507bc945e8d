import type { TicketHandler } from '@heliograph/contracts';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { isAssignableBy, isEmployeeOf, requireHandler } from './policy.ts';
import { findTicket } from './rows.ts';

/** The people that the caller can make the assignee, by name. @throws NotFound; Forbidden for its requester */
export async function listTicketHandlers(
  { db, clock }: Platform,
  caller: Caller,
  { params, query }: InputOf<'listTicketHandlers'>,
): Promise<TicketHandler[]> {
  const ticket = orNotFound(await findTicket(db, caller, 'any', params.id, new Date(clock.now())));
  requireHandler(ticket);
  const { offset, limit } = pageFrom(query);
  return db
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'last_name'])
    .where(isAssignableBy(caller, ticket.organization_id))
    .orderBy(sql`concat_ws(' ', nullif(first_name, ''), nullif(last_name, ''), email) collate natural_order`)
    .orderBy('id')
    .offset(offset)
    .limit(limit)
    .execute();
}

/** The employees of an organization; without one, the operators. */
export async function handlersOf(tx: Database, organizationId: number | null): Promise<number[]> {
  const handlers = await tx
    .selectFrom('users')
    .select('id')
    .where(organizationId === null ? sql<SqlBool>`staff` : isEmployeeOf(organizationId))
    .orderBy('id')
    .execute();
  return handlers.map(({ id }) => id);
}

/** @param which a condition on `users` */
export async function isPerson(db: Database, id: number, which: Expression<SqlBool>): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where(which)
    .executeTakeFirst();
  return found !== undefined;
}

/** @param organizationId null for the operator */
export function handles(db: Database, userId: number, organizationId: number | null): Promise<boolean> {
  return isPerson(db, userId, sql<SqlBool>`(staff or ${isEmployeeOf(organizationId)})`);
}

export function isEmployee(db: Database, userId: number, organizationId: number): Promise<boolean> {
  return isPerson(db, userId, isEmployeeOf(organizationId));
}
