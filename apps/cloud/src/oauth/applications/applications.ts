import type { Application, ApplicationWithSecret, AuditAction } from '@heliograph/contracts';
import { type Clock, Unprocessable } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import { actorOf, type Caller, requireFreshSignIn } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import { addDelegation, changeAuthor, removeDelegation } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import { requireOrganizationManager, withLockAsManager } from '../../organizations/organizations/roles.ts';
import type { Platform } from '../../platform.ts';
import { revokeGrants } from '../../sites/connections/revoke.ts';
import { newClientId, newSecret } from './credentials.ts';
import { presentApplication, presentWithSecret } from './present.ts';
import {
  type ApplicationKey,
  type ApplicationRecord,
  type ApplicationSettings,
  changeApplication,
  countApplications,
  insertApplication,
  selectApplication,
  selectApplications,
} from './records.ts';
import { readChanges, readNew } from './settings.ts';

/** Applications that an organization may have. */
const MAX_APPLICATIONS = 100;

/** The newest first. @throws NotFound; Forbidden */
export async function listApplications(
  { db }: Platform,
  caller: Caller,
  { params }: InputOf<'listApplications'>,
): Promise<Application[]> {
  await requireOrganizationManager(db, caller, params.id);
  return (await selectApplications(db, params.id)).map(presentApplication);
}

/** @throws NotFound; Forbidden */
export async function getApplication(
  { db }: Platform,
  caller: Caller,
  { params }: InputOf<'getApplication'>,
): Promise<Application> {
  await requireOrganizationManager(db, caller, params.id);
  return presentApplication(orNotFound(await selectApplication(db, keyOf(params))));
}

/**
 * Creates an application. Its secret is in the answer and in no other.
 *
 * @throws NotFound; Forbidden; FreshSignInRequired; ValidationError; Unprocessable when the organization has too many
 */
export function createApplication(
  { db, clock }: Platform,
  caller: Caller,
  { params: { id: organizationId }, body }: InputOf<'createApplication'>,
): Promise<ApplicationWithSecret> {
  return withLockAsManager(db, caller, organizationId, async (tx) => {
    requireFreshSignIn(caller, clock.now());
    const { browserOnly, ...wanted } = readNew(body);
    if ((await countApplications(tx, organizationId)) >= MAX_APPLICATIONS) {
      throw new Unprocessable(`An organization can have ${MAX_APPLICATIONS} applications: delete one first`);
    }
    const secret = browserOnly ? null : newSecret();
    const createdBy = actorOf(caller).userId;
    const createdAt = new Date(clock.now());
    const origin = { clientId: newClientId(), organizationId, createdBy, createdAt };
    const application = await insertApplication(tx, { ...origin, ...wanted }, secret);
    const made = { kind: 'application', clientId: origin.clientId, organizationId } as const;
    await addDelegation(tx, actorOf(caller), made, createdAt);
    const { name, redirectUris, scopes, kind } = application;
    const details = { name, redirect_uris: redirectUris, scopes, kind };
    await record(tx, clock, caller, 'application.created', { ...origin, details });
    return presentWithSecret(application, secret?.secret ?? null);
  });
}

/** A change of the redirect URIs is by a new author. @throws NotFound; Forbidden; FreshSignInRequired; ValidationError */
export function updateApplication(
  platform: Platform,
  caller: Caller,
  { params, body }: InputOf<'updateApplication'>,
): Promise<Application> {
  const { clock } = platform;
  const key = keyOf(params);
  return withApplication(platform, caller, key, async (tx, before) => {
    const changes = changesOf(before, readChanges(body));
    if (Object.keys(changes).length === 0) return presentApplication(before);
    if (changes.redirectUris !== undefined) await beAuthor(tx, clock, caller, key);
    await changeApplication(tx, key.clientId, changes);
    const details = {
      ...(changes.name !== undefined && { name: { from: before.name, to: changes.name } }),
      ...(changes.redirectUris && {
        redirect_uris: { from: before.redirectUris, to: changes.redirectUris },
      }),
    };
    await record(tx, clock, caller, 'application.changed', { ...key, details });
    return presentApplication({ ...before, ...changes });
  });
}

/**
 * Replaces the secret of an application, by a new author. The new one is in the answer and in no other; the old one is invalid at once.
 *
 * @throws NotFound; Forbidden; FreshSignInRequired; Unprocessable for one that runs in the browser
 */
export function replaceApplicationSecret(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'replaceApplicationSecret'>,
): Promise<ApplicationWithSecret> {
  const { clock } = platform;
  const key = keyOf(params);
  return withApplication(platform, caller, key, async (tx, before) => {
    await beAuthor(tx, clock, caller, key);
    if (before.kind === 'public')
      throw new Unprocessable('An application that runs in the browser has no secret');
    const { secret, hash, hint } = newSecret();
    await tx
      .updateTable('oauth_clients')
      .set({ secret_hash: hash, secret_hint: hint })
      .where('client_id', '=', key.clientId)
      .execute();
    const details = { name: before.name };
    await record(tx, clock, caller, 'application.secret_replaced', { ...key, details });
    return presentWithSecret({ ...before, secretHint: hint }, secret);
  });
}

/** Deletes an application with its grants and tokens. @throws NotFound; Forbidden */
export function deleteApplication(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'deleteApplication'>,
): Promise<void> {
  const key = keyOf(params);
  return withApplication(platform, caller, key, (tx) => removeApplication(tx, platform.clock, caller, key));
}

/** As part of a transaction, for a caller who may. @throws NotFound */
export async function removeApplication(
  tx: Database,
  clock: Clock,
  caller: Caller,
  key: ApplicationKey,
): Promise<void> {
  const { clientId } = key;
  const { name } = orNotFound(await selectApplication(tx, key));
  // Before its application, as a suspension does.
  await removeDelegation(tx, { kind: 'application', clientId });
  // Before its grants: the deletion waits for consents in progress, origin grants are then found.
  await tx.deleteFrom('oauth_clients').where('client_id', '=', clientId).execute();
  const which = sql<SqlBool>`oauth_grants.client_id = ${clientId}`;
  const ended = await revokeGrants(tx, which, actorOf(caller), clock);
  await record(tx, clock, caller, 'application.deleted', { ...key, details: { name, ended_grants: ended } });
}

/** @throws FreshSignInRequired */
function beAuthor(tx: Database, clock: Clock, caller: Caller, { clientId }: ApplicationKey): Promise<void> {
  requireFreshSignIn(caller, clock.now());
  return changeAuthor(tx, actorOf(caller), sql<SqlBool>`delegations.client_id = ${clientId}`);
}

/** Runs work on an application while its organization is locked. */
function withApplication<T>(
  { db }: Platform,
  caller: Caller,
  key: ApplicationKey,
  work: (tx: Database, application: ApplicationRecord) => Promise<T>,
): Promise<T> {
  return withLockAsManager(db, caller, key.organizationId, async (tx) =>
    work(tx, orNotFound(await selectApplication(tx, key))),
  );
}

function record(
  tx: Database,
  clock: Clock,
  caller: Caller,
  action: AuditAction,
  { organizationId, clientId, details }: ApplicationKey & { readonly details: object },
): Promise<void> {
  const event = { action, organizationId, details: { client_id: clientId, ...details } };
  return recordAudit(tx, actorOf(caller), new Date(clock.now()), event);
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

function keyOf({ id, client_id: clientId }: { readonly id: number; readonly client_id: string }) {
  return { organizationId: id, clientId };
}
