import type { Locale, SiteRole } from '@heliograph/contracts';
import { foldAscii } from '@heliograph/contracts/folded-text';
import type { Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import type { Database } from '../../db/open.ts';
import { readHost } from './host.ts';
import { type OrganizationPermissions, organizationPermissions } from './policy.ts';

export interface OrganizationRecord {
  readonly id: number;
  readonly name: string;
  readonly cloudHost: string | null;
  /** Whether an operator has looked at the host. */
  readonly cloudHostVetted: boolean;
  readonly color1: string | null;
  readonly colorDark1: string | null;
  readonly color2: string | null;
  readonly colorDark2: string | null;
  /** Of mails to invited people who have no account yet; null for that of the inviter. */
  readonly locale: Locale | null;
  /** Whether its employees need a second factor. */
  readonly requiresSecondFactor: boolean;
  /** Null without a logo. */
  readonly logoDigest: string | null;
}

/** With the role of an account in it. */
export interface OwnOrganizationRecord extends OrganizationRecord {
  readonly role: SiteRole | null;
}

export interface OrganizationForCaller extends OrganizationRecord {
  readonly permissions: OrganizationPermissions;
}

export function findOrganization(db: Database, id: number): Promise<OrganizationRecord | undefined> {
  return selectOrganizations(db).where('organizations.id', '=', id).executeTakeFirst();
}

/**
 * Only vetted hosts are found: every manager of an organization can enter any host.
 *
 * @param host with its port, as in the request header
 */
export function findOrganizationAt(db: Database, host: string): Promise<OrganizationRecord | undefined> {
  return selectOrganizations(db)
    .where('organizations.cloud_host', '=', foldAscii(readHost(host) ?? ''))
    .where('organizations.cloud_host_vetted', '=', true)
    .executeTakeFirst();
}

export function findOwnOrganization(
  db: Database,
  userId: number,
  id: number,
): Promise<OwnOrganizationRecord | undefined> {
  return selectOwn(db, userId).where('organizations.id', '=', id).executeTakeFirst();
}

/** An organization with what the caller may do to it. @throws NotFound */
export async function findOrganizationFor(
  db: Database,
  caller: Caller,
  id: number,
): Promise<OrganizationForCaller> {
  const organization = orNotFound(await findOwnOrganization(db, caller.userId, id));
  return { ...organization, permissions: organizationPermissions(caller, id, organization.role) };
}

/**
 * Runs work while an organization is locked: every change of it or of its employees goes through here. The lock is
 * taken before anything is read, so that the values read are valid until the transaction ends.
 *
 * @throws NotFound
 */
export function withLockedOrganization<T>(
  db: Database,
  caller: Caller,
  id: number,
  work: (tx: Database, organization: OrganizationForCaller) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await lockOrganization(tx, id);
    return work(tx, await findOrganizationFor(tx, caller, id));
  });
}

/** Locks an organization and its employees against changes until the transaction ends. */
export async function lockOrganization(tx: Database, id: number): Promise<void> {
  await tx.selectFrom('organizations').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

export function selectOrganizations(db: Database) {
  return db
    .selectFrom('organizations')
    .leftJoin('organization_logos as logos', 'logos.organization_id', 'organizations.id')
    .select([
      'organizations.id',
      'organizations.name',
      'organizations.cloud_host as cloudHost',
      'organizations.cloud_host_vetted as cloudHostVetted',
      'organizations.color1',
      'organizations.color_dark1 as colorDark1',
      'organizations.color2',
      'organizations.color_dark2 as colorDark2',
      'organizations.locale',
      'organizations.requires_second_factor as requiresSecondFactor',
      'logos.digest as logoDigest',
    ]);
}

/** With the role of an account. */
export function selectOwn(db: Database, userId: number) {
  return selectOrganizations(db)
    .leftJoin('organization_members as employees', (join) =>
      join.onRef('employees.organization_id', '=', 'organizations.id').on('employees.user_id', '=', userId),
    )
    .select('employees.role');
}

/** The owners of an organization, by id. */
export async function ownersOf(tx: Database, organizationId: number): Promise<number[]> {
  const owners = await tx
    .selectFrom('organization_members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .orderBy('user_id')
    .execute();
  return owners.map((owner) => owner.user_id);
}
