import {
  type ListQuery,
  MAX_ID,
  MAX_LIMIT,
  type RegisterSiteBody,
  type Site,
  type SiteAuthorization,
  type SiteSummary,
} from '@heliograph/contracts';
import { NotFound, Unprocessable, ValidationError } from '@heliograph/kit';
import { Unavailable } from '../../problems.ts';
import type { AccountService } from '../accounts/service.ts';
import type { KeyService } from '../keys/service.ts';
import type { ProxyService } from '../proxies/service.ts';
import type { Caller } from '../tokens/policy.ts';
import { isSiteName, SITE_NAME_RULE } from './name.ts';
import { accessOf, listOrder } from './policy.ts';
import { presentAuthorization, presentSite, presentSummary } from './present.ts';
import { parseSiteQuery } from './query.ts';
import { type Claim, SiteNameTaken, type SiteRecord, type SiteRepository } from './repository.ts';

const DEFAULT_LIMIT = 20;

/** When to come back while no proxy was ever seen, in seconds. */
const NO_PROXY_RETRY_S = 5;

export class SiteService {
  readonly #sites: SiteRepository;
  readonly #accounts: AccountService;
  readonly #proxies: ProxyService;
  readonly #keys: KeyService;

  constructor(sites: SiteRepository, accounts: AccountService, proxies: ProxyService, keys: KeyService) {
    this.#sites = sites;
    this.#accounts = accounts;
    this.#proxies = proxies;
    this.#keys = keys;
  }

  /** A page of the sites the caller sees; a limit above the largest page is served as the largest page. */
  async list(caller: Caller, { offset = 0, limit = DEFAULT_LIMIT, q }: ListQuery): Promise<SiteSummary[]> {
    const page = {
      order: listOrder(caller),
      offset: Math.min(offset, MAX_ID),
      limit: Math.min(limit, MAX_LIMIT),
    };
    const [sites, proxies] = await Promise.all([
      this.#sites.list(caller, parseSiteQuery(q), page),
      this.#proxies.directory(),
    ]);
    return sites.map((site) => presentSummary(site, proxies));
  }

  /** @throws NotFound when there is no such site, or none the caller sees */
  async show(caller: Caller, id: number): Promise<Site> {
    const site = await this.#visible(caller, id);
    const [members, proxies] = await Promise.all([this.#sites.members(id), this.#proxies.directory()]);
    return presentSite(site, members, proxies);
  }

  /** @throws NotFound; Unavailable while no proxy has ever been seen */
  async authorize(caller: Caller, id: number): Promise<SiteAuthorization> {
    const site = await this.#visible(caller, id);
    const { region, online, proxyName } = site;
    const directory = await this.#proxies.directory();
    const proxy = directory.serving({ region, online: online ?? false, proxyName });
    if (proxy === undefined) throw new Unavailable('No proxy is available', NO_PROXY_RETRY_S);
    const access = accessOf(caller, site.role);
    const credentials = await this.#keys.authorizeSite(
      { siteId: site.id, userId: caller.userId, access },
      site.keyVersion,
    );
    return presentAuthorization(site, proxy.host, credentials);
  }

  /**
   * Registers an activated device to the caller's account as a new site; the same account again gets the site
   * as it is.
   *
   * @throws NotFound for an unknown uid and for another account's device alike; Unprocessable while the device
   * is not activated; ValidationError for a name that is taken or is no hostname
   */
  async register(caller: Caller, body: RegisterSiteBody): Promise<SiteSummary> {
    const [region, organizationId] = await Promise.all([
      this.#proxies.regionForNewSites(),
      this.#accounts.organizationForNewSites(caller),
    ]);
    const claim = await this.#claim(body, region, caller.userId, organizationId);
    if (claim.outcome === 'inactive') throw new Unprocessable('The device is not activated yet');
    const site = 'siteId' in claim ? await this.#sites.find(caller, claim.siteId) : undefined;
    if (site?.ownerId !== caller.userId) throw new NotFound();
    return presentSummary(site, await this.#proxies.directory());
  }

  async #claim(
    { uid, name = null, description = null }: RegisterSiteBody,
    region: string,
    ownerId: number,
    organizationId: number | null,
  ): Promise<Claim> {
    try {
      return await this.#sites.claim(uid, () => {
        if (name !== null && !isSiteName(name)) throw new ValidationError({ name: [SITE_NAME_RULE] });
        return { name, description, region, ownerId, organizationId };
      });
    } catch (error) {
      throw error instanceof SiteNameTaken ? new ValidationError({ name: ['is already taken'] }) : error;
    }
  }

  async #visible(caller: Caller, id: number): Promise<SiteRecord> {
    const site = await this.#sites.find(caller, id);
    if (site === undefined) throw new NotFound();
    return site;
  }
}
