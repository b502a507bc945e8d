import type { Upstream } from '../forward/upstream.ts';
import type { Refusal } from '../http/refuse.ts';
import type { SessionRegistry } from '../sessions/session-registry.ts';

const OFFLINE: Refusal = { status: 503, error: 'Site is offline', headers: { 'retry-after': '5' } };
const BUSY: Refusal = { status: 503, error: 'Site is busy', headers: { 'retry-after': '1' } };

/** Finds who takes a site's requests. */
export class SiteRoutes {
  readonly #registry: SessionRegistry;

  constructor(registry: SessionRegistry) {
    this.#registry = registry;
  }

  find(siteId: number): Upstream | Refusal | Promise<Upstream | Refusal> {
    const session = this.#registry.find(siteId);
    if (session === undefined || session.gone) return OFFLINE;
    return session.busy ? BUSY : session;
  }
}
