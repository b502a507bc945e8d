import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { KeyValueStore } from '../storage/key-value.ts';

const KEY = 'site_id';
const NAME_KEY = 'site_name';

/** A text whose bytes changed has this character. */
const WHOLE_TEXT = /^[^\uFFFD]*$/;

const STORED_ID = Compile(Type.Integer({ minimum: 1 }));

/** The site this device is registered as: learnt from the cloud, kept so that tokens work without it. */
export class RegisteredSite {
  readonly #store: KeyValueStore;
  #id: number | null;
  #name: string | null;

  constructor(store: KeyValueStore) {
    this.#store = store;
    this.#id = store.json(KEY, STORED_ID, null);
    this.#name = store.text(NAME_KEY, WHOLE_TEXT) ?? null;
  }

  /** Null while the device belongs to no account. */
  get id(): number | null {
    return this.#id;
  }

  /** Its owner's name for it, as the cloud last answered; null also while it has no name. */
  get name(): string | null {
    return this.#name;
  }

  set(id: number | null, name: string | null = null): void {
    if (id !== this.#id) this.#put(KEY, id === null ? null : String(id));
    if (name !== this.#name) this.#put(NAME_KEY, name);
    this.#id = id;
    this.#name = name;
  }

  #put(key: string, value: string | null): void {
    if (value === null) this.#store.delete(key);
    else this.#store.set(key, value);
  }
}
