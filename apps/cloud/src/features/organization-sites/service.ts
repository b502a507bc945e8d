import type { OrganizationSite, ShareSiteBody } from '@heliograph/contracts';
import { type Clock, NotFound } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { SiteAccess } from '../../access/site-access.ts';
import { orNotFound } from '../../common/errors.ts';
import { requireStaff, sharedWith } from './policy.ts';
import { presentOrganizationSite } from './present.ts';
import type { OrganizationSiteRepository, Share } from './repository.ts';

/** Sites that their owners let an organization read. */
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
   * Lets the organization of the caller's application read the site that the token was given for; again changes
   * nothing.
   *
   * @throws Forbidden for other tokens, and for members who only read; NotFound for every other site
   */
  async share(caller: Caller, { site_id: siteId }: ShareSiteBody): Promise<OrganizationSite> {
    const share = { organizationId: sharedWith(caller), siteId };
    await this.#access.require(caller, siteId, 'share');
    await this.#shares.add(share, caller.userId, actorOf(caller), new Date(this.#clock.now()));
    return presentOrganizationSite(share);
  }

  /** @throws Forbidden for everybody but operators; NotFound when the organization does not have the site */
  async unshare(caller: Caller, share: Share): Promise<void> {
    requireStaff(caller);
    orNotFound(await this.#access.find(caller, share.siteId));
    const removed = await this.#shares.remove(share, actorOf(caller), this.#clock);
    if (!removed) throw new NotFound();
  }
}
