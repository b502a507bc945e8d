import type { OrganizationSite, ShareSiteBody } from '@heliograph/contracts';
import { type Clock, NotFound } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { SiteAccess } from '../../access/site-access.ts';
import { orNotFound } from '../../common/errors.ts';
import type { Database } from '../../db/open.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import { requireSharingOrganization, requireStaff } from './policy.ts';
import { type AddedShare, OrganizationSiteRepository, type Share } from './repository.ts';

/** Sites shared with an organization by consent of their owners. */
export class OrganizationSiteService {
  readonly #db: Database;
  readonly #shares: OrganizationSiteRepository;
  readonly #access: SiteAccess;
  readonly #mail: Pick<MailService, 'enqueue'>;
  readonly #clock: Clock;

  constructor(db: Database, access: SiteAccess, mail: Pick<MailService, 'enqueue'>, clock: Clock) {
    this.#db = db;
    this.#shares = new OrganizationSiteRepository();
    this.#access = access;
    this.#mail = mail;
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
    const at = new Date(this.#clock.now());
    await this.#db.transaction().execute(async (tx) => {
      const added = await this.#shares.add(tx, share, caller.userId, actorOf(caller), at);
      if (added !== undefined) await this.#mailOwner(tx, caller, added, at);
    });
    return presentOrganizationSite(share);
  }

  async #mailOwner(tx: Database, { address }: Caller, { ownerId, ...names }: AddedShare, at: Date) {
    const about = { ...names, at: at.toISOString(), address };
    await this.#mail.enqueue(tx, { kind: 'siteShared', userId: ownerId, organizationId: null, ...about });
  }

  /** @throws Forbidden unless the caller is an operator; NotFound when there is no such share */
  async unshare(caller: Caller, share: Share): Promise<void> {
    requireStaff(caller);
    orNotFound(await this.#access.find(caller, share.siteId));
    await this.#db.transaction().execute((tx) => this.removeIn(tx, caller, share));
  }

  /** As part of a transaction, for a caller who may. @throws NotFound when there is no such share */
  async removeIn(tx: Database, caller: Caller, share: Share): Promise<void> {
    if (!(await this.#shares.remove(tx, share, actorOf(caller), this.#clock))) throw new NotFound();
  }
}

function presentOrganizationSite({ organizationId, siteId }: Share): OrganizationSite {
  return { organization_id: organizationId, site_id: siteId, access: 'read' };
}
