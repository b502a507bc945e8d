import { expect, vi } from 'vitest';
import type { ProxyConfig } from '../src/config/config.ts';
import { type ProxyFacts, type ProxyOptions, startProxy } from '../src/proxy.ts';
import { MovingDevice } from './moving-device.ts';
import { type SiteCredentials, siteHeaders, TestCloud } from './test-cloud.ts';
import type { StreamHandler } from './test-device.ts';
import { testConfig } from './test-system.ts';

/** Proxies of one cloud, and devices that move between them. */
export class TestFleet implements AsyncDisposable {
  readonly cloud: TestCloud;
  readonly #proxies = new Map<string, Awaited<ReturnType<typeof startProxy>>>();
  readonly #devices: MovingDevice[] = [];

  private constructor(cloud: TestCloud) {
    this.cloud = cloud;
  }

  /** @param names of the proxies */
  static async start(names: readonly string[], options: ProxyOptions = {}): Promise<TestFleet> {
    const fleet = new TestFleet(await TestCloud.start());
    for (const name of names) await fleet.startProxy(name, options);
    return fleet;
  }

  async startProxy(
    name: string,
    options: ProxyOptions = {},
    overrides: Partial<ProxyConfig> = {},
  ): Promise<ProxyFacts> {
    const config = { ...testConfig(this.cloud.url), name, ...overrides };
    const proxy = await startProxy(config, options);
    this.#proxies.set(name, proxy);
    await vi.waitFor(() => expect(this.cloud.proxies.has(name)).toBe(true), 10_000);
    return proxy.facts;
  }

  /** Connects a device to a proxy and waits until the cloud knows. */
  async connectDevice(siteId: number, proxyName: string, onStream: StreamHandler): Promise<MovingDevice> {
    const device = new MovingDevice(this.cloud, siteId, onStream);
    this.#devices.push(device);
    await device.dial({ name: proxyName, url: this.facts(proxyName).url });
    await vi.waitFor(() => expect(this.cloud.proxies.sitesOn(proxyName)).toContain(siteId), 10_000);
    return device;
  }

  facts(name: string): ProxyFacts {
    const proxy = this.#proxies.get(name);
    if (proxy === undefined) throw new Error(`there is no proxy ${name}`);
    return proxy.facts;
  }

  /** `fetch` through a proxy with the credentials of a site. */
  fetch(
    name: string,
    credentials: SiteCredentials,
    path = '/api/v1/metrics',
    init: RequestInit = {},
  ): Promise<Response> {
    const headers = { ...siteHeaders(credentials), ...Object.fromEntries(new Headers(init.headers)) };
    return fetch(this.facts(name).url + path, { ...init, headers });
  }

  async stopProxy(name: string): Promise<void> {
    await this.#proxies.get(name)?.stop();
    this.#proxies.delete(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const device of this.#devices) device.kill();
    await Promise.all([...this.#proxies.values()].map((proxy) => proxy.stop()));
    await this.cloud.stop();
  }
}
