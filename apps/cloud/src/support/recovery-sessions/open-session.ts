import {
  DEFAULT_RECOVERY_HOURS,
  type OpenRecoverySessionBody,
  type RecoverySession,
  type RecoverySessionAccess,
} from '@heliograph/contracts';
import { Forbidden, Unprocessable, ValidationError } from '@heliograph/kit';
import { type Expression, type SqlBool, sql } from 'kysely';
import { actorOf, type Caller, requireFreshSignIn } from '../../access/caller.ts';
import { type AccessibleSite, findSite } from '../../access/site-access.ts';
import { requirePermission } from '../../access/site-permissions.ts';
import { orNotFound } from '../../common/errors.ts';
import { type AuditEvent, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { recoveryState } from '../../db/recovery-sessions.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { isEmployee } from '../tickets/handlers.ts';
import { isVisibleTo } from '../tickets/policy.ts';
import { RECOVERY_REQUESTS } from './limits.ts';
import { mailSession } from './mails.ts';
import { presentRecoverySession } from './present.ts';
import { findSession, getSession, lockSite, type SessionRecord } from './rows.ts';
import { HOUR_MS, REQUEST_MS } from './states.ts';

/**
 * Opens a session for an owner or admin of the site in person, and requests one for their programs and for the site's
 * support: consent is a person's. An open one of the same party is answered as it is.
 *
 * @throws NotFound; Forbidden; ValidationError; Unprocessable where the device refuses support; TooManyRequests
 */
export async function openRecoverySession(
  platform: Platform,
  caller: Caller,
  { params: { id: siteId }, body }: InputOf<'openRecoverySession'>,
): Promise<{ readonly session: RecoverySession; readonly isNew: boolean }> {
  const { db, limits, clock } = platform;
  const { permissions } = orNotFound(await findSite(db, caller, siteId));
  const isHousehold = permissions.has('consent');
  if (!isHousehold) requirePermission(permissions, 'support');
  const consents = isHousehold && caller.kind === 'session';
  if (consents) requireFreshSignIn(caller, clock.now());
  return db.transaction().execute(async (tx) => {
    const at = new Date(clock.now());
    await lockSite(tx, siteId);
    const site = orNotFound(await findSite(tx, caller, siteId));
    const organizationId = await partyOf(tx, caller, site, body, isHousehold);
    const same = await openSessionOf(tx, siteId, organizationId, at);
    if (same !== undefined) return { session: presentRecoverySession(same, caller.locale), isNew: false };
    await requireDeviceAllows(tx, siteId);
    await requireTicket(tx, caller, siteId, body);
    if (!consents) await limits.consume(RECOVERY_REQUESTS, String(siteId));
    const id = await addSession(tx, newSession(caller, siteId, organizationId, body, consents, at), at);
    const session = await getSession(tx, id, at);
    const action = consents ? 'recovery_session.opened' : 'recovery_session.requested';
    await recordSession(tx, caller, session, at, action);
    // A person whose program asks has to learn of it.
    const isByProgram = isHousehold && !consents;
    const request = isByProgram ? 'askedByProgram' : 'asked';
    const author = isByProgram ? null : caller.userId;
    await mailSession(platform, tx, consents ? 'opened' : request, session, author);
    return { session: presentRecoverySession(session, caller.locale), isNew: true };
  });
}

/** @throws Unprocessable */
export async function requireDeviceAllows(tx: Database, siteId: number): Promise<void> {
  if (await isRefusedByDevice(tx, siteId))
    throw new Unprocessable('The device refuses support access: its settings forbid it');
}

export function recordSession(
  tx: Database,
  caller: Caller,
  session: SessionRecord,
  at: Date,
  action: AuditEvent['action'],
): Promise<void> {
  const { id, access, reason, hours, ticketId, siteId, siteOrganizationId: organizationId } = session;
  const details = {
    recovery_session: id,
    access,
    hours,
    reason,
    ...(ticketId !== null && { ticket: ticketId }),
    ...(session.expiresAt !== null && { expires_at: session.expiresAt.toISOString() }),
  };
  return recordAudit(tx, actorOf(caller), at, { action, siteId, organizationId, details });
}

function openSessionOf(
  tx: Database,
  siteId: number,
  organizationId: number | null,
  at: Date,
): Promise<SessionRecord | undefined> {
  const which = sql<boolean>`(recovery_sessions.site_id = ${siteId}
    and recovery_sessions.organization_id is not distinct from ${organizationId}::integer
    and ${recoveryState(at)} in ('requested', 'active'))`;
  return findSession(tx, which, at);
}

/**
 * The party to let in: an owner chooses one, others ask for their own.
 *
 * @returns null for the operator
 */
async function partyOf(
  tx: Database,
  caller: Caller,
  { organizationId }: AccessibleSite,
  { party }: OpenRecoverySessionBody,
  isHousehold: boolean,
): Promise<number | null> {
  if (party === 'organization' && organizationId === null)
    throw new ValidationError({ party: ['must be operator: the site has no organization'] });
  if (isHousehold) return party === 'operator' ? null : organizationId;
  const isColleague = organizationId !== null && (await isEmployee(tx, caller.userId, organizationId));
  const requested = party ?? (isColleague ? 'organization' : 'operator');
  if (requested === 'organization' ? !isColleague : !caller.staff)
    throw new Forbidden('Only the organization itself may request access in its name');
  return requested === 'operator' ? null : organizationId;
}

async function requireTicket(
  tx: Database,
  caller: Caller,
  siteId: number,
  { ticket_id: ticketId = null }: OpenRecoverySessionBody,
): Promise<void> {
  if (ticketId === null) return;
  if (!(await lockTicket(tx, ticketId, siteId, isVisibleTo(caller, 'any'))))
    throw new ValidationError({
      ticket_id: ['must be a ticket that you see, about this site or by a member of it, and not closed'],
    });
}

interface NewRecoverySession {
  readonly siteId: number;
  readonly organizationId: number | null;
  readonly access: RecoverySessionAccess;
  readonly reason: string;
  readonly ticketId: number | null;
  readonly hours: number;
  readonly requestedBy: number;
  readonly requestExpiresAt: Date | null;
  readonly openedAt: Date | null;
  readonly expiresAt: Date | null;
}

/** Whether the device of a site refuses all support. */
async function isRefusedByDevice(tx: Database, siteId: number): Promise<boolean> {
  const found = await tx
    .selectFrom('devices')
    .select('uid')
    .where('site_id', '=', siteId)
    .where('support_access', '=', 'never')
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Whether a session of a site can be about a ticket, which stays open until the transaction ends: it is about the site, or
 * about none and requested by a member of it.
 *
 * @param isVisible a condition on `tickets`
 */
async function lockTicket(
  tx: Database,
  id: number,
  siteId: number,
  isVisible: Expression<SqlBool>,
): Promise<boolean> {
  const isOfMember = sql<SqlBool>`(tickets.site_id is null and tickets.requester_id in (
    select owner_id from sites where id = ${siteId}
    union all select user_id from site_members where site_id = ${siteId}))`;
  const found = await tx
    .selectFrom('tickets')
    .select('id')
    .where('id', '=', id)
    .where('state', '<>', 'closed')
    .where((eb) => eb.or([eb('tickets.site_id', '=', siteId), isOfMember]))
    .where(isVisible)
    .forShare()
    .executeTakeFirst();
  return found !== undefined;
}

async function addSession(tx: Database, session: NewRecoverySession, at: Date): Promise<number> {
  const { id } = await tx
    .insertInto('recovery_sessions')
    .values({
      site_id: session.siteId,
      organization_id: session.organizationId,
      access: session.access,
      reason: session.reason,
      ticket_id: session.ticketId,
      hours: session.hours,
      requested_by: session.requestedBy,
      requested_at: at,
      request_expires_at: session.requestExpiresAt,
      opened_at: session.openedAt,
      expires_at: session.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

function newSession(
  { userId }: Caller,
  siteId: number,
  organizationId: number | null,
  body: OpenRecoverySessionBody,
  consents: boolean,
  at: Date,
): NewRecoverySession {
  const { reason, access = 'diagnose', hours = DEFAULT_RECOVERY_HOURS, ticket_id: ticketId = null } = body;
  if (reason.trim().length < 10) throw new ValidationError({ reason: ['must have at least 10 characters'] });
  const about = { siteId, organizationId, access, reason: reason.trim(), ticketId, hours };
  return {
    ...about,
    requestedBy: userId,
    requestExpiresAt: consents ? null : new Date(at.getTime() + REQUEST_MS),
    openedAt: consents ? at : null,
    expiresAt: consents ? new Date(at.getTime() + hours * HOUR_MS) : null,
  };
}
