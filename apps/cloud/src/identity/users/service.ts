import { isDeepStrictEqual } from 'node:util';
import {
  isLocale,
  type JoinedOrganization,
  type JoinOrganizationBody,
  NO_LOCALE,
  type SetSiteViewsBody,
  type SiteView,
  type SiteViews,
  type UpdateProfileBody,
  type UpdateUserBody,
  type User,
  type UserListQuery,
} from '@heliograph/contracts';
import { type Clock, NotFound, Unauthorized, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { revokeTokensWithoutAccess } from '../../access/revoke-tokens-without-access.ts';
import { type AuditEvent, recordAudit, recordAudits } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import { directoryOf } from './policy.ts';
import { presentUser } from './present.ts';
import type { Profile, UserRepository } from './repository.ts';
import { searchTermsOf } from './search.ts';

/** Organizations that an account is a customer of by its consent, besides its own. */
const MAX_JOINED_ORGANIZATIONS = 20;

export class UserService {
  readonly #db: Database;
  readonly #users: UserRepository;
  readonly #clock: Clock;

  constructor(db: Database, users: UserRepository, clock: Clock) {
    this.#db = db;
    this.#users = users;
    this.#clock = clock;
  }

  /** The caller's own account. */
  async current(caller: Caller): Promise<User> {
    const current = await this.#users.current(caller);
    if (current === undefined) throw new Unauthorized('The account no longer exists');
    return presentUser(current.user, current.organization);
  }

  /** A page of the accounts that the caller sees. A limit above that of the largest page is lowered to it. */
  async list(caller: Caller, query: UserListQuery): Promise<User[]> {
    const terms = searchTermsOf(query.q);
    if (terms === undefined) return [];
    const organizations = await this.#users.organizationsOf(caller);
    const employers = organizations.filter(({ isEmployer }) => isEmployer).map(({ id }) => id);
    const organization = organizations.find(({ id }) => id === caller.organizationId) ?? null;
    const users = await this.#users.list(directoryOf(caller, employers), terms, pageFrom(query));
    return users.map((user) => presentUser(user, organization));
  }

  /** The organization that a caller's new sites belong to: that of the token, else the user's own. */
  async organizationForNewSites({ userId, organizationId }: Caller): Promise<number | null> {
    return organizationId ?? (await this.#users.homeOrganizationOf(userId));
  }

  /** Changes the caller's own account. @throws ValidationError for an unknown language */
  async update(caller: Caller, { locale }: UpdateUserBody): Promise<User> {
    if (!isLocale(locale)) throw new ValidationError({ locale: [NO_LOCALE] });
    const { userId, organizationId } = caller;
    await this.#db.transaction().execute(async (tx) => {
      const before = await this.#users.setLocale(tx, userId, locale);
      if (before === undefined || before === locale) return;
      await recordAudit(tx, actorOf(caller), new Date(this.#clock.now()), {
        action: 'account.changed',
        userId,
        organizationId,
        details: { locale: { from: before, to: locale } },
      });
    });
    return this.current(caller);
  }

  /**
   * Makes the caller's account a customer of an organization, with the consent of its person.
   *
   * @throws ValidationError for an organization that does not exist, or beyond those that an account may have
   */
  joinOrganization(
    caller: Caller,
    { organization_id: id }: JoinOrganizationBody,
  ): Promise<JoinedOrganization> {
    const { userId } = caller;
    return this.#db.transaction().execute(async (tx) => {
      await this.#users.lockProfile(tx, userId);
      const organization = await this.#users.organizationToJoin(tx, userId, id);
      if (organization === undefined) throw new ValidationError({ organization_id: ['does not exist'] });
      const { isCustomer, others, ...joined } = organization;
      if (isCustomer) return joined;
      if (others >= MAX_JOINED_ORGANIZATIONS)
        throw new ValidationError({
          organization_id: [`is one more than the ${MAX_JOINED_ORGANIZATIONS} that an account may join`],
        });
      const at = new Date(this.#clock.now());
      await this.#users.addCustomer(tx, userId, id, at);
      await recordAudit(tx, actorOf(caller), at, {
        action: 'account.changed',
        userId,
        organizationId: id,
        details: { customer_of: { from: null, to: joined.name } },
      });
      return joined;
    });
  }

  /** Organizations that the caller joined by consent. */
  joinedOrganizations({ userId }: Caller): Promise<JoinedOrganization[]> {
    return this.#users.joinedOrganizations(userId);
  }

  /**
   * Withdraws the consent of {@link joinOrganization}. Tokens of the organization are revoked, unless the account has
   * access to it otherwise.
   *
   * @throws NotFound for an organization that the account did not join
   */
  async leaveOrganization(caller: Caller, id: number): Promise<void> {
    const { userId } = caller;
    await this.#db.transaction().execute(async (tx) => {
      await this.#users.lockProfile(tx, userId);
      const organization = await this.#users.organizationToJoin(tx, userId, id);
      if (organization === undefined) throw new NotFound();
      if (!(await this.#users.removeCustomer(tx, userId, id))) throw new NotFound();
      const revoked = await revokeTokensWithoutAccess(tx, { organizationId: id, userId }, this.#clock);
      await recordAudit(tx, actorOf(caller), new Date(this.#clock.now()), {
        action: 'account.changed',
        userId,
        organizationId: id,
        details: { customer_of: { from: organization.name, to: null }, revoked_tokens: revoked },
      });
    });
  }

  /** Whether the account could become a customer of an organization, to which it does not belong in any way. */
  mayJoin({ userId }: Caller, organizationId: number): Promise<boolean> {
    return this.#users.isStranger(userId, organizationId);
  }

  /** The caller's saved views of the list of sites. */
  async siteViews({ userId }: Caller): Promise<SiteViews> {
    return { views: await this.#users.siteViews(this.#db, userId) };
  }

  /** Replaces the caller's saved views. Of those with the same name the last one stays. */
  setSiteViews(caller: Caller, { views }: SetSiteViewsBody): Promise<SiteViews> {
    const { userId, organizationId } = caller;
    const distinct = [...new Map(views.map(({ name, search }) => [name.trim(), search]))].map(
      ([name, search]) => ({ name, search }),
    );
    return this.#db.transaction().execute(async (tx) => {
      await this.#users.lockProfile(tx, userId);
      const before = await this.#users.siteViews(tx, userId);
      if (isDeepStrictEqual(before, distinct)) return { views: distinct };
      await this.#users.setSiteViews(tx, userId, distinct);
      await recordAudit(tx, actorOf(caller), new Date(this.#clock.now()), {
        action: 'account.changed',
        userId,
        organizationId,
        details: { site_views: { from: namesOf(before), to: namesOf(distinct) } },
      });
      return { views: distinct };
    });
  }

  /** Changes the name and the phone number of the caller's own account. Both are recorded, each where it changed. */
  async updateProfile(caller: Caller, body: UpdateProfileBody): Promise<User> {
    const { userId, organizationId } = caller;
    await this.#db.transaction().execute(async (tx) => {
      const before = await this.#users.lockProfile(tx, userId);
      if (before === undefined) return;
      const after = profileOf(body, before);
      const events = changesOf(before, after);
      if (events.length === 0) return;
      await this.#users.setProfile(tx, userId, after);
      const about = events.map((event) => ({ ...event, userId, organizationId }));
      await recordAudits(tx, actorOf(caller), new Date(this.#clock.now()), about);
    });
    return this.current(caller);
  }
}

function namesOf(views: readonly SiteView[]): string {
  return views.map(({ name }) => name).join(', ');
}

/** The profile after a change. */
function profileOf(body: UpdateProfileBody, before: Profile): Profile {
  const { first_name: first, last_name: last, phone_number: phone } = body;
  return {
    first_name: first?.trim() ?? before.first_name,
    last_name: last?.trim() ?? before.last_name,
    phone_number: phone === undefined ? before.phone_number : phone?.trim() || null,
  };
}

/** The records of a change; none where all is as before. */
function changesOf(before: Profile, after: Profile): readonly AuditEvent[] {
  const names = differences(before, after, ['first_name', 'last_name']);
  const others = differences(before, after, ['phone_number']);
  return [
    ...(names === undefined ? [] : [{ action: 'account.renamed', details: names } as const]),
    ...(others === undefined ? [] : [{ action: 'account.changed', details: others } as const]),
  ];
}

/** `{ from, to }` of each of the fields that differs; undefined where none does. */
function differences(
  before: Profile,
  after: Profile,
  fields: readonly (keyof Profile)[],
): AuditEvent['details'] | undefined {
  const changed = fields.filter((field) => before[field] !== after[field]);
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
}
