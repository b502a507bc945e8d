import type { Clock } from '@heliograph/kit';
import { Assignments } from './assignments.ts';
import { type DialRequest, ProxyDirectory, type ProxyRecord } from './directory.ts';
import type { ProxyRepository } from './repository.ts';

export type { Placement, Presence, ProxyDirectory } from './directory.ts';

/** Longest age of the cached directory, in milliseconds. */
const DIRECTORY_AGE_LIMIT_MS = 1_000;

/** The directory of proxies, and the assignment of devices to them. */
export class ProxyService {
  readonly #proxies: ProxyRepository;
  readonly #clock: Clock;
  readonly #assignments = new Assignments();
  #cached: { readonly sinceMs: number; readonly proxies: Promise<readonly ProxyRecord[]> } | undefined;

  constructor(proxies: ProxyRepository, clock: Clock) {
    this.#proxies = proxies;
    this.#clock = clock;
  }

  /** Cached for a second: nearly every request needs it, and proxies change seldom. */
  async directory(): Promise<ProxyDirectory> {
    const nowMs = this.#clock.now();
    if (this.#cached === undefined || nowMs - this.#cached.sinceMs >= DIRECTORY_AGE_LIMIT_MS) {
      this.#cache(nowMs, this.#proxies.list());
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
