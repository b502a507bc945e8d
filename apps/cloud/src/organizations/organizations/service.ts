import {
  type AuditAction,
  type ChangeOrganizationBody,
  type CreateOrganizationBody,
  type ListQuery,
  MAX_LIMIT,
  type Organization,
  type OwnOrganization,
} from '@heliograph/contracts';
import { type Clock, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller, requirePerson } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { type AuditEvent, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import type { InvitationService } from '../invitations/service.ts';
import { DocumentRepository } from './document-repository.ts';
import { Documents } from './documents.ts';
import { EmployeeRepository } from './employee-repository.ts';
import { Employees } from './employees.ts';
import { readHost } from './host.ts';
import { LogoRepository } from './logo-repository.ts';
import { Logos } from './logos.ts';
import { listScope, requireManager, requireOperator } from './policy.ts';
import { presentOrganization, presentOwnOrganization } from './present.ts';
import { OrganizationFieldTaken, type OrganizationForCaller, OrganizationRepository } from './repository.ts';
import {
  changesOf,
  type OrganizationSettings,
  readSettings,
  type StoredOrganizationSettings,
  settingsErrors,
} from './settings.ts';
import { TeamInvitationRepository } from './team-invitation-repository.ts';
import { TeamInvitations } from './team-invitations.ts';

export interface OrganizationServiceOptions {
  readonly db: Database;
  readonly invitations: InvitationService;
  readonly mail: MailService;
  readonly clock: Clock;
  /** The cloud's public URL. */
  readonly cloudUrl: () => string;
}

/** Companies that serve their customers under their own name. */
export class OrganizationService {
  readonly logos: Logos;
  readonly employees: Employees;
  readonly teamInvitations: TeamInvitations;
  readonly documents: Documents;
  readonly #organizations: OrganizationRepository;
  readonly #employees: EmployeeRepository;
  readonly #mail: MailService;
  readonly #clock: Clock;
  readonly #cloudUrl: () => string;

  constructor({ db, invitations, mail, clock, cloudUrl }: OrganizationServiceOptions) {
    const organizations = new OrganizationRepository(db);
    this.logos = new Logos(organizations, new LogoRepository(db), clock);
    const employees = new EmployeeRepository(db);
    this.teamInvitations = new TeamInvitations({
      organizations,
      employees,
      invitations: new TeamInvitationRepository(db),
      mail,
      clock,
      cloudUrl,
    });
    this.employees = new Employees(organizations, employees, invitations, this.teamInvitations, clock);
    this.documents = new Documents(organizations, new DocumentRepository(db), clock);
    this.#organizations = organizations;
    this.#employees = employees;
    this.#mail = mail;
    this.#clock = clock;
    this.#cloudUrl = cloudUrl;
  }

  /** Public data. @throws NotFound */
  async show(id: number): Promise<Organization> {
    return presentOrganization(orNotFound(await this.#organizations.find(id)), this.#cloudUrl());
  }

  /** @param host with its port, as in the request header */
  async findByHost(host: string): Promise<Organization | undefined> {
    const organization = await this.#organizations.findByHost(readHost(host) ?? '');
    return organization && presentOrganization(organization, this.#cloudUrl());
  }

  /** @returns undefined when there is none, or more than one */
  async findOnly(): Promise<Organization | undefined> {
    const organization = await this.#organizations.findOnly();
    return organization && presentOrganization(organization, this.#cloudUrl());
  }

  /** The first page by name. */
  async employersOf(caller: Caller): Promise<OwnOrganization[]> {
    const organizations = await this.#organizations.list(caller, 'own', '', { offset: 0, limit: MAX_LIMIT });
    return organizations.map((organization) => presentOwnOrganization(organization, this.#cloudUrl()));
  }

  /** The caller's employers, or for operators all, by name. */
  async list(caller: Caller, query: ListQuery): Promise<OwnOrganization[]> {
    const reach = listScope(caller);
    if (reach === 'none') return [];
    const text = query.q?.trim() ?? '';
    const organizations = await this.#organizations.list(caller, reach, text, pageFrom(query));
    return organizations.map((organization) => presentOwnOrganization(organization, this.#cloudUrl()));
  }

  /** @throws Forbidden unless the caller is an operator; ValidationError */
  async create(caller: Caller, body: CreateOrganizationBody): Promise<OwnOrganization> {
    requireOperator(caller);
    const organization = { ...this.#read(body), name: body.name.trim() };
    const work = this.#organizations.transaction(async (tx) => {
      const id = await this.#organizations.add(tx, organization);
      await this.#record(tx, caller, 'organization.created', id, organization);
      return this.#own(tx, caller, id);
    });
    return work.catch(refuseTaken);
  }

  /** @throws NotFound; Forbidden; ValidationError; SignInAgain */
  change(caller: Caller, id: number, body: ChangeOrganizationBody): Promise<OwnOrganization> {
    const work = this.#organizations.withLockedOrganization(caller, id, async (tx, found) => {
      const before = orNotFound(found);
      requireManager(before.permissions);
      const after = withVetting(this.#read(body), before);
      const changes = changesOf(before, after);
      if ('requires_second_factor' in changes) await this.#requireMayRequire(tx, caller, after);
      if (Object.keys(changes).length > 0) {
        await this.#organizations.change(tx, id, after);
        await this.#record(tx, caller, 'organization.changed', id, changes);
        if ('requires_second_factor' in changes) await this.#mailRule(tx, caller, before, after);
      }
      return this.#own(tx, caller, id);
    });
    return work.catch(refuseTaken);
  }

  /** @throws NotFound; Forbidden unless the caller manages the organization */
  async requireManager(caller: Caller, id: number): Promise<void> {
    requireManager(orNotFound(await this.#organizations.findFor(caller, id)).permissions);
  }

  /** Runs work while the organization is locked. @throws as `requireManager` */
  withLockAsManager<T>(caller: Caller, id: number, work: (tx: Database) => Promise<T>): Promise<T> {
    return this.#organizations.withLockedOrganization(caller, id, (tx, found) => {
      requireManager(orNotFound(found).permissions);
      return work(tx);
    });
  }

  /**
   * Rules about signing in are a signed-in person's. Only a manager with a second factor can require one, and is not
   * locked out.
   *
   * @throws Forbidden; ValidationError; FreshSignInRequired
   */
  async #requireMayRequire(
    tx: Database,
    caller: Caller,
    { requires_second_factor: on }: OrganizationSettings,
  ): Promise<void> {
    requirePerson(caller, this.#clock.now());
    if (on !== true || caller.kind === 'console') return;
    if (!(await this.#organizations.hasSecondFactor(tx, caller.userId)))
      throw new ValidationError({ requires_second_factor: ['needs a second factor of your own first'] });
  }

  async #mailRule(
    tx: Database,
    { userId }: Caller,
    { id: organizationId, permissions }: OrganizationForCaller,
    { requires_second_factor: isRequired = false }: OrganizationSettings,
  ): Promise<void> {
    const actorId = permissions.role === null ? null : userId;
    const at = new Date(this.#clock.now()).toISOString();
    const about = { kind: 'secondFactorRule', organizationId, isRequired, actorId, at } as const;
    for (const owner of await this.#employees.owners(tx, organizationId))
      await this.#mail.enqueue(tx, { ...about, userId: owner });
  }

  /** Errors of the fields that are given. */
  fieldErrors(fields: Partial<ChangeOrganizationBody>): Record<string, readonly string[]> {
    return settingsErrors(fields, this.#reservedHost());
  }

  #read(body: ChangeOrganizationBody): OrganizationSettings {
    return readSettings(body, this.#reservedHost());
  }

  #reservedHost(): string {
    return new URL(this.#cloudUrl()).host;
  }

  async #own(tx: Database, { userId }: Caller, id: number): Promise<OwnOrganization> {
    return presentOwnOrganization(
      orNotFound(await this.#organizations.own(userId, id, tx)),
      this.#cloudUrl(),
    );
  }

  #record(
    tx: Database,
    caller: Caller,
    action: AuditAction,
    organizationId: number,
    details: AuditEvent['details'] = {},
  ): Promise<void> {
    return recordAudit(tx, actorOf(caller), new Date(this.#clock.now()), { action, organizationId, details });
  }
}

/** A host is vetted only when an operator sets it. */
function withVetting(
  settings: OrganizationSettings,
  { permissions, cloudHost, cloudHostVetted }: OrganizationForCaller,
): StoredOrganizationSettings {
  const { cloud_host: host } = settings;
  if (host === undefined) return settings;
  const isVetted = host === cloudHost && cloudHostVetted;
  return { ...settings, cloud_host_vetted: host === null || isVetted || permissions.staff };
}

function refuseTaken(error: unknown): never {
  if (error instanceof OrganizationFieldTaken)
    throw new ValidationError({ [error.field]: ['has already been taken'] });
  throw error;
}
