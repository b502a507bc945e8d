import type { SiteState } from '@heliograph/contracts';
import { type SiteAddress, siteAddress } from './site-address.ts';

/** A proxy as it last announced itself. */
export interface ProxyRecord {
  readonly name: string;
  readonly region: string;
  /** Domain above the hosts of the region's sites; null when they are not browsed. */
  readonly regionDomain: string | null;
  /** Host for clients, with a port where it is not the default. */
  readonly host: string;
  /** URL for devices and other proxies. */
  readonly url: string;
  /** Most devices that it is to hold. */
  readonly capacity: number;
  readonly draining: boolean;
  /** Whether an operator drains it. */
  readonly drainWanted: boolean;
  readonly sessionCount: number;
  readonly announcedAt: Date;
  /** Whether it has a credential: no device or client is sent to one that has none. */
  readonly isTrusted: boolean;
}

/** The proxy and presence in a device's row; all null for a site without device. */
export interface Presence {
  readonly online: boolean | null;
  /** The proxy that holds the device, or held it last. */
  readonly proxyName: string | null;
  /** Out of date while the device is online. */
  readonly lastSeenAt: Date | null;
}

/** Presence and hardware in a device's row. */
export interface KnownDevice extends Presence {
  /** Since when hardware has not answered it, as it reported last. */
  readonly hardwareSilentSince: Date | null;
}

/** The inputs for the choice of a proxy for a site's requests. */
export interface Placement extends Presence {
  readonly region: string;
  /** The region that its device requests. */
  readonly requestedRegion: string | null;
}

/** The inputs for the choice of a proxy for a device. */
export interface DialRequest {
  readonly presence: Presence;
  /** Regions in the order of preference; other regions are used while these have no free capacity. */
  readonly regions: readonly (string | null)[];
  /** Names of proxies that the device could not reach. */
  readonly unreachable?: readonly string[];
}

/** A proxy without an announcement for longer than this, in milliseconds, is gone. */
const SILENCE_LIMIT_MS = 20_000;

/** The region of sites that are registered before any proxy was ever seen. */
const DEFAULT_REGION = 'local';

const NO_PRESENCE: Presence = { online: null, proxyName: null, lastSeenAt: null };

/** The proxies at one moment. */
export class ProxyDirectory {
  readonly #known: readonly ProxyRecord[];
  readonly #trusted: readonly ProxyRecord[];
  readonly #live: readonly ProxyRecord[];
  readonly #loadOf: (proxy: ProxyRecord) => number;

  /** @param loadOf load of a proxy as a share of its capacity */
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

  /** The live proxy that holds a device, draining or not. */
  holder({ online, proxyName }: Presence): ProxyRecord | undefined {
    return online === true ? this.#live.find(({ name }) => name === proxyName) : undefined;
  }

  /** How a device stands, as the lists of sites and devices and their badges have it. */
  stateOf(device: KnownDevice): SiteState {
    if (this.holder(device) !== undefined)
      return device.hardwareSilentSince === null ? 'online' : 'hardware_silent';
    return device.online !== true && device.lastSeenAt === null ? 'never_seen' : 'offline';
  }

  /** The date of the last announcement with the device: its proxy's last one while it is online, live or not. */
  lastSeen({ online, proxyName, lastSeenAt }: Presence): Date | null {
    const proxy = online === true ? this.#known.find(({ name }) => name === proxyName) : undefined;
    return proxy?.announcedAt ?? lastSeenAt;
  }

  /**
   * The proxy that a device is to dial: the least loaded one of the first region with free capacity. A device that is
   * online only needs another token and stays where it is, unless that proxy drains or a preferred region has free
   * capacity.
   *
   * @returns undefined while every proxy is gone or draining
   */
  proxyForDevice(request: DialRequest): ProxyRecord | undefined {
    const { regions, unreachable = [] } = request;
    const open = this.#live.filter(isOpen);
    const reachable = open.filter(({ name }) => !unreachable.includes(name));
    const candidates = reachable.length > 0 ? reachable : open;
    const withCapacity = candidates.filter((proxy) => this.#loadOf(proxy) < 1);
    const best = this.#best(withCapacity.length > 0 ? withCapacity : candidates, regions);
    const holder = this.holder(request.presence);
    if (holder === undefined || !candidates.includes(holder)) return best;
    const isBetter = best !== undefined && rankOf(best, regions) < rankOf(holder, regions);
    return isBetter && withCapacity.includes(best) ? best : holder;
  }

  /** The proxy for a site's requests: the one that holds its device; failing that, the one that the device will likely dial. */
  proxyForSite(placement: Placement): ProxyRecord | undefined {
    const regions = [placement.requestedRegion, placement.region];
    return (
      this.holder(placement) ??
      this.proxyForDevice({ presence: NO_PRESENCE, regions }) ??
      this.#best(this.#live, regions) ??
      this.#latest(this.#trusted)
    );
  }

  /**
   * The address of a site in browsers: below the domain of its own region, within which its name is unique, whichever
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

  /** The region of a new site: the one that its device requests, if a proxy of it is known. */
  regionForNewSite(requested: string | null): string {
    if (requested !== null && this.#trusted.some(({ region }) => region === requested)) return requested;
    const proxy = this.proxyForDevice({ presence: NO_PRESENCE, regions: [] }) ?? this.#latest(this.#trusted);
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

  /** The proxy with the last announcement, however long ago. */
  #latest(proxies: readonly ProxyRecord[]): ProxyRecord | undefined {
    return proxies.toSorted((a, b) => b.announcedAt.getTime() - a.announcedAt.getTime())[0];
  }
}

/** Whether a proxy can hold devices: it has a credential, and announced itself lately. */
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

/** Index of the proxy's region among the preferred ones; their number for any other region. */
function rankOf({ region }: ProxyRecord, regions: DialRequest['regions']): number {
  const rank = regions.indexOf(region);
  return rank === -1 ? regions.length : rank;
}
