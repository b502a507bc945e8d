import type {
  Application,
  ApplicationWithSecret,
  AuditAction,
  ChangeApplicationBody,
  CreateApplicationBody,
} from '@heliograph/contracts';
import { type Clock, Unprocessable } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import { actorOf, type Caller, requireFreshSignIn } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import { addDelegation, changeAuthor, removeDelegation } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import type { OrganizationService } from '../../organizations/organizations/service.ts';
import type { ConnectionService } from '../../sites/connections/service.ts';
import { newClientId, newSecret } from './credentials.ts';
import { presentApplication, presentWithSecret } from './present.ts';
import type { ApplicationRecord, ApplicationSettings, ClientRecord, NewAgent } from './records.ts';
import { type ApplicationKey, ApplicationRepository, ClientRepository } from './repository.ts';
import { readChanges, readNew } from './settings.ts';

export { isApplicationId } from './credentials.ts';
export type { ClientRecord, NewAgent } from './records.ts';

/** Applications that an organization may have. */
const MAX_APPLICATIONS = 100;

/** OAuth clients: applications of organizations, and agents that registered themselves. */
export class ApplicationService {
  readonly #applications: ApplicationRepository;
  readonly #clients: ClientRepository;
  readonly #organizations: OrganizationService;
  readonly #connections: ConnectionService;
  readonly #clock: Clock;

  constructor(
    db: Database,
    organizations: OrganizationService,
    connections: ConnectionService,
    clock: Clock,
  ) {
    this.#applications = new ApplicationRepository(db);
    this.#clients = new ClientRepository(db);
    this.#organizations = organizations;
    this.#connections = connections;
    this.#clock = clock;
  }

  /** Any client with a row, which agents with the address of a document for an id have not. */
  client(clientId: string): Promise<ClientRecord | undefined> {
    return this.#clients.find(clientId);
  }

  registerAgent(agent: NewAgent): Promise<void> {
    return this.#clients.addAgent(agent, this.#now());
  }

  /** The newest first. @throws NotFound; Forbidden */
  async list(caller: Caller, organizationId: number): Promise<Application[]> {
    await this.#organizations.requireManager(caller, organizationId);
    return (await this.#applications.list(organizationId)).map(presentApplication);
  }

  /** @throws NotFound; Forbidden */
  async show(caller: Caller, key: ApplicationKey): Promise<Application> {
    await this.#organizations.requireManager(caller, key.organizationId);
    return presentApplication(orNotFound(await this.#applications.find(key)));
  }

  /**
   * Creates an application. Its secret is in the answer and in no other.
   *
   * @throws NotFound; Forbidden; FreshSignInRequired; ValidationError; Unprocessable when the organization has too many
   */
  create(
    caller: Caller,
    organizationId: number,
    body: CreateApplicationBody,
  ): Promise<ApplicationWithSecret> {
    return this.#organizations.withLockAsManager(caller, organizationId, async (tx) => {
      requireFreshSignIn(caller, this.#clock.now());
      const { browserOnly, ...wanted } = readNew(body);
      if ((await this.#applications.count(tx, organizationId)) >= MAX_APPLICATIONS) {
        throw new Unprocessable(
          `An organization can have ${MAX_APPLICATIONS} applications: delete one first`,
        );
      }
      const secret = browserOnly ? null : newSecret();
      const createdBy = actorOf(caller).userId;
      const origin = { clientId: newClientId(), organizationId, createdBy, createdAt: this.#now() };
      const application = await this.#applications.add(tx, { ...origin, ...wanted }, secret);
      const made = { kind: 'application', clientId: origin.clientId, organizationId } as const;
      await addDelegation(tx, actorOf(caller), made, origin.createdAt);
      const { name, redirectUris, scopes, kind } = application;
      const details = { name, redirect_uris: redirectUris, scopes, kind };
      await this.#record(tx, caller, 'application.created', { ...origin, details });
      return presentWithSecret(application, secret?.secret ?? null);
    });
  }

  /** A change of the redirect URIs is by a new author. @throws NotFound; Forbidden; FreshSignInRequired; ValidationError */
  change(caller: Caller, key: ApplicationKey, body: ChangeApplicationBody): Promise<Application> {
    return this.#with(caller, key, async (tx, before) => {
      const changes = changesOf(before, readChanges(body));
      if (Object.keys(changes).length === 0) return presentApplication(before);
      if (changes.redirectUris !== undefined) await this.#changeAuthor(tx, caller, key);
      await this.#applications.change(tx, key.clientId, changes);
      const details = {
        ...(changes.name !== undefined && { name: { from: before.name, to: changes.name } }),
        ...(changes.redirectUris && {
          redirect_uris: { from: before.redirectUris, to: changes.redirectUris },
        }),
      };
      await this.#record(tx, caller, 'application.changed', { ...key, details });
      return presentApplication({ ...before, ...changes });
    });
  }

  /**
   * Replaces the secret of an application, by a new author. The new one is in the answer and in no other; the old one is invalid at once.
   *
   * @throws NotFound; Forbidden; FreshSignInRequired; Unprocessable for one that runs in the browser
   */
  replaceSecret(caller: Caller, key: ApplicationKey): Promise<ApplicationWithSecret> {
    return this.#with(caller, key, async (tx, before) => {
      await this.#changeAuthor(tx, caller, key);
      if (before.kind === 'public')
        throw new Unprocessable('An application that runs in the browser has no secret');
      const secret = newSecret();
      await this.#applications.setSecret(tx, key.clientId, secret);
      const details = { name: before.name };
      await this.#record(tx, caller, 'application.secret_replaced', { ...key, details });
      return presentWithSecret({ ...before, secretHint: secret.hint }, secret.secret);
    });
  }

  /** Deletes an application with its grants and tokens. @throws NotFound; Forbidden */
  remove(caller: Caller, key: ApplicationKey): Promise<void> {
    return this.#with(caller, key, (tx) => this.removeIn(tx, caller, key));
  }

  /** As part of a transaction, for a caller who may. @throws NotFound */
  async removeIn(tx: Database, caller: Caller, key: ApplicationKey): Promise<void> {
    const { name } = orNotFound(await this.#applications.find(key, tx));
    // Before its application, as a suspension does.
    await removeDelegation(tx, { kind: 'application', clientId: key.clientId });
    // Before its grants: the deletion waits for consents in progress, origin grants are then found.
    await this.#applications.remove(tx, key.clientId);
    const ended = await this.#connections.revokeAllOfClient(tx, key.clientId, actorOf(caller));
    await this.#record(tx, caller, 'application.deleted', {
      ...key,
      details: { name, ended_grants: ended },
    });
  }

  /** @throws FreshSignInRequired */
  #changeAuthor(tx: Database, caller: Caller, { clientId }: ApplicationKey): Promise<void> {
    requireFreshSignIn(caller, this.#clock.now());
    return changeAuthor(tx, actorOf(caller), sql<SqlBool>`delegations.client_id = ${clientId}`);
  }

  /** Runs work on an application while its organization is locked. */
  #with<T>(
    caller: Caller,
    key: ApplicationKey,
    work: (tx: Database, application: ApplicationRecord) => Promise<T>,
  ): Promise<T> {
    return this.#organizations.withLockAsManager(caller, key.organizationId, async (tx) =>
      work(tx, orNotFound(await this.#applications.find(key, tx))),
    );
  }

  #record(
    tx: Database,
    caller: Caller,
    action: AuditAction,
    { organizationId, clientId, details }: ApplicationKey & { readonly details: object },
  ): Promise<void> {
    const event = { action, organizationId, details: { client_id: clientId, ...details } };
    return recordAudit(tx, actorOf(caller), this.#now(), event);
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}

/** The settings with a new value. */
function changesOf(
  before: ApplicationSettings,
  { name, redirectUris }: Partial<ApplicationSettings>,
): Partial<ApplicationSettings> {
  const sameUris = JSON.stringify(redirectUris) === JSON.stringify(before.redirectUris);
  return {
    ...(name !== undefined && name !== before.name && { name }),
    ...(redirectUris !== undefined && !sameUris && { redirectUris }),
  };
}
