/** Text by key in the storage of the browser. It never throws: browsers that block storage have none. */
export interface BrowserStorage {
  /** @returns null where there is none, and in a browser that blocks storage */
  get(key: string): string | null;
  /** @returns whether the browser stored it; otherwise it is there until the page ends */
  set(key: string, value: string): boolean;
  remove(key: string): void;
}

/** Shared by all tabs, and kept when they are closed. */
export const browserStorage: BrowserStorage = neverThrowing(() => localStorage);

/** Of this tab, and kept when it loads again. */
export const tabStorage: BrowserStorage = neverThrowing(() => sessionStorage);

/** @param storage throws in a browser that blocks it */
function neverThrowing(storage: () => Storage): BrowserStorage {
  const unstored = new Map<string, string>();
  const attempt = <Result>(step: (storage: Storage) => Result): Result | undefined => {
    try {
      return step(storage());
    } catch {
      return undefined;
    }
  };
  return {
    get: (key) => unstored.get(key) ?? attempt((each) => each.getItem(key)) ?? null,
    set(key, value) {
      const isStored = attempt((each) => {
        each.setItem(key, value);
        return true;
      });
      if (isStored === true) unstored.delete(key);
      else unstored.set(key, value);
      return isStored === true;
    },
    remove(key) {
      unstored.delete(key);
      attempt((each) => each.removeItem(key));
    },
  };
}
