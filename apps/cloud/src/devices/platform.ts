import type { Platform } from '../platform.ts';
import type { ProxyService } from './proxies/service.ts';

/** Ground of use cases about devices. The directory of proxies is cached, and outlives their requests. */
export interface DevicePlatform extends Platform {
  readonly proxies: ProxyService;
}
