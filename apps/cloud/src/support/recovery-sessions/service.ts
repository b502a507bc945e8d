import type {
  ApproveRecoverySessionBody,
  ExtendRecoverySessionBody,
  OpenRecoverySessionBody,
  PageQuery,
  RecoveryEvent,
  RecoverySession,
  RecoverySessionListQuery,
} from '@heliograph/contracts';
import { DEFAULT_RECOVERY_HOURS } from '@heliograph/contracts';
import { type Clock, Forbidden, Unprocessable, ValidationError } from '@heliograph/kit';
import { sql } from 'kysely';
import { actorOf, type Caller, requireFreshSignIn } from '../../access/caller.ts';
import type { AccessibleSite, SiteAccess } from '../../access/site-access.ts';
import { requirePermission } from '../../access/site-permissions.ts';
import { orNotFound } from '../../common/errors.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import { type AuditEvent, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import { endRecoverySessions, recoveryState } from '../../db/recovery-sessions.ts';
import { isVisibleTo } from '../tickets/policy.ts';
import { RECOVERY_REQUESTS } from './limits.ts';
import type { RecoveryMails } from './mails.ts';
import { isOfParty, isReadableBy, requireReader } from './policy.ts';
import { presentRecoveryEvent, presentRecoverySession } from './present.ts';
import type { NewRecoverySession, RecoverySessionRepository, SessionRecord } from './repository.ts';
import { recoverySearch } from './search.ts';
import { exceeds, HOUR_MS, MAX_SESSION_MS, REQUEST_MS, requireState } from './states.ts';

export { type ActiveSession, RecoveryParticipation, type RecoveryReport } from './participation.ts';

export interface RecoverySessionOptions {
  readonly db: Database;
  readonly sessions: RecoverySessionRepository;
  readonly mails: RecoveryMails;
  readonly access: SiteAccess;
  readonly limits: RateLimits;
  readonly clock: Clock;
}

/** Work on one session, whose site is locked. */
type Work<T> = (tx: Database, session: SessionRecord, site: AccessibleSite, at: Date) => Promise<T>;

/** Sessions in which a site's owner lets support in for a while. */
export class RecoverySessionService {
  readonly #options: RecoverySessionOptions;

  constructor(options: RecoverySessionOptions) {
    this.#options = options;
  }

  /**
   * Opens a session for an owner or admin of the site in person, and requests one for their programs and for the site's
   * support: consent is a person's. An open one of the same party is answered as it is.
   *
   * @throws NotFound; Forbidden; ValidationError; Unprocessable where the device refuses support; TooManyRequests
   */
  async open(
    caller: Caller,
    siteId: number,
    body: OpenRecoverySessionBody,
  ): Promise<{ readonly session: RecoverySession; readonly isNew: boolean }> {
    const { db, sessions, access, limits, clock } = this.#options;
    const { permissions } = orNotFound(await access.find(caller, siteId));
    const isHousehold = permissions.has('consent');
    if (!isHousehold) requirePermission(permissions, 'support');
    const consents = isHousehold && caller.kind === 'session';
    if (consents) requireFreshSignIn(caller, clock.now());
    return db.transaction().execute(async (tx) => {
      const at = this.#now();
      await sessions.lockSite(tx, siteId);
      const site = orNotFound(await access.find(caller, siteId, tx));
      const organizationId = await this.#partyOf(tx, caller, site, body, isHousehold);
      const same = await this.#openOf(tx, siteId, organizationId, at);
      if (same !== undefined) return { session: presentRecoverySession(same, caller.locale), isNew: false };
      await this.#requireDeviceAllows(tx, siteId);
      await this.#requireTicket(tx, caller, siteId, body);
      if (!consents) await limits.consume(RECOVERY_REQUESTS, String(siteId));
      const id = await sessions.add(tx, newSession(caller, siteId, organizationId, body, consents, at), at);
      const session = await sessions.require(tx, id, at);
      const action = consents ? 'recovery_session.opened' : 'recovery_session.requested';
      await this.#record(tx, caller, session, at, action);
      // A person whose program asks has to learn of it.
      const isByProgram = isHousehold && !consents;
      const request = isByProgram ? 'askedByProgram' : 'asked';
      const author = isByProgram ? null : caller.userId;
      await this.#options.mails.send(tx, consents ? 'opened' : request, session, author);
      return { session: presentRecoverySession(session, caller.locale), isNew: true };
    });
  }

  /** @throws NotFound; Forbidden */
  async listOfSite(caller: Caller, siteId: number, query: PageQuery): Promise<RecoverySession[]> {
    const { permissions } = orNotFound(await this.#options.access.find(caller, siteId));
    requireReader(permissions);
    const which = sql<boolean>`(recovery_sessions.site_id = ${siteId} and ${isReadableBy(caller, permissions)})`;
    const found = await this.#options.sessions.list(which, this.#now(), pageFrom(query));
    return found.map((session) => presentRecoverySession(session, caller.locale));
  }

  /** Those that let the caller in; operators see all. */
  async list(caller: Caller, { q, ...page }: RecoverySessionListQuery): Promise<RecoverySession[]> {
    const at = this.#now();
    const isOurs = caller.staff && caller.organizationId === null ? sql`true` : isOfParty(caller);
    const which = sql<boolean>`(${isOurs} and ${recoverySearch(q, at)})`;
    const found = await this.#options.sessions.list(which, at, pageFrom(page));
    return found.map((session) => presentRecoverySession(session, caller.locale));
  }

  /** @throws NotFound; Forbidden */
  async show(caller: Caller, siteId: number, id: number): Promise<RecoverySession> {
    return presentRecoverySession(await this.#requireReadable(caller, siteId, id), caller.locale);
  }

  /** @throws NotFound; Forbidden */
  async events(caller: Caller, siteId: number, id: number, query: PageQuery): Promise<RecoveryEvent[]> {
    await this.#requireReadable(caller, siteId, id);
    const found = await this.#options.sessions.events(id, pageFrom(query));
    return found.map((event) => presentRecoveryEvent(event, caller.locale));
  }

  /** @throws NotFound; Forbidden; ValidationError; WrongRecoveryState; Unprocessable where the device refuses support */
  approve(
    caller: Caller,
    siteId: number,
    id: number,
    body: ApproveRecoverySessionBody | undefined,
  ): Promise<RecoverySession> {
    return this.#withConsent(caller, siteId, id, async (tx, session, _site, at) => {
      requireState(session, 'requested');
      await this.#requireDeviceAllows(tx, siteId);
      const { access = session.access === 'settings' ? 'repair' : session.access, hours = session.hours } =
        body ?? {};
      if (exceeds(access, session.access))
        throw new ValidationError({ access: [`must be no more than was requested, ${session.access}`] });
      if (hours > session.hours)
        throw new ValidationError({ hours: [`must be no more than was requested, ${session.hours}`] });
      return this.#change(tx, caller, session, at, 'approved', {
        access,
        approved_by: caller.userId,
        opened_at: at,
        expires_at: new Date(at.getTime() + hours * HOUR_MS),
      });
    });
  }

  /** @throws NotFound; Forbidden; WrongRecoveryState */
  decline(caller: Caller, siteId: number, id: number): Promise<RecoverySession> {
    return this.#withConsent(caller, siteId, id, async (tx, session, _site, at) => {
      requireState(session, 'requested');
      const changes = { declined_at: at, ended_by: caller.userId, is_concluded: true };
      return this.#change(tx, caller, session, at, 'declined', changes);
    });
  }

  /**
   * Is consent, too, so the account that uses the session gives none.
   *
   * @throws NotFound; Forbidden; ValidationError beyond seven days in all; WrongRecoveryState
   */
  extend(
    caller: Caller,
    siteId: number,
    id: number,
    { hours }: ExtendRecoverySessionBody,
  ): Promise<RecoverySession> {
    return this.#withConsent(caller, siteId, id, async (tx, session, _site, at) => {
      requireState(session, 'active');
      const { openedAt, expiresAt, extendedBy, participants } = session;
      if (participants.some((person) => person.id === caller.userId))
        throw new Forbidden('You use this session yourself: another person of the household extends it');
      const until = (expiresAt ?? at).getTime() + hours * HOUR_MS;
      if (until > (openedAt ?? at).getTime() + MAX_SESSION_MS)
        throw new ValidationError({ hours: ['would take the session beyond seven days in all'] });
      return this.#change(tx, caller, session, at, 'extended', {
        expires_at: new Date(until),
        extended_by: [...extendedBy, caller.userId],
      });
    });
  }

  /** Ends it at once, or withdraws it; no change where it is over already. @throws NotFound; Forbidden */
  end(caller: Caller, siteId: number, id: number): Promise<void> {
    return this.#withSession(caller, siteId, id, async (tx, session, site, at) => {
      const reason = site.permissions.has('consent') ? 'owner' : 'support';
      const which = sql`recovery_sessions.id = ${id}`;
      const ended = await endRecoverySessions(tx, which, { reason, by: caller.userId }, actorOf(caller), at);
      if (ended.length === 0) return;
      const changed = await this.#options.sessions.require(tx, id, at);
      // A request that is withdrawn gave no access.
      if (session.state === 'active') await this.#options.mails.send(tx, 'ended', changed, caller.userId);
      await this.#options.sessions.change(tx, id, { is_concluded: true });
    });
  }

  async #change(
    tx: Database,
    caller: Caller,
    { id }: SessionRecord,
    at: Date,
    what: 'approved' | 'declined' | 'extended',
    changes: Parameters<RecoverySessionRepository['change']>[2],
  ): Promise<RecoverySession> {
    await this.#options.sessions.change(tx, id, changes);
    const session = await this.#options.sessions.require(tx, id, at);
    await this.#record(tx, caller, session, at, `recovery_session.${what}`);
    const event = what === 'approved' ? 'opened' : what;
    await this.#options.mails.send(tx, event, session, caller.userId);
    return presentRecoverySession(session, caller.locale);
  }

  /** For owners and admins of the site. */
  #withConsent<T>(caller: Caller, siteId: number, id: number, work: Work<T>): Promise<T> {
    return this.#withSession(caller, siteId, id, (tx, session, site, at) => {
      requirePermission(site.permissions, 'consent');
      return work(tx, session, site, at);
    });
  }

  #withSession<T>(caller: Caller, siteId: number, id: number, work: Work<T>): Promise<T> {
    return this.#options.db.transaction().execute(async (tx) => {
      const at = this.#now();
      await this.#options.sessions.lockSite(tx, siteId);
      const site = orNotFound(await this.#options.access.find(caller, siteId, tx));
      const session = await this.#readable(tx, caller, site, id, at);
      return work(tx, session, site, at);
    });
  }

  async #requireReadable(caller: Caller, siteId: number, id: number): Promise<SessionRecord> {
    const { db, access } = this.#options;
    const site = orNotFound(await access.find(caller, siteId));
    return this.#readable(db, caller, site, id, this.#now());
  }

  async #readable(
    db: Database,
    caller: Caller,
    { id: siteId, permissions }: AccessibleSite,
    id: number,
    at: Date,
  ): Promise<SessionRecord> {
    requireReader(permissions);
    const which = sql<boolean>`(recovery_sessions.id = ${id} and recovery_sessions.site_id = ${siteId}
      and ${isReadableBy(caller, permissions)})`;
    return orNotFound(await this.#options.sessions.find(which, at, db));
  }

  #openOf(
    tx: Database,
    siteId: number,
    organizationId: number | null,
    at: Date,
  ): Promise<SessionRecord | undefined> {
    const which = sql<boolean>`(recovery_sessions.site_id = ${siteId}
      and recovery_sessions.organization_id is not distinct from ${organizationId}::integer
      and ${recoveryState(at)} in ('requested', 'active'))`;
    return this.#options.sessions.find(which, at, tx);
  }

  /**
   * The party to let in: an owner chooses one, others ask for their own.
   *
   * @returns null for the operator
   */
  async #partyOf(
    tx: Database,
    caller: Caller,
    { organizationId }: AccessibleSite,
    { party }: OpenRecoverySessionBody,
    isHousehold: boolean,
  ): Promise<number | null> {
    if (party === 'organization' && organizationId === null)
      throw new ValidationError({ party: ['must be operator: the site has no organization'] });
    if (isHousehold) return party === 'operator' ? null : organizationId;
    const isEmployee =
      organizationId !== null && (await this.#options.sessions.isEmployee(tx, caller.userId, organizationId));
    const requested = party ?? (isEmployee ? 'organization' : 'operator');
    if (requested === 'organization' ? !isEmployee : !caller.staff)
      throw new Forbidden('Only the organization itself may request access in its name');
    return requested === 'operator' ? null : organizationId;
  }

  async #requireDeviceAllows(tx: Database, siteId: number): Promise<void> {
    if (await this.#options.sessions.isRefusedByDevice(tx, siteId))
      throw new Unprocessable('The device refuses support access: its settings forbid it');
  }

  async #requireTicket(
    tx: Database,
    caller: Caller,
    siteId: number,
    { ticket_id: ticketId = null }: OpenRecoverySessionBody,
  ): Promise<void> {
    if (ticketId === null) return;
    if (!(await this.#options.sessions.lockTicket(tx, ticketId, siteId, isVisibleTo(caller, 'any'))))
      throw new ValidationError({
        ticket_id: ['must be a ticket that you see, about this site or by a member of it, and not closed'],
      });
  }

  #record(
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

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
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
