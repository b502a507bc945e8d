import type { Clock } from '@heliograph/kit';
import { Assignments } from './assignments.ts';
import { type DialRequest, ProxyDirectory, type ProxyRecord } from './directory.ts';
import type { ProxyRepository } from './repository.ts';

export type { Placement, Presence, ProxyDirectory } from './directory.ts';

/** How old what a process knows of the proxies may be, in milliseconds. */
const DIRECTORY_AGE_LIMIT_MS = 1_000;

/** Which proxies there are, and which device goes where. */
export class ProxyService {
  readonly #proxies: ProxyRepository;
  readonly #clock: Clock;
  readonly #assignments = new Assignments();
  #known: { readonly sinceMs: number; readonly proxies: Promise<readonly ProxyRecord[]> } | undefined;

  constructor(proxies: ProxyRepository, clock: Clock) {
    this.#proxies = proxies;
    this.#clock = clock;
  }

  /** The proxies as they were at most a second ago: nearly every request asks, and they change seldom. */
  async directory(): Promise<ProxyDirectory> {
    const nowMs = this.#clock.now();
    if (this.#known === undefined || nowMs - this.#known.sinceMs >= DIRECTORY_AGE_LIMIT_MS) {
      this.#know(nowMs, this.#proxies.list());
    }
    const proxies = (await this.#known?.proxies) ?? [];
    return new ProxyDirectory(proxies, nowMs, (proxy) => this.#assignments.loadOf(proxy));
  }

  /** What a proxy just announced is known here at once, and nothing is read again for it. */
  update(announced: ProxyRecord): void {
    if (this.#known === undefined) return;
    const { sinceMs, proxies } = this.#known;
    this.#know(
      sinceMs,
      proxies.then((known) => [...known.filter(({ name }) => name !== announced.name), announced]),
    );
  }

  /** Where a device should dial, which counts it as there. @returns undefined while no proxy takes devices */
  async assign(request: DialRequest): Promise<ProxyRecord | undefined> {
    const directory = await this.directory();
    const proxy = directory.proxyForDevice(request);
    if (proxy !== undefined && proxy !== directory.holder(request.presence)) {
      this.#assignments.add(proxy.name, this.#clock.now());
    }
    return proxy;
  }

  #know(sinceMs: number, proxies: Promise<readonly ProxyRecord[]>): void {
    const known = { sinceMs, proxies };
    this.#known = known;
    proxies.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
  }
}
