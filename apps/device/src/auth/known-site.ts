import type { KeyValueStore } from '../storage/key-value.ts';

const KEY = 'site_id';

/** The site this device is registered as: learnt from the cloud, kept so that tokens work without it. */
export class KnownSite {
  readonly #store: KeyValueStore;
  #id: number | null;

  constructor(store: KeyValueStore) {
    this.#store = store;
    const stored = Number(store.get(KEY));
    this.#id = Number.isInteger(stored) && stored > 0 ? stored : null;
  }

  /** Null while the device belongs to no account. */
  get id(): number | null {
    return this.#id;
  }

  set(id: number | null): void {
    if (id === this.#id) return;
    if (id === null) this.#store.delete(KEY);
    else this.#store.set(KEY, String(id));
    this.#id = id;
  }
}
