import { randomBytes } from 'node:crypto';
import type { ConsentRequest, ConsentSite, ConsentSitesQuery } from '@heliograph/contracts';
import { type Clock, NotFound, Unauthorized, ValidationError } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import type { IdentityPlatform } from '../../identity/platform.ts';
import { authenticateSession } from '../../identity/tokens/authentication.ts';
import type { OrganizationService } from '../../organizations/organizations/service.ts';
import type { SiteService } from '../../sites/sites/service.ts';
import type { ApplicationService } from '../applications/service.ts';
import type { GrantService } from '../grants/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { OAuthServer } from '../server.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { presentConsentRequest, presentConsentSite } from './present.ts';

/** Sites of the list that a person chooses from; a search finds others. */
const SITES_SHOWN = 50;

export interface ConsentServiceOptions {
  readonly server: OAuthServer;
  readonly applications: ApplicationService;
  readonly grants: GrantService;
  readonly identity: IdentityService;
  readonly organizations: OrganizationService;
  readonly sites: SiteService;
  readonly platform: IdentityPlatform;
  readonly clock: Clock;
}

/** The person who is signed in, and the time of the sign-in. */
export interface Person {
  readonly caller: Caller;
  readonly signedInAt: Date;
}

/** Shows people the authorization requests of programs, and records their decisions. */
export class ConsentService {
  readonly #options: ConsentServiceOptions;

  readonly server: OAuthServer;
  readonly grants: GrantService;
  readonly clock: Clock;

  constructor(options: ConsentServiceOptions) {
    this.#options = options;
    this.server = options.server;
    this.grants = options.grants;
    this.clock = options.clock;
  }

  /** The person of a session token; undefined without one, for another kind of token, and for an ended session. */
  async personBehind(token: string | undefined, clientAddress: ClientAddress): Promise<Person | undefined> {
    if (token === undefined) return undefined;
    const { platform, identity } = this.#options;
    try {
      const caller = await authenticateSession(platform, token, clientAddress);
      if (caller === undefined) return undefined;
      const signedInAt = await identity.signedInAt(caller);
      return { caller, signedInAt };
    } catch (error) {
      if (error instanceof Unauthorized) return undefined;
      throw error;
    }
  }

  /** The content of the page. A person who has to sign in again counts as signed out. */
  async show(authorization: AuthorizationRequest, person: Person | undefined): Promise<ConsentRequest> {
    const { identity } = this.#options;
    const isRequestedPerson = person !== undefined && isSignedInFor(authorization, person);
    const [organization, user, siteChosenBefore] = await Promise.all([
      this.#organizationOf(authorization),
      person && identity.claimsOf(person.caller.userId),
      isRequestedPerson ? this.#siteChosenBefore(authorization, person.caller) : null,
    ]);
    return presentConsentRequest({
      request: authorization,
      organization,
      user,
      isSignedInFor: isRequestedPerson,
      choosesSite: choosesSite(authorization),
      siteChosenBefore,
    });
  }

  /** Up to SITES_SHOWN of the person's own sites that match. */
  async sites({ caller }: Person, { q = '' }: ConsentSitesQuery): Promise<ConsentSite[]> {
    return this.#listSites(caller, q);
  }

  async #listSites(caller: Caller, q: string): Promise<ConsentSite[]> {
    // Employees and operators see sites of others as well. Behind a long search the term would be left out.
    const terms = `user_id:${caller.userId} ${q}`;
    const sites = await this.#options.sites.list(caller, { q: terms, offset: 0, limit: SITES_SHOWN });
    return sites.map(presentConsentSite);
  }

  /** @throws Unauthorized when the page shows another account than the one that is signed in now */
  async requireShown({ caller }: Person, email: string): Promise<void> {
    const shown = await this.#options.identity.claimsOf(caller.userId);
    if (shown?.email !== email) throw new Unauthorized('Another account is signed in');
  }

  /**
   * Grants the requested scopes.
   *
   * @param siteId the chosen site, for requests of one
   * @returns the URL that the browser goes to next
   * @throws ValidationError without a site of the person's own; NotFound when the request was answered before
   */
  async allow(authorization: AuthorizationRequest, person: Person, siteId: number | null): Promise<string> {
    const { caller, signedInAt } = person;
    const chosen = choosesSite(authorization) ? await this.#chosenSite(caller, siteId) : null;
    await authorization.claim();
    const grantId = await this.#grant(authorization, caller, chosen);
    return authorization.answer({ userId: caller.userId, signedInAtMs: signedInAt.getTime(), grantId });
  }

  /** @returns the URL that the browser goes to next @throws NotFound when the request was answered before */
  async deny(authorization: AuthorizationRequest): Promise<string> {
    await authorization.claim();
    return authorization.answer('denied');
  }

  async #organizationOf({ clientId }: AuthorizationRequest) {
    const { applications, organizations } = this.#options;
    const { organizationId = null } = (await applications.client(clientId)) ?? {};
    return organizationId === null ? undefined : organizations.show(organizationId);
  }

  async #siteChosenBefore({ clientId }: AuthorizationRequest, caller: Caller): Promise<ConsentSite | null> {
    const siteId = await this.#options.grants.siteChosenBefore(caller.userId, clientId);
    if (siteId === null) return null;
    const [site = null] = await this.#listSites(caller, `id:${siteId}`);
    return site;
  }

  async #chosenSite(caller: Caller, siteId: number | null): Promise<number> {
    if (siteId === null) throw new ValidationError({ site_id: ["can't be blank"] });
    const site = await this.#ownSite(caller, siteId);
    if (site === undefined) throw new ValidationError({ site_id: ['is not one of your sites'] });
    return site.id;
  }

  /** Employees and operators see sites of others; sharing these with a third party is not theirs to decide. */
  async #ownSite(caller: Caller, siteId: number) {
    try {
      const site = await this.#options.sites.requireVisible(caller, siteId);
      return site.role === null ? undefined : site;
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  async #grant(authorization: AuthorizationRequest, caller: Caller, siteId: number | null): Promise<string> {
    const { server, applications, grants } = this.#options;
    const { clientId, clientName, scopes, resource } = authorization;
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

/** Whether the person is the one that the program requires, with a sign-in recent enough for it. */
export function isSignedInFor(
  { signedInSinceMs, userId }: AuthorizationRequest,
  { signedInAt, caller }: Person,
): boolean {
  return signedInAt.getTime() >= signedInSinceMs && (userId === null || userId === caller.userId);
}

/** Whether the program requests one site, which the person has to choose. */
function choosesSite({ scopes }: AuthorizationRequest): boolean {
  return scopes.includes('sites:read_single');
}
