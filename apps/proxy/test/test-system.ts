import { expect, vi } from 'vitest';
import type { ProxyConfig } from '../src/config/config.ts';
import { DEFAULT_LIMITS } from '../src/config/limits.ts';
import { type ProxyFacts, type ProxyOptions, startProxy } from '../src/proxy.ts';
import { type SiteCredentials, siteHeaders, TestCloud } from './test-cloud.ts';
import { type StreamHandler, TestDevice } from './test-device.ts';

/** A proxy with a test cloud beside it; devices are added by the test. */
export interface TestSystem {
  readonly cloud: TestCloud;
  readonly proxy: ProxyFacts;
  /** Connects a device and waits until the proxy serves its site. */
  connectDevice(siteId: number, onStream: StreamHandler): Promise<TestDevice>;
  /** `fetch` through the proxy with the credentials of a site. */
  fetch(path: string, credentials: SiteCredentials, init?: RequestInit): Promise<Response>;
  /** The sites of which the cloud knows that their devices are here. */
  sites(): number[];
  stopProxy(): Promise<void>;
  stop(): Promise<void>;
}

export function testConfig(cloudUrl: string): ProxyConfig {
  return {
    name: 'test-1',
    region: 'test',
    bind: '127.0.0.1',
    port: 0,
    host: undefined,
    url: undefined,
    cloudUrl,
    cloudPublicUrl: undefined,
    regionDomain: undefined,
    capacity: 40_000,
    credential: `hgp_${'t'.repeat(43)}`,
    keysFile: undefined,
    tls: undefined,
    regionTls: undefined,
    trustedProxies: [],
    proxyProtocolFrom: [],
    metricsFrom: ['127.0.0.1'],
    unlimitedFrom: ['127.0.0.1'],
    limits: DEFAULT_LIMITS,
    openTelemetry: undefined,
  };
}

export async function startTestSystem(
  options: ProxyOptions = {},
  overrides: Partial<ProxyConfig> = {},
): Promise<TestSystem> {
  const cloud = await TestCloud.start();
  const config = { ...testConfig(cloud.url), ...overrides };
  const { name } = config;
  const proxy = await startProxy(config, options);
  const devices: TestDevice[] = [];
  return {
    cloud,
    proxy: proxy.facts,
    async connectDevice(siteId, onStream) {
      const device = await TestDevice.connect(proxy.facts.url, await cloud.tunnelToken(siteId), onStream);
      devices.push(device);
      await vi.waitFor(() => expect(cloud.proxies.sitesOn(name)).toContain(siteId), 10_000);
      return device;
    },
    fetch: (path, credentials, init = {}) =>
      fetch(proxy.facts.url + path, {
        ...init,
        headers: { ...siteHeaders(credentials), ...Object.fromEntries(new Headers(init.headers)) },
      }),
    sites: () => cloud.proxies.sitesOn(name),
    stopProxy: () => proxy.stop(),
    async stop() {
      for (const device of devices) device.kill();
      await proxy.stop();
      await cloud.stop();
    },
  };
}

/** Answers every request with the given text, and WebSockets with an echo of their bytes. */
export function answering(body: string): StreamHandler {
  return (stream, headers) => {
    if (headers.upgrade === 'websocket') {
      stream.respond({ ':status': 200 });
      stream.pipe(stream);
      return;
    }
    stream.respond({
      ':status': 200,
      'content-type': 'text/plain',
      'content-length': Buffer.byteLength(body),
    });
    stream.end(body);
  };
}
