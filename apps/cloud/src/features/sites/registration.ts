import type {
  DescribeSiteBody,
  RegisterSiteBody,
  RenameSiteBody,
  SiteSummary,
  SiteWithToken,
} from '@heliograph/contracts';
import { type Clock, NotFound, Unprocessable, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { readsSites, requirePermission, sitePermissions } from '../../access/site-permissions.ts';
import { orNotFound } from '../../common/errors.ts';
import type { RateLimits, RateRule } from '../../limits/rate-limits.ts';
import type { ProxyDirectory, ProxyService } from '../proxies/service.ts';
import type { UserService } from '../users/service.ts';
import type { SiteCredentialIssuer } from './credentials.ts';
import { presentSummary } from './present.ts';
import type { SiteRecord } from './records.ts';
import { type Change, type Claim, SiteNameTaken, type SiteRegistry } from './registry.ts';
import type { SiteRepository } from './repository.ts';

/** Look-ups of uids that the caller cannot register. A page that waits for a device to come online polls twice a second. */
export const MISSES_BY_ADDRESS: RateRule = { name: 'site_uid_by_address', points: 120, durationS: 60 };
export const MISSES_BY_ACCOUNT: RateRule = { name: 'site_uid_by_account', points: 120, durationS: 60 };

export interface SiteRegistrationOptions {
  readonly sites: SiteRepository;
  readonly registry: SiteRegistry;
  readonly credentials: SiteCredentialIssuer;
  readonly users: Pick<UserService, 'organizationForNewSites'>;
  readonly proxies: ProxyService;
  readonly limits: RateLimits;
  readonly clock: Clock;
}

/** Registers devices as sites of accounts, and names the sites. */
export class SiteRegistration {
  readonly #options: SiteRegistrationOptions;

  constructor(options: SiteRegistrationOptions) {
    this.#options = options;
  }

  /**
   * Registers an activated device to the caller's account as a new site; the same account again gets the site
   * as it is.
   *
   * @throws NotFound for an unknown uid and for another account's device alike; Unprocessable while the device
   * is not activated; ValidationError for a name that is taken or is no hostname; TooManyRequests, but never for
   * a site that is the account's already
   */
  async register(caller: Caller, body: RegisterSiteBody): Promise<SiteWithToken> {
    const { sites, proxies, users, limits } = this.#options;
    // The answer is in the account's list of sites anyway, so it does not count as an attempt.
    const own = await sites.ownedByDevice(caller, body.uid);
    if (own !== undefined) return this.#present(caller, own);
    // Consumed first and returned on success: concurrent attempts do not evade the limit.
    await limits.consume(MISSES_BY_ADDRESS, caller.network);
    await limits.consume(MISSES_BY_ACCOUNT, String(caller.userId));
    const [directory, organizationId] = await Promise.all([
      proxies.directory(),
      users.organizationForNewSites(caller),
    ]);
    const claim = await this.#claim(caller, body, directory, organizationId);
    if (claim.outcome === 'inactive') throw new Unprocessable('The device is not activated yet');
    const site = 'siteId' in claim ? await sites.find(caller, claim.siteId) : undefined;
    if (site?.ownerId !== caller.userId) throw new NotFound();
    await limits.reward(MISSES_BY_ADDRESS, caller.network);
    await limits.reward(MISSES_BY_ACCOUNT, String(caller.userId));
    return this.#present(caller, site);
  }

  /**
   * Changes a site's name, and with it its hostname.
   *
   * @throws NotFound; Forbidden; ValidationError for a name that is blank, taken, or no hostname
   */
  async rename(caller: Caller, id: number, { name }: RenameSiteBody): Promise<SiteWithToken> {
    const { sites, registry } = this.#options;
    const site = orNotFound(await sites.find(caller, id));
    requirePermission(sitePermissions(caller, site), 'manage');
    if (name === null || name.trim() === '') throw new ValidationError({ name: ["can't be blank"] });
    requireSiteName(name);
    await refuseTakenName(registry.rename(id, name, this.#changeBy(caller)));
    return this.#present(caller, { ...site, name });
  }

  /** Changes a site's description; a blank one is stored as null. @throws NotFound; Forbidden */
  async describe(caller: Caller, id: number, { description }: DescribeSiteBody): Promise<SiteSummary> {
    const { sites, registry, proxies } = this.#options;
    const site = orNotFound(await sites.find(caller, id));
    requirePermission(sitePermissions(caller, site), 'manage');
    const text = description?.trim() || null;
    await registry.describe(id, text, this.#changeBy(caller));
    return presentSummary({ ...site, description: text }, await proxies.directory());
  }

  #claim(
    caller: Caller,
    { uid, name = null, description = null }: RegisterSiteBody,
    proxies: ProxyDirectory,
    organizationId: number | null,
  ): Promise<Claim> {
    const site = (requestedRegion: string | null) => {
      if (name !== null) requireSiteName(name);
      const region = proxies.regionForNewSite(requestedRegion);
      return { name, description, region, ownerId: caller.userId, organizationId };
    };
    return refuseTakenName(this.#options.registry.claim(uid, site, this.#changeBy(caller)));
  }

  async #present(caller: Caller, site: SiteRecord): Promise<SiteWithToken> {
    const { proxies, credentials } = this.#options;
    const summary = presentSummary(site, await proxies.directory());
    if (!readsSites(caller)) return summary;
    const { token } = await credentials.issue(caller, site.id);
    return { ...summary, token };
  }

  #changeBy(caller: Caller): Change {
    return { actor: actorOf(caller), at: new Date(this.#options.clock.now()) };
  }
}

/** A hostname label: 1 to 63 letters, digits and hyphens, no hyphen at either end (RFC 1123, 2.1). */
const HOSTNAME_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Continues "name ..." in the error. */
const SITE_NAME_RULE =
  'must be a hostname label: letters, digits and hyphens, at most 63, no hyphen at the ends';

/** The name of a site is also its hostname on the proxy. @throws ValidationError */
function requireSiteName(name: string): void {
  if (!HOSTNAME_LABEL.test(name)) throw new ValidationError({ name: [SITE_NAME_RULE] });
}

async function refuseTakenName<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    throw error instanceof SiteNameTaken ? new ValidationError({ name: ['is already taken'] }) : error;
  }
}
