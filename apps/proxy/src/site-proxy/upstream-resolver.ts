import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@heliograph/kit';
import { knownRefusal, type Refusal } from '../http/refuse.ts';
import { NOT_HERE, OFFLINE } from '../links/relay-handlers.ts';
import type { Upstream } from '../links/upstream.ts';
import { type Peers, PeerUnreachable } from '../relay/peers.ts';
import type { SiteLocator } from '../relay/site-locator.ts';
import type { RecentlyLeft } from '../tunnels/recently-left.ts';
import type { SessionRegistry } from '../tunnels/session-registry.ts';
import { CONNECTION_LOST } from './refusals.ts';

/** How long to wait before it is looked again where a site went, in milliseconds. */
const RETRY_INTERVAL_MS = 150;
/** The same while the proxy that held the site is lost, and all of its devices are on their way. */
const LOST_RETRY_MS = 1_000;
/** How long devices take to leave a proxy that died without notice, in milliseconds. */
const LOST_PROXY_MS = 5_000;

export const BUSY = knownRefusal({ status: 503, error: 'Site is busy', headers: { 'retry-after': '1' } });
/** The site may well be online. */
const LOCATION_UNKNOWN = knownRefusal({
  status: 503,
  error: 'Site is not connected here, and it cannot be found out where it is',
  headers: { 'retry-after': '5' },
});
const PEER_UNREACHABLE = knownRefusal({
  status: 503,
  error: 'The proxy that holds the site cannot be reached',
  headers: { 'retry-after': '2' },
});

export interface UpstreamResolverOptions {
  /** The proxy's own name. */
  readonly proxyName: string;
  readonly registry: SessionRegistry;
  readonly recentlyLeft: RecentlyLeft;
  readonly locator: SiteLocator;
  readonly peers: Peers;
  /** How long requests for the sites of a proxy that cannot be dialled any more are held, in milliseconds. */
  readonly lostProxyMs?: number | undefined;
  /** The same as that of the peers. */
  readonly clock: Pick<Clock, 'monotonic'>;
}

type Found = Upstream | Refusal;

/** Finds who takes a site's requests: its device, when it is connected here, or else the proxy where it is. */
export class UpstreamResolver {
  readonly #options: UpstreamResolverOptions;

  constructor(options: UpstreamResolverOptions) {
    this.#options = options;
  }

  /** @param relayed whether another proxy passed the request on, which then goes to a device here or nowhere */
  resolve(siteId: number, relayed: boolean): Found | Promise<Found> {
    const here = this.#here(siteId);
    if (here !== undefined) return here;
    return relayed ? NOT_HERE : this.#search(siteId, this.#options.recentlyLeft.waitMs(siteId));
  }

  /**
   * @param first who took a request first
   * @param relayed as for {@link resolve}
   * @returns finds at each call who takes the request after the one before refused it unprocessed, most likely since the
   *   device just moved
   */
  successors(first: Upstream, siteId: number, relayed: boolean): () => Promise<Found> {
    const { moveGraceMs } = this.#options.recentlyLeft;
    let lastFound: Found = first;
    let refusals = 0;
    return async () => {
      const waitedMs = refusals * RETRY_INTERVAL_MS;
      const isFirst = refusals++ === 0;
      if (waitedMs > moveGraceMs) return OFFLINE;
      if (!isFirst) await delay(RETRY_INTERVAL_MS);
      const here = this.#here(siteId);
      // A device that stays and refuses again does not want this request.
      if (here === lastFound && !isFirst) return CONNECTION_LOST;
      lastFound = here ?? (relayed ? NOT_HERE : await this.#search(siteId, moveGraceMs - waitedMs, 0));
      return lastFound;
    };
  }

  #here(siteId: number): Found | undefined {
    const session = this.#options.registry.find(siteId);
    if (session === undefined || session.link.isClosing) return undefined;
    return session.isSaturated ? BUSY : session.link;
  }

  /** @param maxAgeMs how old the cloud's answer may be */
  async #search(siteId: number, waitMs: number, maxAgeMs?: number): Promise<Found> {
    const { clock } = this.#options;
    const untilMs = clock.monotonic() + waitMs;
    let ageMs = maxAgeMs;
    for (;;) {
      const found = (await this.#elsewhere(siteId, ageMs)) ?? this.#here(siteId);
      const isLost = found instanceof PeerUnreachable;
      if (found !== undefined && !isLost) return found;
      const { lostProxyMs = LOST_PROXY_MS } = this.#options;
      const deadlineMs = isLost ? found.sinceMs + lostProxyMs : untilMs;
      if (clock.monotonic() >= deadlineMs) return isLost ? PEER_UNREACHABLE : OFFLINE;
      const pauseMs = isLost ? Math.min(LOST_RETRY_MS, lostProxyMs) : RETRY_INTERVAL_MS;
      const here = await this.#awaitHere(siteId, pauseMs);
      if (here !== undefined) return here;
      ageMs = pauseMs / 2;
    }
  }

  /** @returns undefined when the device does not turn up here in time */
  async #awaitHere(siteId: number, waitMs: number): Promise<Found | undefined> {
    for (let waitedMs = 0; waitedMs < waitMs; waitedMs += RETRY_INTERVAL_MS) {
      await delay(Math.min(RETRY_INTERVAL_MS, waitMs - waitedMs));
      const here = this.#here(siteId);
      if (here !== undefined) return here;
    }
    return undefined;
  }

  /** @returns undefined when no other proxy has the site */
  async #elsewhere(
    siteId: number,
    maxAgeMs: number | undefined,
  ): Promise<Found | PeerUnreachable | undefined> {
    const { locator, peers, proxyName } = this.#options;
    let location: Awaited<ReturnType<SiteLocator['byId']>>;
    try {
      location = await locator.byId(siteId, maxAgeMs);
    } catch {
      return LOCATION_UNKNOWN;
    }
    const { proxy = null, relay_token: token = null } = location ?? {};
    if (proxy === null || token === null || proxy.name === proxyName) return undefined;
    try {
      return await peers.connect(proxy, token);
    } catch (error) {
      if (!(error instanceof PeerUnreachable)) throw error;
      // The site may have gone elsewhere since the cloud was asked.
      return maxAgeMs === undefined ? this.#elsewhere(siteId, RETRY_INTERVAL_MS / 2) : error;
    }
  }
}
