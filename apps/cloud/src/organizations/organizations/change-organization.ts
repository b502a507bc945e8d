import type { AuditAction, ChangeOrganizationBody, OwnOrganization } from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import { actorOf, type Caller, requirePerson } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { type AuditEvent, recordAudit } from '../../db/audit.ts';
import { isUniqueViolation } from '../../db/failures.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { requireManager, requireOperator } from './policy.ts';
import { presentOwnOrganization } from './present.ts';
import { findOwnOrganization, type OrganizationForCaller, ownersOf, withLockedOrganization } from './rows.ts';
import {
  changesOf,
  type OrganizationSettings,
  readSettings,
  type StoredOrganizationSettings,
  settingsErrors,
} from './settings.ts';

/** @throws Forbidden unless the caller is an operator; ValidationError */
export async function createOrganization(
  platform: Platform,
  caller: Caller,
  { body }: InputOf<'createOrganization'>,
): Promise<OwnOrganization> {
  requireOperator(caller);
  const organization = { ...read(platform, body), name: body.name.trim() };
  const work = platform.db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto('organizations')
      .values(organization)
      .returning('id')
      .executeTakeFirstOrThrow();
    await record(platform, tx, caller, 'organization.created', added.id, organization);
    return own(platform, tx, caller, added.id);
  });
  return work.catch(refuseTaken);
}

/** @throws NotFound; Forbidden; ValidationError; SignInAgain */
export function updateOrganization(
  platform: Platform,
  caller: Caller,
  { params: { id }, body }: InputOf<'updateOrganization'>,
): Promise<OwnOrganization> {
  const work = withLockedOrganization(platform.db, caller, id, async (tx, before) => {
    requireManager(before.permissions);
    const after = withVetting(read(platform, body), before);
    const changes = changesOf(before, after);
    if ('requires_second_factor' in changes) await requireMayRequire(platform, tx, caller, after);
    if (Object.keys(changes).length > 0) {
      await tx.updateTable('organizations').set(after).where('id', '=', id).execute();
      await record(platform, tx, caller, 'organization.changed', id, changes);
      if ('requires_second_factor' in changes) await mailRule(platform, tx, caller, before, after);
    }
    return own(platform, tx, caller, id);
  });
  return work.catch(refuseTaken);
}

/** Errors of the fields that are given. */
export function organizationErrors(
  platform: Pick<Platform, 'cloudUrl'>,
  fields: Partial<ChangeOrganizationBody>,
): Record<string, readonly string[]> {
  return settingsErrors(fields, reservedHost(platform));
}

/**
 * Rules about signing in are a signed-in person's. Only a manager with a second factor can require one, and is not
 * locked out.
 *
 * @throws Forbidden; ValidationError; FreshSignInRequired
 */
async function requireMayRequire(
  { clock }: Platform,
  tx: Database,
  caller: Caller,
  { requires_second_factor: on }: OrganizationSettings,
): Promise<void> {
  requirePerson(caller, clock.now());
  if (on !== true || caller.kind === 'console') return;
  if (!(await hasSecondFactor(tx, caller.userId)))
    throw new ValidationError({ requires_second_factor: ['needs a second factor of your own first'] });
}

async function hasSecondFactor(tx: Database, userId: number): Promise<boolean> {
  const account = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('second_factor_at', 'is not', null)
    .executeTakeFirst();
  return account !== undefined;
}

async function mailRule(
  { mail, clock }: Platform,
  tx: Database,
  { userId }: Caller,
  { id: organizationId, permissions }: OrganizationForCaller,
  { requires_second_factor: isRequired = false }: OrganizationSettings,
): Promise<void> {
  const actorId = permissions.role === null ? null : userId;
  const at = new Date(clock.now()).toISOString();
  const about = { kind: 'secondFactorRule', organizationId, isRequired, actorId, at } as const;
  for (const owner of await ownersOf(tx, organizationId)) await mail.enqueue(tx, { ...about, userId: owner });
}

function read(platform: Platform, body: ChangeOrganizationBody): OrganizationSettings {
  return readSettings(body, reservedHost(platform));
}

function reservedHost({ cloudUrl }: Pick<Platform, 'cloudUrl'>): string {
  return new URL(cloudUrl()).host;
}

async function own(
  { cloudUrl }: Platform,
  tx: Database,
  { userId }: Caller,
  id: number,
): Promise<OwnOrganization> {
  return presentOwnOrganization(orNotFound(await findOwnOrganization(tx, userId, id)), cloudUrl());
}

function record(
  { clock }: Platform,
  tx: Database,
  caller: Caller,
  action: AuditAction,
  organizationId: number,
  details: AuditEvent['details'] = {},
): Promise<void> {
  return recordAudit(tx, actorOf(caller), new Date(clock.now()), { action, organizationId, details });
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

/** @throws ValidationError where another organization has the same name or host */
function refuseTaken(error: unknown): never {
  if (isUniqueViolation(error, 'organizations_name'))
    throw new ValidationError({ name: ['has already been taken'] });
  if (isUniqueViolation(error, 'organizations_cloud_host'))
    throw new ValidationError({ cloud_host: ['has already been taken'] });
  throw error;
}
