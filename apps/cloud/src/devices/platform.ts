import type { Platform, ServerPlatform } from '../platform.ts';
import type { ConnectSources } from './proxies/connect-sources.ts';
import type { ProxyService } from './proxies/service.ts';

/** Ground of use cases about devices. The directory of proxies is cached, and outlives their requests. */
export interface DevicePlatform extends Platform {
  readonly proxies: ProxyService;
}

/** Ground of the operations for proxies. */
export interface ProxyPlatform extends ServerPlatform, DevicePlatform {
  readonly connectSources: ConnectSources;
}
