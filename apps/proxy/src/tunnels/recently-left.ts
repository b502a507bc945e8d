/** How long a device that moves may be on its way, in milliseconds. */
const MOVE_GRACE_MS = 3_000;

/** Sites whose devices just said that they go: they are about to be reachable through another proxy. */
export class RecentlyLeft {
  readonly moveGraceMs: number;
  /** When it left, the longest ago first. */
  readonly #leftMs = new Map<number, number>();

  /** @param moveGraceMs how long a device that moves may be on its way, in milliseconds */
  constructor(moveGraceMs = MOVE_GRACE_MS) {
    this.moveGraceMs = moveGraceMs;
  }

  add(siteId: number): void {
    const nowMs = performance.now();
    for (const [site, leftMs] of this.#leftMs) {
      if (nowMs - leftMs <= this.moveGraceMs) break;
      this.#leftMs.delete(site);
    }
    this.#leftMs.delete(siteId);
    this.#leftMs.set(siteId, nowMs);
  }

  /** How long to wait for the site's device to turn up somewhere, in milliseconds; 0: it is not on its way. */
  waitMs(siteId: number): number {
    const leftMs = this.#leftMs.get(siteId);
    return leftMs === undefined ? 0 : Math.max(0, leftMs + this.moveGraceMs - performance.now());
  }
}
