import type {
  AuditAction,
  DescribeSiteBody,
  RenameSiteBody,
  SetSiteTagsBody,
  SiteInstallation,
  SiteSummary,
  SiteTags,
  SiteUpdates,
  SiteWithToken,
} from '@heliograph/contracts';
import { BLANK } from '@heliograph/contracts';
import { foldText } from '@heliograph/contracts/folded-text';
import { type Clock, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { requirePermission, sitePermissions } from '../../access/site-permissions.ts';
import { orNotFound } from '../../common/errors.ts';
import { inTagOrder } from '../../common/tag-order.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { ProxyService } from '../../devices/proxies/service.ts';
import type { SiteCredentialIssuer } from './credentials.ts';
import { presentUpdates } from './present.ts';
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
    return presentSummary(
      { ...site, description: text },
      sitePermissions(caller, site),
      await proxies.directory(),
    );
  }

  /** Chooses the releases that the device takes. @throws NotFound; Forbidden */
  async setUpdates(caller: Caller, id: number, { channel, automatic }: SiteUpdates): Promise<SiteUpdates> {
    const { db, sites, clock } = this.#options;
    const site = orNotFound(await sites.find(caller, id));
    requirePermission(sitePermissions(caller, site), 'configure');
    await db.transaction().execute(async (tx) => {
      const before = await tx
        .selectFrom('sites')
        .select(['update_channel', 'automatic_updates', 'organization_id as organizationId'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const [from, to] = [describeUpdates(presentUpdates(before)), describeUpdates({ channel, automatic })];
      if (from === to) return;
      const columns = { update_channel: channel, automatic_updates: automatic };
      await tx.updateTable('sites').set(columns).where('id', '=', id).execute();
      if (channel !== before.update_channel) {
        const chosen = { beta: channel === 'beta', is_channel_chosen: true };
        await tx.updateTable('devices').set(chosen).where('site_id', '=', id).execute();
      }
      const { organizationId } = before;
      const event = {
        action: 'site.updates_changed',
        organizationId,
        siteId: id,
        details: { from, to },
      } as const;
      await recordAudit(tx, actorOf(caller), new Date(clock.now()), event);
    });
    return { channel, automatic };
  }

  /** Replaces the tags of a site. @throws NotFound; Forbidden; ValidationError for one with a comma */
  async setTags(caller: Caller, id: number, body: SetSiteTagsBody): Promise<SiteTags> {
    await this.#manageable(caller, id);
    if (body.tags.some((tag) => tag.includes(',')))
      throw new ValidationError({ tags: ["can't have commas"] });
    const tags = distinctTags(body.tags);
    await this.#setColumns(caller, id, 'site.tags_changed', { tags }, (site) =>
      inTagOrder(site.tags).join(', '),
    );
    return { tags };
  }

  /** Sets peak power and location. @throws NotFound; Forbidden; ValidationError for half a location */
  async setInstallation(caller: Caller, id: number, body: SiteInstallation): Promise<SiteInstallation> {
    await this.#manageable(caller, id);
    const { peak_power_kwp, latitude, longitude } = body;
    if ((latitude === null) !== (longitude === null))
      throw new ValidationError({ [latitude === null ? 'latitude' : 'longitude']: [BLANK] });
    const columns = { peak_power_kwp, latitude, longitude };
    await this.#setColumns(caller, id, 'site.installation_changed', columns, describeInstallation);
    return columns;
  }

  async #setColumns(
    caller: Caller,
    siteId: number,
    action: AuditAction,
    columns: Partial<EnteredColumns>,
    describe: (site: EnteredColumns) => string,
  ): Promise<void> {
    const { db, clock } = this.#options;
    await db.transaction().execute(async (tx) => {
      const { organizationId, ...before } = await tx
        .selectFrom('sites')
        .select(['tags', 'peak_power_kwp', 'latitude', 'longitude', 'organization_id as organizationId'])
        .where('id', '=', siteId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const [from, to] = [describe(before), describe({ ...before, ...columns })];
      if (from === to) return;
      await tx.updateTable('sites').set(columns).where('id', '=', siteId).execute();
      const event = { action, organizationId, siteId, details: { from, to } };
      await recordAudit(tx, actorOf(caller), new Date(clock.now()), event);
    });
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

interface EnteredColumns extends SiteInstallation {
  tags: string[];
}

/** Trimmed, by name, each once in any letter case. */
function distinctTags(tags: readonly string[]): string[] {
  const byWord = new Map<string, string>();
  for (const tag of tags) {
    const word = tag.trim();
    const folded = foldText(word);
    if (!byWord.has(folded)) byWord.set(folded, word);
  }
  return inTagOrder([...byWord.values()]);
}

function describeInstallation({ peak_power_kwp: power, latitude, longitude }: SiteInstallation): string {
  const parts = [power === null ? '' : `${power} kWp`, latitude === null ? '' : `${latitude}, ${longitude}`];
  return parts.filter((part) => part !== '').join('; ');
}

/** As audit entries have it. */
function describeUpdates({ channel, automatic }: SiteUpdates): string {
  return `${channel}, ${automatic ? 'automatic' : 'by hand'}`;
}
