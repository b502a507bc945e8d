import type { OwnTicket, Ticket, UpdateTicketBody } from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { findSite } from '../../access/site-access.ts';
import type { SiteCaller } from '../../access/site-permissions.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { handles, isPerson } from './handlers.ts';
import { mailAssigned, mailResolved, mailTransferred } from './mails.ts';
import { listMessages } from './messages.ts';
import { isAssignableBy, requireHandler, requireHandover } from './policy.ts';
import { presentOwnTicket, presentTicket } from './present.ts';
import {
  changedTicket,
  changeTicket,
  findTicket,
  lockTicket,
  type TicketChanges,
  type TicketRecord,
} from './rows.ts';
import { progressOf, requireTransition, WrongState } from './states.ts';

/** No change when it is resolved already. @throws NotFound; WrongState for a closed ticket */
export function resolveOwnTicket(
  platform: Platform,
  caller: Caller,
  { params: { id } }: InputOf<'resolveOwnTicket'>,
): Promise<OwnTicket> {
  const at = new Date(platform.clock.now());
  return platform.db.transaction().execute(async (tx) => {
    const ticket = await lockTicket(tx, caller, 'own', id, at);
    if (ticket.state === 'closed') throw new WrongState(ticket.state);
    if (ticket.state === 'resolved') return presentOwnTicket(ticket);
    const progress = progressOf(ticket, 'resolved', null, at);
    await changeTicket(tx, id, progress, at);
    const details = { ticket: id, state: { from: ticket.state, to: progress.state } };
    const organizationId = ticket.organization_id;
    await recordAudit(tx, actorOf(caller), at, { action: 'ticket.changed', organizationId, details });
    await mailResolved(platform, tx, ticket, caller.userId);
    return presentOwnTicket(orNotFound(await findTicket(tx, caller, 'own', id, at)));
  });
}

/**
 * Changes what the body names. A ticket that gets another organization loses an assignee who does not handle it there.
 *
 * @throws NotFound; Forbidden for its requester, and for employees who give it to another organization; WrongState;
 * ValidationError
 */
export function updateTicket(
  platform: Platform,
  caller: Caller,
  { params: { id }, body }: InputOf<'updateTicket'>,
): Promise<Ticket> {
  const at = new Date(platform.clock.now());
  return platform.db.transaction().execute(async (tx) => {
    const ticket = await lockTicket(tx, caller, 'any', id, at);
    requireHandler(ticket);
    const changes = await changesOf(tx, caller, ticket, body, at);
    const differences = differencesOf(ticket, changes);
    if (differences === undefined) return presentTicket(ticket, caller.locale);
    await changeTicket(tx, id, changes, at);
    const organizationId = ticket.organization_id;
    const details = { ticket: id, ...differences };
    await recordAudit(tx, actorOf(caller), at, { action: 'ticket.changed', organizationId, details });
    const changed = await changedTicket(tx, caller, id, at);
    await mailChange(platform, tx, caller, ticket, changed);
    return presentTicket(changed, caller.locale);
  });
}

async function mailChange(
  platform: Platform,
  tx: Database,
  { userId }: Caller,
  before: TicketRecord,
  after: TicketRecord,
): Promise<void> {
  if (after.organization_id !== before.organization_id) {
    const [first] = await listMessages(tx, after.id, false, { offset: 0, limit: 1 });
    if (first !== undefined) await mailTransferred(platform, tx, after, first.id, userId);
  }
  if (after.assignee_id !== before.assignee_id) await mailAssigned(platform, tx, after, userId);
  if (after.state === 'resolved' && before.state !== 'resolved')
    await mailResolved(platform, tx, after, userId);
}

async function changesOf(
  tx: Database,
  caller: Caller,
  ticket: TicketRecord,
  body: UpdateTicketBody,
  at: Date,
): Promise<TicketChanges> {
  const { state, priority, category } = body;
  if (state !== undefined) requireTransition(ticket.state, state);
  const organizationId = await organizationOf(tx, caller, ticket, body);
  return {
    ...(state !== undefined && state !== ticket.state && progressOf(ticket, state, null, at)),
    ...(priority !== undefined && { priority }),
    ...(category !== undefined && { category }),
    organization_id: organizationId,
    assignee_id: await assigneeOf(tx, caller, ticket, body, organizationId),
    site_id: await siteOf(tx, caller, ticket, body),
  };
}

async function organizationOf(
  tx: Database,
  caller: Caller,
  { organization_id: before }: TicketRecord,
  { organization_id: after = before }: UpdateTicketBody,
): Promise<number | null> {
  if (after === before) return before;
  requireHandover(caller, after);
  if (after !== null && !(await isOrganization(tx, after)))
    throw new ValidationError({ organization_id: ['is no organization'] });
  return after;
}

async function isOrganization(tx: Database, id: number): Promise<boolean> {
  const found = await tx.selectFrom('organizations').select('id').where('id', '=', id).executeTakeFirst();
  return found !== undefined;
}

async function assigneeOf(
  tx: Database,
  caller: Caller,
  { assignee_id: before, organization_id: organizationBefore }: TicketRecord,
  { assignee_id: given }: UpdateTicketBody,
  organizationId: number | null,
): Promise<number | null> {
  const after = given === undefined ? before : given;
  if (after === null || (after === before && organizationId === organizationBefore)) return after;
  if (given === undefined) return (await handles(tx, after, organizationId)) ? after : null;
  if (await isPerson(tx, after, isAssignableBy(caller, organizationId))) return after;
  throw new ValidationError({ assignee_id: ['must be one of the handlers of the ticket'] });
}

async function siteOf(
  tx: Database,
  caller: Caller,
  { site_id: before, requester_id: requesterId }: TicketRecord,
  { site_id: after = before }: UpdateTicketBody,
): Promise<number | null> {
  if (after === null || after === before) return after;
  const isSeen =
    (await findSite(tx, caller, after)) !== undefined &&
    (await findSite(tx, asSeenBy(requesterId), after)) !== undefined;
  if (!isSeen) throw new ValidationError({ site_id: ['must be a site that you and the requester see'] });
  return after;
}

/** An account with all that it sees, without regard to a token. */
function asSeenBy(userId: number): SiteCaller {
  return {
    userId,
    kind: 'session',
    scopes: new Set(['sites:read_all']),
    staff: false,
    organizationId: null,
    siteId: null,
  };
}

const SHOWN = ['state', 'priority', 'category', 'organization_id', 'assignee_id', 'site_id'] as const;

/** The fields that change, each with what it was and becomes; undefined for none. */
function differencesOf(
  before: TicketRecord,
  after: TicketChanges,
): Record<string, { readonly from: unknown; readonly to: unknown }> | undefined {
  const fields = SHOWN.filter((field) => after[field] !== undefined && after[field] !== before[field]);
  if (fields.length === 0) return undefined;
  return Object.fromEntries(fields.map((field) => [field, { from: before[field], to: after[field] }]));
}
