import type { ProxySession } from '@heliograph/contracts';

/** Devices that connected and disconnected since the last announcement. */
export class SessionChanges {
  #added = new Map<string, ProxySession>();
  #removed = new Set<string>();

  added(uid: string, siteId: number): void {
    this.#added.set(uid, { uid, site_id: siteId });
  }

  removed(uid: string): void {
    const cameSince = this.#added.delete(uid);
    // The cloud does not know a device that came and left between two announcements.
    if (!cameSince || this.#removed.has(uid)) this.#removed.add(uid);
  }

  /** Whether a device connected since the last announcement, which an answer to that one knows nothing of. */
  hasAdded(uid: string): boolean {
    return this.#added.has(uid);
  }

  /** Returns and clears the changes. The cloud applies removals first: devices leave and come back. */
  take(): { readonly removed: string[]; readonly added: ProxySession[] } {
    const taken = { removed: [...this.#removed], added: [...this.#added.values()] };
    this.#added = new Map();
    this.#removed = new Set();
    return taken;
  }
}
