import type { Locale } from '@heliograph/contracts';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

/** Whom a mail is for. */
export interface Reader {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly locale: Locale;
  readonly confirmed: boolean;
  readonly hasPassword: boolean;
}

/** The organization in whose name a mail is written. */
export interface BrandRecord {
  readonly id: number;
  readonly name: string;
  readonly cloudHost: string | null;
  readonly color: string | null;
  readonly hasLogo: boolean;
}

export class MailRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  reader(id: number): Promise<Reader | undefined> {
    return this.#readers().where('id', '=', id).executeTakeFirst();
  }

  /** Email addresses differ by more than case. */
  readerAt(email: string): Promise<Reader | undefined> {
    return this.#readers().where(sql`lower(email)`, '=', sql`lower(${email})`).executeTakeFirst();
  }

  #readers() {
    return this.#db
      .selectFrom('users')
      .select([
        'id',
        'email',
        'first_name as firstName',
        'last_name as lastName',
        'locale',
        sql<boolean>`confirmed_at is not null`.as('confirmed'),
        sql<boolean>`password_hash is not null`.as('hasPassword'),
      ]);
  }

  /** An organization that an account may sign in against: as staff, employee or customer, or for a site in it. */
  brandFor(userId: number, organizationId: number): Promise<BrandRecord | undefined> {
    return this.#db
      .selectFrom('organizations')
      .select([
        'id',
        'name',
        'cloud_host as cloudHost',
        'color1 as color',
        sql<boolean>`exists (select from organization_logos where organization_id = organizations.id)`.as(
          'hasLogo',
        ),
      ])
      .where('id', '=', organizationId)
      .where(
        sql<boolean>`exists (
          select from users where id = ${userId} and (
            staff
            or organization_id = organizations.id
            or exists (select from organization_members as employees
              where employees.organization_id = organizations.id and employees.user_id = users.id)
            or exists (select from sites
              where sites.organization_id = organizations.id and (sites.owner_id = users.id
                or exists (select from site_members where site_id = sites.id and user_id = users.id)))))`,
      )
      .executeTakeFirst();
  }

  /** What a site is called; undefined when it is gone. */
  async siteName(id: number): Promise<string | undefined> {
    const site = await this.#db.selectFrom('sites').select('name').where('id', '=', id).executeTakeFirst();
    return site && (site.name ?? `#${id}`);
  }

  async personName(id: number): Promise<string | undefined> {
    const person = await this.#db
      .selectFrom('users')
      .select(['first_name', 'last_name'])
      .where('id', '=', id)
      .executeTakeFirst();
    return person && `${person.first_name} ${person.last_name}`.trim();
  }
}
