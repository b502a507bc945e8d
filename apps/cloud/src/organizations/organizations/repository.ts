import type { Locale, SiteRole } from '@heliograph/contracts';
import { foldAscii } from '@heliograph/contracts/folded-text';
import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { isUniqueViolation } from '../../db/failures.ts';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';
import { type OrganizationPermissions, organizationPermissions } from './policy.ts';
import type { StoredOrganizationSettings } from './settings.ts';

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

/** Another organization has the same name or host. */
export class OrganizationFieldTaken extends Error {
  override readonly name = 'Taken';
  readonly field: 'name' | 'cloud_host';

  constructor(field: 'name' | 'cloud_host', cause: unknown) {
    super(field, { cause });
    this.field = field;
  }
}

export class OrganizationRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  find(id: number): Promise<OrganizationRecord | undefined> {
    return selectOrganizations(this.#db).where('organizations.id', '=', id).executeTakeFirst();
  }

  /** Only vetted hosts are found: every manager of an organization can enter any host. */
  findByHost(host: string): Promise<OrganizationRecord | undefined> {
    return selectOrganizations(this.#db)
      .where('organizations.cloud_host', '=', foldAscii(host))
      .where('organizations.cloud_host_vetted', '=', true)
      .executeTakeFirst();
  }

  /** @returns undefined when there is none, or more than one */
  async findOnly(): Promise<OrganizationRecord | undefined> {
    const [first, ...others] = await selectOrganizations(this.#db).limit(2).execute();
    return others.length === 0 ? first : undefined;
  }

  /** By name. @param text part of the name or the host, or the id; empty for all */
  list(
    { userId, organizationId }: Caller,
    reach: 'all' | 'own',
    text: string,
    { offset, limit }: Page,
  ): Promise<OwnOrganizationRecord[]> {
    return selectOwn(this.#db, userId)
      .$if(reach === 'own', (query) => query.where('employees.role', 'is not', null))
      .$if(organizationId !== null, (query) => query.where('organizations.id', '=', organizationId ?? 0))
      .$if(text !== '', (query) => query.where(matchesText(text)))
      .orderBy(sql`organizations.name collate natural_order, organizations.id`)
      .offset(offset)
      .limit(limit)
      .execute();
  }

  own(userId: number, id: number, db: Database = this.#db): Promise<OwnOrganizationRecord | undefined> {
    return selectOwn(db, userId).where('organizations.id', '=', id).executeTakeFirst();
  }

  async findFor(
    caller: Caller,
    id: number,
    db: Database = this.#db,
  ): Promise<OrganizationForCaller | undefined> {
    const organization = await this.own(caller.userId, id, db);
    return (
      organization && { ...organization, permissions: organizationPermissions(caller, id, organization.role) }
    );
  }

  /**
   * Runs work while an organization is locked: every change of it or of its employees goes through here. The lock is
   * taken before anything is read, so that the values read are valid until the transaction ends.
   *
   * @param work its organization is undefined when there is none with this id
   */
  withLockedOrganization<T>(
    caller: Caller,
    id: number,
    work: (tx: Database, organization: OrganizationForCaller | undefined) => Promise<T>,
  ): Promise<T> {
    return this.transaction(async (tx) => {
      await this.lock(tx, id);
      return work(tx, await this.findFor(caller, id, tx));
    });
  }

  /** Locks an organization and its employees against changes until the transaction ends. */
  async lock(tx: Database, id: number): Promise<void> {
    await tx.selectFrom('organizations').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  }

  transaction<T>(work: (tx: Database) => Promise<T>): Promise<T> {
    return this.#db.transaction().execute(work);
  }

  /** @returns its id @throws Taken */
  async add(
    tx: Database,
    organization: StoredOrganizationSettings & { readonly name: string },
  ): Promise<number> {
    const insertion = tx.insertInto('organizations').values(organization).returning('id');
    const { id } = await insertion.executeTakeFirstOrThrow().catch(refuseTaken);
    return id;
  }

  async hasSecondFactor(tx: Database, userId: number): Promise<boolean> {
    const account = await tx
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .where('second_factor_at', 'is not', null)
      .executeTakeFirst();
    return account !== undefined;
  }

  /** @throws Taken */
  async change(tx: Database, id: number, changes: StoredOrganizationSettings): Promise<void> {
    await tx.updateTable('organizations').set(changes).where('id', '=', id).execute().catch(refuseTaken);
  }
}

function selectOrganizations(db: Database) {
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

function selectOwn(db: Database, userId: number) {
  return selectOrganizations(db)
    .leftJoin('organization_members as employees', (join) =>
      join.onRef('employees.organization_id', '=', 'organizations.id').on('employees.user_id', '=', userId),
    )
    .select('employees.role');
}

function matchesText(text: string) {
  return sql<SqlBool>`(strpos(folded(organizations.name), folded(${text})) > 0
    or strpos(organizations.cloud_host, folded(${text})) > 0 or organizations.id::text = ${text})`;
}

function refuseTaken(error: unknown): never {
  if (isUniqueViolation(error, 'organizations_name')) throw new OrganizationFieldTaken('name', error);
  if (isUniqueViolation(error, 'organizations_cloud_host'))
    throw new OrganizationFieldTaken('cloud_host', error);
  throw error;
}
