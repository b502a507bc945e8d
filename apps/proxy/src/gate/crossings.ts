import type { SiteTokenClaims } from '@heliograph/wire';

/** A request or a WebSocket that was let through and is still under way. */
export interface Crossing {
  readonly claims: SiteTokenClaims;
  /** Whether it lasts: a WebSocket. */
  readonly lasts: boolean;
  /** Ends it, whatever it still had to bring. */
  end(): void;
}

/** What is under way to which site. */
export class Crossings {
  readonly #bySite = new Map<number, Set<Crossing>>();
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

  add(crossing: Crossing): void {
    const { siteId } = crossing.claims;
    const ofSite = this.#bySite.get(siteId);
    if (ofSite === undefined) this.#bySite.set(siteId, new Set([crossing]));
    else ofSite.add(crossing);
    if (crossing.lasts) this.#webSockets++;
    else this.#requests++;
  }

  remove(crossing: Crossing): void {
    const { siteId } = crossing.claims;
    const ofSite = this.#bySite.get(siteId);
    if (ofSite?.delete(crossing) !== true) return;
    if (ofSite.size === 0) this.#bySite.delete(siteId);
    if (crossing.lasts) this.#webSockets--;
    else this.#requests--;
  }

  /** Ends the WebSockets of one site, or of all. */
  endWebSockets(siteId?: number): void {
    const sites = siteId === undefined ? [...this.#bySite.values()] : [this.#bySite.get(siteId) ?? []];
    for (const ofSite of sites) for (const crossing of [...ofSite]) if (crossing.lasts) crossing.end();
  }

  /** Ends all whose claims are no longer good. */
  endUnless(isGood: (claims: SiteTokenClaims) => boolean): void {
    for (const ofSite of [...this.#bySite.values()]) {
      for (const crossing of [...ofSite]) if (!isGood(crossing.claims)) crossing.end();
    }
  }
}
