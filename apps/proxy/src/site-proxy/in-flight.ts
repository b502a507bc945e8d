import type { SiteTokenClaims } from '@heliograph/wire';

/** A request or a WebSocket that was let through and is still under way. */
export interface InFlightRequest {
  readonly claims: SiteTokenClaims;
  /** Whether it lasts: a WebSocket. */
  readonly isWebSocket: boolean;
  /** Ends it, whatever it still had to bring. */
  end(): void;
}

/** Requests and WebSockets in flight, by site. */
export class InFlight {
  readonly #bySite = new Map<number, Set<InFlightRequest>>();
  #requests = 0;
  #webSockets = 0;

  /** How many requests are under way, WebSockets aside. */
  get requests(): number {
    return this.#requests;
  }

  /** How many WebSockets are. */
  get webSockets(): number {
    return this.#webSockets;
  }

  add(inFlightRequest: InFlightRequest): void {
    const { siteId } = inFlightRequest.claims;
    const ofSite = this.#bySite.get(siteId);
    if (ofSite === undefined) this.#bySite.set(siteId, new Set([inFlightRequest]));
    else ofSite.add(inFlightRequest);
    if (inFlightRequest.isWebSocket) this.#webSockets++;
    else this.#requests++;
  }

  remove(inFlightRequest: InFlightRequest): void {
    const { siteId } = inFlightRequest.claims;
    const ofSite = this.#bySite.get(siteId);
    if (ofSite?.delete(inFlightRequest) !== true) return;
    if (ofSite.size === 0) this.#bySite.delete(siteId);
    if (inFlightRequest.isWebSocket) this.#webSockets--;
    else this.#requests--;
  }

  /** Ends the WebSockets of one site, or of all. */
  endWebSockets(siteId?: number): void {
    const sites = siteId === undefined ? [...this.#bySite.values()] : [this.#bySite.get(siteId) ?? []];
    for (const ofSite of sites)
      for (const inFlightRequest of [...ofSite]) if (inFlightRequest.isWebSocket) inFlightRequest.end();
  }

  /** Ends all whose claims are no longer good. */
  endUnless(isGood: (claims: SiteTokenClaims) => boolean): void {
    for (const ofSite of [...this.#bySite.values()]) {
      for (const inFlightRequest of [...ofSite]) if (!isGood(inFlightRequest.claims)) inFlightRequest.end();
    }
  }
}
