import { type Clock, NotFound } from '@heliograph/kit';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { KeyService } from '../keys/service.ts';
import { actorOf, type Caller } from '../tokens/policy.ts';
import { accessOf } from './policy.ts';
import type { SiteRecord } from './records.ts';
import type { SiteRepository } from './repository.ts';

export interface SiteCredentials {
  readonly siteKey: string;
  readonly token: string;
}

/** Site tokens for callers who see the site. */
export class SiteCredentialIssuer {
  readonly #db: Database;
  readonly #sites: SiteRepository;
  readonly #keys: KeyService;
  readonly #clock: Clock;

  constructor(db: Database, sites: SiteRepository, keys: KeyService, clock: Clock) {
    this.#db = db;
    this.#sites = sites;
    this.#keys = keys;
    this.#clock = clock;
  }

  /**
   * As much access as the caller has on the site; that settings can be changed from now on is recorded. Whoever is
   * losing the site at this moment gets no token dated after the revocation, which would outlive it.
   *
   * @throws NotFound when the caller does not see the site any more
   */
  issue(caller: Caller, siteId: number): Promise<SiteCredentials> {
    return this.#db.transaction().execute(async (tx) => {
      const site = await this.#sites.hold(tx, caller, siteId);
      if (site === undefined) throw new NotFound();
      const { organizationId, keyVersion, role } = site;
      const access = accessOf(caller, role);
      if (access === 'write') {
        const event = { action: 'site.write_authorized', siteId, organizationId } as const;
        await recordAudit(tx, actorOf(caller), new Date(this.#clock.now()), event);
      }
      return this.#keys.authorizeSite({ siteId, userId: caller.userId, access }, keyVersion);
    });
  }

  /** To look whether the site answers, and for nothing else. */
  issueForProbe(caller: Caller, site: SiteRecord): Promise<SiteCredentials> {
    const claims = { siteId: site.id, userId: caller.userId, access: 'read' } as const;
    return this.#keys.authorizeSite(claims, site.keyVersion);
  }
}
