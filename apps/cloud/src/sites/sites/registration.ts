import type { RegisterSiteBody, SiteWithToken } from '@heliograph/contracts';
import { type Clock, Unprocessable } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { RegistrationCodeRequired, UnknownDevice } from '../../common/errors.ts';
import type { RateLimits, RateRule } from '../../common/limits/rate-limits.ts';
import type { Database } from '../../db/open.ts';
import type { ProxyDirectory, ProxyService } from '../../devices/proxies/service.ts';
import { organizationForNewSites } from '../../identity/users/home-organization.ts';
import type { SiteCredentialIssuer } from './credentials.ts';
import type { Claim, SiteRegistry } from './registry.ts';
import type { SiteRepository } from './repository.ts';
import { requireSiteName } from './site-name.ts';
import { presentWithToken } from './with-token.ts';

/** Look-ups of uids that the caller cannot register. A page that waits for a device to come online polls twice a second. */
export const MISSES_BY_ADDRESS: RateRule = { name: 'site_uid_by_address', points: 120, durationS: 60 };
export const MISSES_BY_ACCOUNT: RateRule = { name: 'site_uid_by_account', points: 120, durationS: 60 };

export interface SiteRegistrationOptions {
  readonly sites: SiteRepository;
  readonly registry: SiteRegistry;
  readonly credentials: SiteCredentialIssuer;
  readonly db: Database;
  readonly proxies: ProxyService;
  readonly limits: RateLimits;
  readonly clock: Clock;
}

/** @returns null for a field that is missing or empty */
export function typedCode(code: string | null | undefined): string | null {
  return code?.trim() ? code : null;
}

/** Registers devices as sites of accounts. */
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
   * is not activated; RegistrationCodeRequired for one that was released, without a valid code; ValidationError for a name that is taken or is no hostname; TooManyRequests, but never for
   * a site that is the account's already
   */
  async register(caller: Caller, body: RegisterSiteBody): Promise<SiteWithToken> {
    const { db, sites, proxies, limits } = this.#options;
    // The answer is in the account's list of sites anyway, so it does not count as an attempt.
    const own = await sites.ownedByDevice(caller, body.uid);
    if (own !== undefined) return presentWithToken(caller, own, this.#options);
    // Consumed first and returned on success: concurrent attempts do not evade the limit.
    await limits.consume(MISSES_BY_ADDRESS, caller.network);
    await limits.consume(MISSES_BY_ACCOUNT, String(caller.userId));
    const [directory, organizationId] = await Promise.all([
      proxies.directory(),
      organizationForNewSites(db, caller),
    ]);
    const code = typedCode(body.code);
    const claim = await this.#claim(caller, { ...body, code }, directory, organizationId);
    if (claim.outcome === 'inactive') throw new Unprocessable('The device is not activated yet');
    if (claim.outcome === 'locked') throw new RegistrationCodeRequired(code !== null);
    const site = 'siteId' in claim ? await sites.find(caller, claim.siteId) : undefined;
    if (site?.ownerId !== caller.userId) throw new UnknownDevice();
    await limits.reward(MISSES_BY_ADDRESS, caller.network);
    await limits.reward(MISSES_BY_ACCOUNT, String(caller.userId));
    return presentWithToken(caller, site, this.#options);
  }

  #claim(
    caller: Caller,
    { uid, name = null, description = null, code = null }: RegisterSiteBody,
    proxies: ProxyDirectory,
    organizationId: number | null,
  ): Promise<Claim> {
    const site = (requestedRegion: string | null) => {
      if (name !== null) requireSiteName(name, null);
      const region = proxies.regionForNewSite(requestedRegion);
      return { name, description, region, ownerId: caller.userId, organizationId };
    };
    const at = new Date(this.#options.clock.now());
    return this.#options.registry.claim({ uid, code }, site, actorOf(caller), at);
  }
}
