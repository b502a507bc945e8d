import type { AuditAction, ProxySummary } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { orNotFound } from '../../common/errors.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { ProxyCredentialService } from './credentials.ts';
import { isLive, type ProxyRecord } from './directory.ts';
import type { PresenceService } from './presence.ts';
import type { ProxyRepository } from './repository.ts';

/** Lists, drains and deletes proxies, for operators. */
export class ProxyAdministration {
  readonly #db: Database;
  readonly #proxies: ProxyRepository;
  readonly #credentials: ProxyCredentialService;
  readonly #presence: PresenceService;
  readonly #clock: Clock;

  constructor(
    db: Database,
    proxies: ProxyRepository,
    credentials: ProxyCredentialService,
    presence: PresenceService,
    clock: Clock,
  ) {
    this.#db = db;
    this.#proxies = proxies;
    this.#credentials = credentials;
    this.#presence = presence;
    this.#clock = clock;
  }

  async list(): Promise<ProxySummary[]> {
    return (await this.#proxies.list()).map((proxy) => present(proxy, this.#clock.now()));
  }

  /**
   * Drains a proxy, or undoes that. The proxy gets the instruction in the answer to its next announcement; no device
   * is assigned to it from now on.
   *
   * @throws NotFound
   */
  async setDrainWanted(
    actor: Actor,
    name: string,
    wanted: boolean,
  ): Promise<{ proxy: ProxySummary; changed: boolean }> {
    return this.#db.transaction().execute(async (tx) => {
      const changed = await this.#proxies.setDrainWanted(tx, name, wanted);
      const proxy = orNotFound(await this.#proxies.lock(tx, name));
      if (changed)
        await this.#record(tx, actor, wanted ? 'proxy.drain_wanted' : 'proxy.drain_unwanted', name);
      return { proxy: present(proxy, this.#clock.now()), changed };
    });
  }

  /** Deletes a proxy that is gone for good. @returns false while it is live @throws NotFound */
  async forget(actor: Actor, name: string): Promise<boolean> {
    return this.#db.transaction().execute(async (tx) => {
      const proxy = orNotFound(await this.#proxies.lock(tx, name));
      if (isLive(proxy, this.#clock.now())) return false;
      await this.#forget(tx, actor, proxy);
      return true;
    });
  }

  /**
   * Revokes every credential of a proxy and deletes it, live or not.
   *
   * @throws NotFound for one that has neither a credential nor ever announced itself
   */
  async remove(actor: Actor, name: string): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      const proxy = await this.#proxies.lock(tx, name);
      // A proxy that never announced itself has credentials only.
      if (proxy === undefined || proxy.isTrusted) await this.#credentials.revokeIn(tx, actor, name);
      if (proxy !== undefined) await this.#forget(tx, actor, proxy);
    });
  }

  async #forget(tx: Database, actor: Actor, { name, announcedAt }: ProxyRecord): Promise<void> {
    const gone = { proxyName: name, before: announcedAt, sessions: [], returning: false };
    await this.#presence.replaceSessions((work) => work(tx), gone);
    await this.#proxies.forget(tx, name);
    await this.#record(tx, actor, 'proxy.forgotten', name);
  }

  #record(tx: Database, actor: Actor, action: AuditAction, name: string): Promise<void> {
    return recordAudit(tx, actor, new Date(this.#clock.now()), { action, details: { name } });
  }
}

function present(proxy: ProxyRecord, nowMs: number): ProxySummary {
  const isDraining = proxy.draining || proxy.drainWanted;
  return {
    name: proxy.name,
    region: proxy.region,
    region_domain: proxy.regionDomain,
    host: proxy.host,
    url: proxy.url,
    state: isLive(proxy, nowMs) ? (isDraining ? 'draining' : 'open') : 'gone',
    drain_wanted: proxy.drainWanted,
    sessions: proxy.sessionCount,
    capacity: proxy.capacity,
    announced_at: proxy.announcedAt.toISOString(),
  };
}
