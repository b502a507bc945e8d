import type { OrganizationSite, ShareSiteBody } from '@heliograph/contracts';
import { type Clock, NotFound } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { SiteAccess } from '../../access/site-access.ts';
import { orNotFound } from '../../common/errors.ts';
import { requireSharingOrganization, requireStaff } from './policy.ts';
import type { OrganizationSiteRepository, Share } from './repository.ts';

/** Sites shared with an organization by consent of their owners. */
export class OrganizationSiteService {
  readonly #shares: OrganizationSiteRepository;
  readonly #access: SiteAccess;
  readonly #clock: Clock;

  constructor(shares: OrganizationSiteRepository, access: SiteAccess, clock: Clock) {
    this.#shares = shares;
    this.#access = access;
    this.#clock = clock;
  }

  /**
   * Lets the organization of the caller's application read the site of the token; a second call changes nothing.
   *
   * @throws Forbidden for other tokens, and for members who only read; NotFound for every other site
   */
  async share(caller: Caller, { site_id: siteId }: ShareSiteBody): Promise<OrganizationSite> {
    const share = { organizationId: requireSharingOrganization(caller), siteId };
    await this.#access.require(caller, siteId, 'share');
    await this.#shares.add(share, caller.userId, actorOf(caller), new Date(this.#clock.now()));
    return presentOrganizationSite(share);
  }

  /** @throws Forbidden unless the caller is an operator; NotFound when there is no such share */
  async unshare(caller: Caller, share: Share): Promise<void> {
    requireStaff(caller);
    orNotFound(await this.#access.find(caller, share.siteId));
    const removed = await this.#shares.remove(share, actorOf(caller), this.#clock);
    if (!removed) throw new NotFound();
  }
}

function presentOrganizationSite({ organizationId, siteId }: Share): OrganizationSite {
  return { organization_id: organizationId, site_id: siteId, access: 'read' };
}
