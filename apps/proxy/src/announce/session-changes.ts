import type { ProxySession } from '@heliograph/contracts';

/** Which devices came and went since the cloud was told last. */
export class SessionChanges {
  #added = new Map<string, ProxySession>();
  #removed = new Set<string>();

  added(uid: string, siteId: number): void {
    this.#added.set(uid, { uid, site_id: siteId });
  }

  removed(uid: string): void {
    const cameSince = this.#added.delete(uid);
    // Of one that came and left, the cloud never heard; it counts what it is told.
    if (!cameSince || this.#removed.has(uid)) this.#removed.add(uid);
  }

  /** The changes, which are then taken for told. The cloud takes what was removed first: devices leave and come back. */
  take(): { readonly removed: string[]; readonly added: ProxySession[] } {
    const taken = { removed: [...this.#removed], added: [...this.#added.values()] };
    this.#added = new Map();
    this.#removed = new Set();
    return taken;
  }
}
