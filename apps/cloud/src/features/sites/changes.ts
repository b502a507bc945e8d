import type {
  AuditAction,
  DescribeSiteBody,
  RenameSiteBody,
  SiteSummary,
  SiteWithToken,
} from '@heliograph/contracts';
import { type Clock, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { requirePermission, sitePermissions } from '../../access/site-permissions.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { ProxyService } from '../proxies/service.ts';
import type { SiteCredentialIssuer } from './credentials.ts';
import type { SiteRecord } from './records.ts';
import type { SiteRepository } from './repository.ts';
import { requireSiteName, withUniqueName } from './site-name.ts';
import { presentSummary } from './summary.ts';
import { presentWithToken } from './with-token.ts';

export interface SiteChangesOptions {
  readonly db: Database;
  readonly sites: SiteRepository;
  readonly credentials: SiteCredentialIssuer;
  readonly proxies: ProxyService;
  readonly clock: Clock;
}

/** Changes what is stored of a site, each change with its audit entry. */
export class SiteChanges {
  readonly #options: SiteChangesOptions;

  constructor(options: SiteChangesOptions) {
    this.#options = options;
  }

  /**
   * Changes a site's name, and with it its hostname.
   *
   * @throws NotFound; Forbidden; ValidationError for a name that is blank, taken, reserved, or no hostname
   */
  async rename(caller: Caller, id: number, { name }: RenameSiteBody): Promise<SiteWithToken> {
    const site = await this.#manageable(caller, id);
    if (name === null || name.trim() === '') throw new ValidationError({ name: ["can't be blank"] });
    requireSiteName(name, site.name);
    await withUniqueName(this.#options.db, (tx) => this.#set(tx, caller, id, 'site.renamed', 'name', name));
    return presentWithToken(caller, { ...site, name }, this.#options);
  }

  /** Changes a site's description; a blank one is stored as null. @throws NotFound; Forbidden */
  async describe(caller: Caller, id: number, { description }: DescribeSiteBody): Promise<SiteSummary> {
    const { db, proxies } = this.#options;
    const site = await this.#manageable(caller, id);
    const text = description?.trim() || null;
    await db.transaction().execute((tx) => this.#set(tx, caller, id, 'site.described', 'description', text));
    return presentSummary({ ...site, description: text }, await proxies.directory());
  }

  async #manageable(caller: Caller, id: number): Promise<SiteRecord> {
    const site = orNotFound(await this.#options.sites.find(caller, id));
    requirePermission(sitePermissions(caller, site), 'manage');
    return site;
  }

  /** No change and no record when the value is the same. */
  async #set(
    tx: Database,
    caller: Caller,
    siteId: number,
    action: AuditAction,
    column: 'name' | 'description',
    to: string | null,
  ): Promise<void> {
    const { [column]: from, organizationId } = await tx
      .selectFrom('sites')
      .select(['name', 'description', 'organization_id as organizationId'])
      .where('id', '=', siteId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (from === to) return;
    await tx.updateTable('sites').set(column, to).where('id', '=', siteId).execute();
    const at = new Date(this.#options.clock.now());
    await recordAudit(tx, actorOf(caller), at, { action, organizationId, siteId, details: { from, to } });
  }
}
