import { type Clock, NotFound, Unauthorized } from '@heliograph/kit';
import { sql } from 'kysely';
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
   * @throws NotFound when the caller does not see the site any more; Unauthorized when what its user allowed has ended
   */
  issue(caller: Caller, siteId: number): Promise<SiteCredentials> {
    return this.#db.transaction().execute(async (tx) => {
      if (caller.grantId !== null) await this.#note(tx, caller.grantId, siteId);
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

  /** For what the cloud asks the site itself, in the caller's name: it only reads, and never leaves the cloud. */
  issueToRead(caller: Caller, site: SiteRecord): Promise<SiteCredentials> {
    const claims = { siteId: site.id, userId: caller.userId, access: 'read' } as const;
    return this.#keys.authorizeSite(claims, site.keyVersion);
  }

  /** Whoever ends the grant waits for this transaction, and tells the proxies of every site that is noted. */
  async #note(tx: Database, grantId: string, siteId: number): Promise<void> {
    const issuedAt = new Date(this.#clock.now());
    const { rows } = await sql`insert into oauth_site_tokens (grant_id, site_id, issued_at)
      select id, ${siteId}::integer, ${issuedAt}::timestamptz from oauth_grants
      where id = ${grantId} and revoked_at is null for key share
      on conflict (grant_id, site_id) do update set issued_at = excluded.issued_at
      returning site_id`.execute(tx);
    if (rows.length === 0) throw new Unauthorized('The token is invalid or has expired');
  }
}
