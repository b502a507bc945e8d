import { isLocale, type UpdateUserBody, type User, type UserListQuery } from '@heliograph/contracts';
import { type Clock, Unauthorized, ValidationError } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import { pageFrom } from '../../db/page.ts';
import { directoryOf } from './policy.ts';
import { presentUser } from './present.ts';
import { searchTermsOf } from './query.ts';
import type { UserRepository } from './repository.ts';

export class UserService {
  readonly #users: UserRepository;
  readonly #clock: Clock;

  constructor(users: UserRepository, clock: Clock) {
    this.#users = users;
    this.#clock = clock;
  }

  /** The caller's own account. */
  async current(caller: Caller): Promise<User> {
    const current = await this.#users.current(caller);
    if (current === undefined) throw new Unauthorized('The account no longer exists');
    return presentUser(current.user, current.organization);
  }

  /** A page of the accounts the caller sees; a limit above the largest page is served as the largest page. */
  async list(caller: Caller, query: UserListQuery): Promise<User[]> {
    const words = searchTermsOf(query.q);
    if (words === undefined) return [];
    const organizations = await this.#users.organizationsOf(caller);
    const employers = organizations.filter(({ isEmployer }) => isEmployer).map(({ id }) => id);
    const organization = organizations.find(({ id }) => id === caller.organizationId) ?? null;
    const users = await this.#users.list(directoryOf(caller, employers), words, pageFrom(query));
    return users.map((user) => presentUser(user, organization));
  }

  /** The organization that a caller's new sites belong to: that of the token, else the user's own. */
  async organizationForNewSites({ userId, organizationId }: Caller): Promise<number | null> {
    return organizationId ?? (await this.#users.homeOrganizationOf(userId));
  }

  /** Changes the caller's own account. @throws ValidationError for a language that there is not */
  async update(caller: Caller, { locale }: UpdateUserBody): Promise<User> {
    if (!isLocale(locale)) throw new ValidationError({ locale: ['is not included in the list'] });
    await this.#users.setLocale(caller, locale, new Date(this.#clock.now()));
    return this.current(caller);
  }
}
