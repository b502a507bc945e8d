import type { CanonicalEmail } from '@heliograph/contracts/email-address';
import { type Expression, sql } from 'kysely';
import { hasOrganizationAccess, isSecondFactorRequired } from '../../access/organization-access.ts';
import { hasEmail } from '../../db/has-email.ts';
import type { Database } from '../../db/open.ts';
import type { SecondFactorProof } from '../../db/second-factor-tables.ts';
import { type OrganizationName, USER_COLUMNS, type UserRecord } from '../users/present.ts';

/** An account as sign-in reads it. */
export interface AccountRecord extends UserRecord {
  readonly passwordHash: string | null;
  readonly confirmedAt: Date | null;
  readonly confirmationMailedAt: Date | null;
  /** The organization whose customer it is. */
  readonly organizationId: number | null;
  /** The account may hold a session of the requested organization. */
  readonly hasOrganizationAccess: boolean;
  readonly hasSecondFactor: boolean;
  /** A session of the requested organization requires one. */
  readonly isSecondFactorRequired: boolean;
  /** The last sign-in from the client's network. */
  readonly lastSeenFromNetworkAt: Date | null;
}

/** A request for a session, apart from the account. */
export interface SignInContext {
  /** The organization that the session is to belong to. */
  readonly organizationId: number | null;
  /** The client's network. */
  readonly network: string | null;
}

/** A sign-in with the right password that waits for a second factor. */
export interface PendingSignInRecord {
  readonly userId: number;
  readonly email: string;
  readonly hasSecondFactor: boolean;
  readonly organizationId: number | null;
  readonly createdAt: Date;
  /** The client's address. */
  readonly address: string | null;
  /** Null as long as no second factor was verified. */
  readonly factor: SecondFactorProof | null;
}

export interface NewAccount {
  readonly email: CanonicalEmail;
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string | null;
  readonly locale: UserRecord['locale'] | undefined;
  readonly passwordHash: string;
  readonly organizationId: number | null;
  readonly staff?: boolean;
  readonly confirmedAt?: Date;
  readonly termsAcceptedAt?: Date | null;
  readonly confirmationMailedAt?: Date;
}

/** Terms that a password of the account must not be made of. */
export function personalTermsOf({
  email,
  firstName,
  lastName,
}: Pick<UserRecord, 'email' | 'firstName' | 'lastName'>) {
  return [email, firstName, lastName];
}

export class AccountRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<T>(work: (tx: Database) => Promise<T>): Promise<T> {
    return this.#db.transaction().execute(work);
  }

  byEmail(email: string, context: SignInContext): Promise<AccountRecord | undefined> {
    return this.#select(context).where(hasEmail(email)).executeTakeFirst();
  }

  byId(id: number, context: SignInContext): Promise<AccountRecord | undefined> {
    return this.#select(context).where('users.id', '=', id).executeTakeFirst();
  }

  #select({ organizationId, network }: SignInContext) {
    return this.#db
      .selectFrom('users')
      .select((eb) => [
        ...USER_COLUMNS,
        'users.password_hash as passwordHash',
        'users.confirmed_at as confirmedAt',
        'users.confirmation_mailed_at as confirmationMailedAt',
        'users.organization_id as organizationId',
        sql<boolean>`${organizationId === null ? sql`true` : hasOrganizationAccess(organizationId)(eb)}`.as(
          'hasOrganizationAccess',
        ),
        sql<boolean>`users.second_factor_at is not null`.as('hasSecondFactor'),
        sql<boolean>`${isSecondFactorRequired(organizationId)(eb)}`.as('isSecondFactorRequired'),
        eb
          .selectFrom('known_addresses')
          .select('known_addresses.seen_at')
          .whereRef('known_addresses.user_id', '=', 'users.id')
          .where('known_addresses.address', '=', inet(network))
          .as('lastSeenFromNetworkAt'),
      ]);
  }

  async exists(email: string): Promise<boolean> {
    const found = await this.#db.selectFrom('users').select('id').where(hasEmail(email)).executeTakeFirst();
    return found !== undefined;
  }

  /** @returns the id; undefined when the email address has an account */
  async add(tx: Database, account: NewAccount): Promise<number | undefined> {
    const added = await tx
      .insertInto('users')
      .values({
        email: account.email,
        first_name: account.firstName,
        last_name: account.lastName,
        phone_number: account.phoneNumber,
        ...(account.locale !== undefined && { locale: account.locale }),
        password_hash: account.passwordHash,
        organization_id: account.organizationId,
        staff: account.staff ?? false,
        confirmed_at: account.confirmedAt ?? null,
        terms_accepted_at: account.termsAcceptedAt ?? null,
        confirmation_mailed_at: account.confirmationMailedAt ?? null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    return added?.id;
  }

  async confirm(tx: Database, userId: number, at: Date): Promise<void> {
    await tx
      .updateTable('users')
      .set({ confirmed_at: sql`coalesce(confirmed_at, ${at})` })
      .where('id', '=', userId)
      .execute();
  }

  /**
   * Confirms the address, too: passwords are set through mailed links, or by operators. A requested change of the address
   * ends: a thief of the password may have asked for it.
   */
  async setPassword(
    tx: Database,
    userId: number,
    { passwordHash, acceptedTerms, at }: { passwordHash: string; acceptedTerms: boolean; at: Date },
  ): Promise<void> {
    await tx
      .updateTable('users')
      .set({
        password_hash: passwordHash,
        confirmed_at: sql`coalesce(confirmed_at, ${at})`,
        ...(acceptedTerms && { terms_accepted_at: at }),
      })
      .where('id', '=', userId)
      .execute();
    await tx.deleteFrom('email_changes').where('user_id', '=', userId).execute();
  }

  async setOrganization(tx: Database, userId: number, organizationId: number | null): Promise<void> {
    await tx.updateTable('users').set({ organization_id: organizationId }).where('id', '=', userId).execute();
  }

  async replacePasswordHash(userId: number, from: string, to: string): Promise<void> {
    await this.#db
      .updateTable('users')
      .set({ password_hash: to })
      .where('id', '=', userId)
      .where('password_hash', '=', from)
      .execute();
  }

  /** @param notSince the latest time of a previous mail @returns false when a mail was sent since */
  async markConfirmationMailed(tx: Database, userId: number, at: Date, notSince: Date): Promise<boolean> {
    const marked = await tx
      .updateTable('users')
      .set({ confirmation_mailed_at: at })
      .where('id', '=', userId)
      .where((eb) =>
        eb.or([eb('confirmation_mailed_at', 'is', null), eb('confirmation_mailed_at', '<=', notSince)]),
      )
      .returning('id')
      .executeTakeFirst();
    return marked !== undefined;
  }

  organization(id: number): Promise<OrganizationName | undefined> {
    return this.#db
      .selectFrom('organizations')
      .select(['id', 'name'])
      .where('id', '=', id)
      .executeTakeFirst();
  }

  /** The host of an organization's own pages, once an operator has vetted it. */
  async portalHost(organizationId: number, db: Database = this.#db): Promise<string | undefined> {
    const organization = await db
      .selectFrom('organizations')
      .select('cloud_host as host')
      .where('id', '=', organizationId)
      .where('cloud_host_vetted', '=', true)
      .executeTakeFirst();
    return organization?.host ?? undefined;
  }

  /** @returns undefined when it is unknown, finished or expired */
  pendingSignIn(hash: Buffer, now: Date): Promise<PendingSignInRecord | undefined> {
    return this.#db
      .selectFrom('one_time_tokens')
      .innerJoin('users', 'users.id', 'one_time_tokens.user_id')
      .select([
        'users.id as userId',
        'users.email',
        sql<boolean>`users.second_factor_at is not null`.as('hasSecondFactor'),
        'one_time_tokens.organization_id as organizationId',
        'one_time_tokens.created_at as createdAt',
        'one_time_tokens.address',
        'one_time_tokens.factor',
      ])
      .where('one_time_tokens.hash', '=', hash)
      .where('one_time_tokens.purpose', '=', 'second_factor')
      .where('one_time_tokens.spent_at', 'is', null)
      .where('one_time_tokens.expires_at', '>', now)
      .executeTakeFirst();
  }

  /** @returns false when it is unknown, finished or expired */
  async finishPendingSignIn(hash: Buffer, factor: SecondFactorProof, now: Date): Promise<boolean> {
    const finished = await this.#db
      .updateTable('one_time_tokens')
      .set({ factor })
      .where('hash', '=', hash)
      .where('purpose', '=', 'second_factor')
      .where('spent_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('user_id')
      .executeTakeFirst();
    return finished !== undefined;
  }
}

function inet(network: string | null): Expression<string> {
  return sql<string>`${network}::inet`;
}
