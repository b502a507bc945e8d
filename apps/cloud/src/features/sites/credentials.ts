import type { Clock } from '@heliograph/kit';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { KeyService } from '../keys/service.ts';
import { actorOf, type Caller } from '../tokens/policy.ts';
import { accessOf } from './policy.ts';
import type { SiteRecord } from './records.ts';

export interface SiteCredentials {
  readonly siteKey: string;
  readonly token: string;
}

/** Site tokens for callers who see the site. */
export class SiteCredentialIssuer {
  readonly #db: Database;
  readonly #keys: KeyService;
  readonly #clock: Clock;

  constructor(db: Database, keys: KeyService, clock: Clock) {
    this.#db = db;
    this.#keys = keys;
    this.#clock = clock;
  }

  /** As much access as the caller has on the site; that settings can be changed from now on is recorded. */
  async issue(caller: Caller, site: SiteRecord): Promise<SiteCredentials> {
    const access = accessOf(caller, site.role);
    if (access === 'write') {
      const { id: siteId, organizationId } = site;
      await recordAudit(this.#db, actorOf(caller), new Date(this.#clock.now()), {
        action: 'site.write_authorized',
        siteId,
        organizationId,
      });
    }
    return this.#keys.authorizeSite({ siteId: site.id, userId: caller.userId, access }, site.keyVersion);
  }

  /** To look whether the site answers, and for nothing else. */
  issueForProbe(caller: Caller, site: SiteRecord): Promise<SiteCredentials> {
    const claims = { siteId: site.id, userId: caller.userId, access: 'read' } as const;
    return this.#keys.authorizeSite(claims, site.keyVersion);
  }
}
