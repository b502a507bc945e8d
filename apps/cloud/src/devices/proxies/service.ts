import type { Clock } from '@heliograph/kit';
import type { Database } from '../../db/open.ts';
import { type DialRequest, ProxyDirectory, type ProxyRecord } from './directory.ts';
import { selectProxies } from './rows.ts';

/** The values that a proxy's load is computed from. */
interface ProxyLoad {
  readonly name: string;
  readonly capacity: number;
  readonly sessionCount: number;
  readonly announcedAt: Date;
}

/** Assignments are counted in spans of this many milliseconds. */
const SPAN_MS = 100;

/** Devices sent to a proxy in one span of time. */
interface Span {
  readonly endMs: number;
  count: number;
}

/**
 * Devices assigned to a proxy since its last announcement, of which there can be thousands. Each process of the cloud
 * counts its own, which spreads the devices of all processes evenly too.
 */
export class Assignments {
  readonly #spans = new Map<string, Span[]>();

  add(proxyName: string, nowMs: number): void {
    const spans = this.#spans.get(proxyName) ?? [];
    this.#spans.set(proxyName, spans);
    const last = spans.at(-1);
    if (last !== undefined && nowMs < last.endMs) last.count += 1;
    else spans.push({ endMs: nowMs + SPAN_MS, count: 1 });
  }

  /** Sessions and assignments as a share of the capacity; 1 is full. */
  loadOf({ name, capacity, sessionCount, announcedAt }: ProxyLoad): number {
    return (sessionCount + this.#since(name, announcedAt.getTime())) / capacity;
  }

  #since(proxyName: string, sinceMs: number): number {
    const spans = this.#spans.get(proxyName);
    if (spans === undefined) return 0;
    const recent = spans.filter(({ endMs }) => endMs > sinceMs);
    if (recent.length === 0) this.#spans.delete(proxyName);
    else if (recent.length < spans.length) this.#spans.set(proxyName, recent);
    return recent.reduce((sum, { count }) => sum + count, 0);
  }
}

export type { Placement, Presence, ProxyDirectory } from './directory.ts';

/** Longest age of the cached directory, in milliseconds. */
const DIRECTORY_AGE_LIMIT_MS = 1_000;

/** The directory of proxies, and the assignment of devices to them. */
export class ProxyService {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #assignments = new Assignments();
  #cached: { readonly sinceMs: number; readonly proxies: Promise<readonly ProxyRecord[]> } | undefined;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Cached for a second: nearly every request needs it, and proxies change seldom. */
  async directory(): Promise<ProxyDirectory> {
    const nowMs = this.#clock.now();
    if (this.#cached === undefined || nowMs - this.#cached.sinceMs >= DIRECTORY_AGE_LIMIT_MS) {
      this.#cache(nowMs, selectProxies(this.#db));
    }
    const proxies = (await this.#cached?.proxies) ?? [];
    return new ProxyDirectory(proxies, nowMs, (proxy) => this.#assignments.loadOf(proxy));
  }

  /** Applies an announcement of a proxy to the cache of this process, without a query. */
  update(announced: ProxyRecord): void {
    if (this.#cached === undefined) return;
    const { sinceMs, proxies } = this.#cached;
    this.#cache(
      sinceMs,
      proxies.then((cached) => [...cached.filter(({ name }) => name !== announced.name), announced]),
    );
  }

  /** Chooses the proxy for a device and counts the assignment. @returns undefined while no proxy takes devices */
  async assign(request: DialRequest): Promise<ProxyRecord | undefined> {
    const directory = await this.directory();
    const proxy = directory.proxyForDevice(request);
    if (proxy !== undefined && proxy !== directory.holder(request.presence)) {
      this.#assignments.add(proxy.name, this.#clock.now());
    }
    return proxy;
  }

  #cache(sinceMs: number, proxies: Promise<readonly ProxyRecord[]>): void {
    const cached = { sinceMs, proxies };
    this.#cached = cached;
    proxies.catch(() => {
      if (this.#cached === cached) this.#cached = undefined;
    });
  }
}
