import { MAX_ID, type Session, type SignInBody, type User } from '@heliograph/contracts';
import { Unauthorized, ValidationError } from '@heliograph/kit';
import { Unconfirmed } from '../../problems.ts';
import type { Caller } from '../tokens/policy.ts';
import type { TokenService } from '../tokens/service.ts';
import { hashPassword, isOutdated, passwordMatches } from './password.ts';
import { type OrganizationName, presentSession, presentUser } from './present.ts';
import type { AccountRepository, CredentialRecord } from './repository.ts';

export class AccountService {
  readonly #accounts: AccountRepository;
  readonly #tokens: TokenService;

  constructor(accounts: AccountRepository, tokens: TokenService) {
    this.#accounts = accounts;
    this.#tokens = tokens;
  }

  /**
   * @throws ValidationError when there is no such organization, Unauthorized for a wrong email, a wrong
   * password and a stranger to the organization alike, Unconfirmed
   */
  async signIn({ email, password, organization_id }: SignInBody): Promise<Session> {
    const organization = organization_id === 'none' ? null : await this.#organization(organization_id);
    const account = await this.#accounts.credentialsOf(email.trim());
    const matches = await passwordMatches(account?.passwordHash ?? null, password);
    if (account === undefined || !matches || !(await this.#mayEnter(account, organization))) {
      throw new Unauthorized('Wrong email or password');
    }
    if (account.confirmedAt === null) throw new Unconfirmed();
    await this.#renewHash(account, password);
    return this.#openSession(account, organization);
  }

  async currentUser({ userId, organizationId }: Caller): Promise<User> {
    const user = await this.#accounts.user(userId);
    if (user === undefined) throw new Unauthorized('The account no longer exists');
    const organization =
      organizationId === null ? undefined : await this.#accounts.organization(organizationId);
    return presentUser(user, organization ?? null);
  }

  /** Where a user's new sites belong: the organization of the token, else the one the user joined first. */
  async organizationForNewSites({ userId, organizationId }: Caller): Promise<number | null> {
    return organizationId ?? (await this.#accounts.homeOrganizationOf(userId));
  }

  async #organization(id: number): Promise<OrganizationName> {
    const organization = id > MAX_ID ? undefined : await this.#accounts.organization(id);
    if (organization === undefined) throw new ValidationError({ organization_id: ['does not exist'] });
    return organization;
  }

  async #mayEnter(account: CredentialRecord, organization: OrganizationName | null): Promise<boolean> {
    if (organization === null || account.staff) return true;
    return this.#accounts.belongsTo(account.id, organization.id);
  }

  async #renewHash({ id, passwordHash }: CredentialRecord, password: string): Promise<void> {
    if (passwordHash === null || !isOutdated(passwordHash)) return;
    await this.#accounts.replacePasswordHash(id, passwordHash, await hashPassword(password));
  }

  async #openSession(account: CredentialRecord, organization: OrganizationName | null): Promise<Session> {
    const { token, expiresAtMs } = await this.#tokens.openSession(account.id, organization?.id ?? null);
    return presentSession(token, expiresAtMs, account, organization);
  }
}
