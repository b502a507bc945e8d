/** A proxy as it last announced itself. */
export interface ProxyRecord {
  readonly name: string;
  readonly region: string;
  /** What clients put after the scheme. */
  readonly host: string;
  /** Where devices dial. */
  readonly url: string;
  readonly sessionCount: number;
  readonly announcedAt: Date;
}

/** What decides where a site's requests go. */
export interface Placement {
  readonly region: string;
  readonly online: boolean;
  /** The proxy that holds the device, or held it last. */
  readonly proxyName: string | null;
}

/** A proxy silent for longer than this, in milliseconds, is taken for gone. */
export const PROXY_SILENCE_LIMIT_MS = 20_000;

/** The known proxies at one moment. */
export class ProxyDirectory {
  readonly #known: readonly ProxyRecord[];
  readonly #live: readonly ProxyRecord[];

  constructor(known: readonly ProxyRecord[], nowMs: number) {
    this.#known = known;
    this.#live = known.filter(({ announcedAt }) => nowMs - announcedAt.getTime() <= PROXY_SILENCE_LIMIT_MS);
  }

  /** Names of the proxies that can hold a device now. */
  live(): string[] {
    return this.#live.map(({ name }) => name);
  }

  /** Where a device should dial: the live proxy with the fewest sessions, one of the region if there is any. */
  best(region?: string): ProxyRecord | undefined {
    const inRegion = this.#live.filter((proxy) => proxy.region === region);
    return (inRegion.length > 0 ? inRegion : this.#live).toSorted(
      (a, b) => a.sessionCount - b.sessionCount || a.name.localeCompare(b.name),
    )[0];
  }

  /** Where a site's requests go: the proxy that holds its device; failing that, where the device will likely dial. */
  serving({ region, online, proxyName }: Placement): ProxyRecord | undefined {
    const holder = this.#live.find(({ name }) => online && name === proxyName);
    return holder ?? this.best(region) ?? this.latest();
  }

  /** The proxy that announced itself last, however long ago. */
  latest(): ProxyRecord | undefined {
    return this.#known.toSorted((a, b) => b.announcedAt.getTime() - a.announcedAt.getTime())[0];
  }
}
