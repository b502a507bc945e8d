import { MAX_ID, SESSION_SCOPES, type Session, type SignInBody, type User } from '@heliograph/contracts';
import { type Clock, Unauthorized, ValidationError } from '@heliograph/kit';
import { Unconfirmed } from '../../problems.ts';
import { newToken, tokenHash } from './opaque-token.ts';
import { hashPassword, isOutdated, passwordMatches } from './password.ts';
import type { Caller } from './policy.ts';
import { type OrganizationName, presentSession, presentUser } from './present.ts';
import type { AccountRepository, CredentialRecord } from './repository.ts';

const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** `last_used_at` is for people; one write in this time is precise enough. */
const LAST_USED_PRECISION_MS = 5 * 60 * 1000;

export class AccountService {
  readonly #accounts: AccountRepository;
  readonly #clock: Clock;

  constructor(accounts: AccountRepository, clock: Clock) {
    this.#accounts = accounts;
    this.#clock = clock;
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

  /** @throws Unauthorized unless the token exists, has not expired and was not revoked */
  async authenticate(token: string): Promise<Caller> {
    const nowMs = this.#clock.now();
    const record = await this.#accounts.liveToken(tokenHash(token), new Date(nowMs));
    if (record === undefined) throw new Unauthorized('The token is invalid or has expired');
    if (nowMs - (record.lastUsedAt?.getTime() ?? 0) > LAST_USED_PRECISION_MS) {
      await this.#accounts.markTokenUsed(record.id, new Date(nowMs));
    }
    return {
      userId: record.userId,
      staff: record.staff,
      scopes: new Set(record.scopes),
      organizationId: record.organizationId,
      siteId: record.siteId,
    };
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
    const token = newToken('session');
    const nowMs = this.#clock.now();
    const expiresAtMs = nowMs + SESSION_LIFETIME_MS;
    await this.#accounts.addToken({
      kind: 'session',
      hash: tokenHash(token),
      userId: account.id,
      scopes: SESSION_SCOPES,
      organizationId: organization?.id ?? null,
      createdAt: new Date(nowMs),
      expiresAt: new Date(expiresAtMs),
    });
    return presentSession(token, expiresAtMs, account, organization);
  }
}
