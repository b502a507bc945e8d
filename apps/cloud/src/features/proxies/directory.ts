import { type SiteAddress, siteAddress } from './site-address.ts';

/** A proxy as it last announced itself. */
export interface ProxyRecord {
  readonly name: string;
  readonly region: string;
  /** Sites of its region are browsed at names below it; null: they are not. */
  readonly regionDomain: string | null;
  /** What clients put after the scheme. */
  readonly host: string;
  /** Where devices and other proxies dial. */
  readonly url: string;
  /** How many devices it is to hold at most. */
  readonly capacity: number;
  readonly draining: boolean;
  /** Whether the operator wants it emptied. */
  readonly drainWanted: boolean;
  readonly sessionCount: number;
  readonly announcedAt: Date;
  /** Whether it has a credential: no device or client is sent to one that has none. */
  readonly isTrusted: boolean;
}

/** Where a device is, or was, as its row has it; all null for a site without one. */
export interface Presence {
  readonly online: boolean | null;
  /** The proxy that holds the device, or held it last. */
  readonly proxyName: string | null;
  /** Out of date while the device is online. */
  readonly lastSeenAt: Date | null;
}

/** What decides where a site's requests go. */
export interface Placement extends Presence {
  readonly region: string;
  /** The region that its device asked for. */
  readonly requestedRegion: string | null;
}

/** What decides where a device is to dial. */
export interface DialRequest {
  readonly presence: Presence;
  /** Regions in the order of preference; any other serves while they have no proxy with room. */
  readonly regions: readonly (string | null)[];
  /** Names of proxies that the device could not reach. */
  readonly unreachable?: readonly string[];
}

/** A proxy silent for longer than this, in milliseconds, is taken for gone. */
const SILENCE_LIMIT_MS = 20_000;

/** The region of sites that are registered before any proxy was ever seen. */
const DEFAULT_REGION = 'local';

const NOWHERE: Presence = { online: null, proxyName: null, lastSeenAt: null };

/** The known proxies at one moment. */
export class ProxyDirectory {
  readonly #known: readonly ProxyRecord[];
  readonly #trusted: readonly ProxyRecord[];
  readonly #live: readonly ProxyRecord[];
  readonly #loadOf: (proxy: ProxyRecord) => number;

  /** @param loadOf how full a proxy is, in parts of its capacity */
  constructor(known: readonly ProxyRecord[], nowMs: number, loadOf: (proxy: ProxyRecord) => number) {
    this.#known = known;
    this.#trusted = known.filter(({ isTrusted }) => isTrusted);
    this.#live = known.filter((proxy) => isLive(proxy, nowMs));
    this.#loadOf = loadOf;
  }

  /** Names of the proxies that can hold a device now. */
  liveNames(): string[] {
    return this.#live.map(({ name }) => name);
  }

  /** Names of the proxies that announced themselves after a moment, live or not. */
  announcedAfter(date: Date): string[] {
    return this.#known.filter(({ announcedAt }) => announcedAt > date).map(({ name }) => name);
  }

  /** Whether a proxy besides the named one takes devices. */
  hasOpenBesides(name: string): boolean {
    return this.#live.some((proxy) => proxy.name !== name && isOpen(proxy));
  }

  /** The proxy that holds a device now, also one that is being emptied. */
  holder({ online, proxyName }: Presence): ProxyRecord | undefined {
    return online === true ? this.#live.find(({ name }) => name === proxyName) : undefined;
  }

  /** When a device was last heard of: while it is online, with its proxy, even if that has fallen silent since. */
  lastSeen({ online, proxyName, lastSeenAt }: Presence): Date | null {
    const proxy = online === true ? this.#known.find(({ name }) => name === proxyName) : undefined;
    return proxy?.announcedAt ?? lastSeenAt;
  }

  /**
   * Where a device should dial: the least loaded proxy of the first of the regions that has one with room. A device
   * that is online only wants another token and stays where it is, unless that is to be emptied, or a region it
   * prefers has room.
   *
   * @returns undefined while every proxy is gone or being emptied
   */
  proxyForDevice(request: DialRequest): ProxyRecord | undefined {
    const { regions, unreachable = [] } = request;
    const open = this.#live.filter(isOpen);
    const reachable = open.filter(({ name }) => !unreachable.includes(name));
    const candidates = reachable.length > 0 ? reachable : open;
    const withRoom = candidates.filter((proxy) => this.#loadOf(proxy) < 1);
    const best = this.#best(withRoom.length > 0 ? withRoom : candidates, regions);
    const holder = this.holder(request.presence);
    if (holder === undefined || !candidates.includes(holder)) return best;
    const isBetter = best !== undefined && rankOf(best, regions) < rankOf(holder, regions);
    return isBetter && withRoom.includes(best) ? best : holder;
  }

  /** Where a site's requests go: the proxy that holds its device; failing that, where the device will likely dial. */
  proxyForSite(placement: Placement): ProxyRecord | undefined {
    const regions = [placement.requestedRegion, placement.region];
    return (
      this.holder(placement) ??
      this.proxyForDevice({ presence: NOWHERE, regions }) ??
      this.#best(this.#live, regions) ??
      this.#latest(this.#trusted)
    );
  }

  /**
   * Where a site can be browsed: below the domain of its own region, within which its name is its alone, whichever
   * proxy holds its device.
   *
   * @returns undefined when no proxy of its region, or none with a domain, is known
   */
  siteAddress(siteName: string, placement: Placement): SiteAddress | undefined {
    const ofRegion = this.#trusted.filter(({ region }) => region === placement.region);
    const serving = this.proxyForSite(placement);
    const proxy =
      ofRegion.find((candidate) => candidate === serving) ??
      this.#best(
        ofRegion.filter((candidate) => this.#live.includes(candidate)),
        [],
      ) ??
      this.#latest(ofRegion);
    return proxy && siteAddress(siteName, proxy);
  }

  /** The region of a new site: the one that its device asked for, if a proxy of it is known. */
  regionForNewSite(asked: string | null): string {
    if (asked !== null && this.#trusted.some(({ region }) => region === asked)) return asked;
    const proxy = this.proxyForDevice({ presence: NOWHERE, regions: [] }) ?? this.#latest(this.#trusted);
    return proxy?.region ?? DEFAULT_REGION;
  }

  /** The least loaded of those in the most preferred region. */
  #best(proxies: readonly ProxyRecord[], regions: DialRequest['regions']): ProxyRecord | undefined {
    return proxies.toSorted(
      (a, b) =>
        rankOf(a, regions) - rankOf(b, regions) ||
        this.#loadOf(a) - this.#loadOf(b) ||
        a.name.localeCompare(b.name),
    )[0];
  }

  /** The one that announced itself last, however long ago. */
  #latest(proxies: readonly ProxyRecord[]): ProxyRecord | undefined {
    return proxies.toSorted((a, b) => b.announcedAt.getTime() - a.announcedAt.getTime())[0];
  }
}

/** Whether a proxy can hold devices: it is trusted, and was heard of lately. */
export function isLive(
  { announcedAt, isTrusted }: Pick<ProxyRecord, 'announcedAt' | 'isTrusted'>,
  nowMs: number,
): boolean {
  return isTrusted && nowMs - announcedAt.getTime() <= SILENCE_LIMIT_MS;
}

/** Whether a proxy takes devices. */
function isOpen({ draining, drainWanted }: ProxyRecord): boolean {
  return !draining && !drainWanted;
}

/** How little a proxy's region is preferred: 0 for the first of the regions. */
function rankOf({ region }: ProxyRecord, regions: DialRequest['regions']): number {
  const rank = regions.indexOf(region);
  return rank === -1 ? regions.length : rank;
}
