import type { Locale } from '@heliograph/contracts';
import { sql } from 'kysely';
import { hasEmail } from '../../db/has-email.ts';
import type { Database } from '../../db/open.ts';
import { mayEnter } from '../tokens/policy.ts';

/** Whom a mail is for. */
export interface Reader {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly locale: Locale;
  readonly confirmed: boolean;
  readonly hasPassword: boolean;
  /** The organization whose customer it is. */
  readonly organizationId: number | null;
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

  readerAt(email: string): Promise<Reader | undefined> {
    return this.#readers().where(hasEmail(email)).executeTakeFirst();
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
        'organization_id as organizationId',
      ]);
  }

  /** An organization, if the account may enter it. */
  brandFor(userId: number, organizationId: number): Promise<BrandRecord | undefined> {
    return this.#db
      .selectFrom('organizations')
      .innerJoin('users', (join) => join.on('users.id', '=', userId))
      .select([
        'organizations.id',
        'organizations.name',
        // Links carry tokens: they lead to no host that only the organization itself vouches for.
        sql<string | null>`case when cloud_host_vetted then cloud_host end`.as('cloudHost'),
        'organizations.color1 as color',
        sql<boolean>`exists (select from organization_logos where organization_id = organizations.id)`.as(
          'hasLogo',
        ),
      ])
      .where('organizations.id', '=', organizationId)
      .where(mayEnter(organizationId))
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
