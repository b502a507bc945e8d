import { randomBytes } from 'node:crypto';
import type {
  ConsentRequest,
  ConsentSignInBody,
  ConsentSite,
  ConsentSitesQuery,
  Session,
} from '@heliograph/contracts';
import { type Clock, Forbidden, Unauthorized, ValidationError } from '@heliograph/kit';
import type { AccountService } from '../../features/accounts/service.ts';
import type { ApplicationService } from '../../features/applications/service.ts';
import type { GrantService } from '../../features/grants/service.ts';
import type { IdentityService } from '../../features/identity/service.ts';
import type { SiteService } from '../../features/sites/service.ts';
import type { Caller } from '../../features/tokens/policy.ts';
import type { TokenService } from '../../features/tokens/service.ts';
import type { Visitor } from '../../visitor.ts';
import type { OAuthServer } from '../server.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { presentConsentRequest, presentConsentSite } from './present.ts';

/** A page of the list that a person chooses from; more are found by searching. */
const SITES_SHOWN = 50;

export interface ConsentDeskOptions {
  readonly server: OAuthServer;
  readonly accounts: AccountService;
  readonly applications: ApplicationService;
  readonly grants: GrantService;
  readonly identity: IdentityService;
  readonly sites: SiteService;
  readonly tokens: TokenService;
  /** Where clients reach the cloud. */
  readonly cloudUrl: () => string;
  readonly clock: Clock;
}

/** Whoever is signed in, and since when. */
export interface Person {
  readonly caller: Caller;
  readonly signedInAt: Date;
}

/** Where people are asked what a program may have, and answer. */
export class ConsentDesk {
  readonly #options: ConsentDeskOptions;

  readonly server: OAuthServer;
  readonly clock: Clock;

  constructor(options: ConsentDeskOptions) {
    this.#options = options;
    this.server = options.server;
    this.clock = options.clock;
  }

  /** Where the consent page comes from. */
  origin(): string {
    return new URL(this.#options.cloudUrl()).origin;
  }

  /** Who a session token stands for; undefined for none, and for one that is no session or has ended. */
  async personBehind(token: string | undefined, visitor: Visitor): Promise<Person | undefined> {
    if (token === undefined) return undefined;
    const { tokens, identity } = this.#options;
    try {
      const caller = await tokens.authenticate(token, visitor);
      if (caller.kind !== 'session') return undefined;
      const signedInAt = await identity.signedInAt(caller);
      return { caller, signedInAt };
    } catch (error) {
      if (error instanceof Unauthorized) return undefined;
      throw error;
    }
  }

  /** @throws as signing in does anywhere: Unauthorized, Unconfirmed, TooManyRequests */
  signIn({ email, password }: ConsentSignInBody, visitor: Visitor): Promise<Session> {
    return this.#options.accounts.signIn.signIn({ email, password, organization_id: 'none' }, visitor);
  }

  /** Ends the session of the browser. */
  signOut(caller: Caller): Promise<void> {
    return this.#options.accounts.sessions.end(caller);
  }

  /** What the page shows. Whoever has to sign in again first counts as nobody. */
  async show(asked: AuthorizationRequest, person: Person | undefined): Promise<ConsentRequest> {
    const { applications, grants, identity } = this.#options;
    const userId = person && isSignedInFor(asked, person) ? person.caller.userId : undefined;
    const [application, user, siteChosenBefore] = await Promise.all([
      applications.client(asked.clientId),
      userId === undefined ? undefined : identity.claimsOf(userId),
      userId === undefined ? null : grants.siteChosenBefore(userId, asked.clientId),
    ]);
    return presentConsentRequest({
      asked,
      application,
      user,
      choosesSite: choosesSite(asked),
      siteChosenBefore,
    });
  }

  /** A page of the sites that the person owns or is a member of: of more they may decide nothing. */
  async sites(caller: Caller, { q = '', offset = 0 }: ConsentSitesQuery): Promise<ConsentSite[]> {
    const terms = `${q} user_id:${caller.userId}`.trim();
    const sites = await this.#options.sites.list(caller, { q: terms, offset, limit: SITES_SHOWN });
    return sites.map(presentConsentSite);
  }

  /**
   * Allows what was asked for.
   *
   * @param siteId the site that was chosen, where one is to be
   * @returns where the browser goes next
   * @throws ValidationError without a site of the person's own; Forbidden when they have to sign in again first
   */
  async allow(asked: AuthorizationRequest, person: Person, siteId: number | null): Promise<string> {
    const { caller, signedInAt } = person;
    if (!isSignedInFor(asked, person)) throw new Forbidden('Sign in again to go on');
    const chosen = choosesSite(asked) ? await this.#ownSite(caller, siteId) : null;
    const grantId = await this.#grant(asked, caller, chosen);
    return asked.answer({ userId: caller.userId, signedInAtMs: signedInAt.getTime(), grantId });
  }

  /** @returns where the browser goes next */
  deny(asked: AuthorizationRequest): Promise<string> {
    return asked.answer('denied');
  }

  async #ownSite(caller: Caller, siteId: number | null): Promise<number> {
    if (siteId === null) throw new ValidationError({ site_id: ["can't be blank"] });
    const site = await this.#options.sites.visible(caller, siteId).catch(() => undefined);
    // Employees and operators see sites of others; sharing these with a third party is not theirs to decide.
    if (site === undefined || site.role === null)
      throw new ValidationError({ site_id: ['is not one of your sites'] });
    return site.id;
  }

  async #grant(asked: AuthorizationRequest, caller: Caller, siteId: number | null): Promise<string> {
    const { server, applications, grants } = this.#options;
    const { clientId, clientName, scopes, resource } = asked;
    const id = randomBytes(24).toString('base64url');
    const application = await applications.client(clientId);
    await grants.add(caller, {
      id,
      clientId,
      clientName,
      organizationId: application?.organizationId ?? null,
      userId: caller.userId,
      siteId,
      scopes,
    });
    const { Grant } = server.provider();
    const grant = new Grant({ accountId: String(caller.userId), clientId });
    grant.jti = id;
    grant.addOIDCScope(scopes.join(' '));
    if (resource !== null) grant.addResourceScope(resource, scopes.join(' '));
    await grant.save();
    return id;
  }
}

/** Whether the person signed in as late as the program wants it. */
export function isSignedInFor({ signedInSinceMs }: AuthorizationRequest, { signedInAt }: Person): boolean {
  return signedInAt.getTime() >= signedInSinceMs;
}

/** Whether the program asks for one site, which the person has to choose. */
function choosesSite({ scopes }: AuthorizationRequest): boolean {
  return scopes.includes('sites:read_single');
}
