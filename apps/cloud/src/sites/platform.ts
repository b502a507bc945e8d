import type { ActivationCodeService } from '../devices/activation/service.ts';
import type { DeviceService } from '../devices/devices/service.ts';
import type { ProxyService } from '../devices/proxies/service.ts';
import type { ServerPlatform } from '../platform.ts';
import type { SiteCredentialIssuer } from './sites/credentials.ts';

/** Ground of use cases about sites: the directory of proxies is cached, and outlives their requests. */
export interface SitePlatform extends ServerPlatform {
  readonly proxies: ProxyService;
  readonly credentials: SiteCredentialIssuer;
  readonly devices: Pick<DeviceService, 'activateIn'>;
  readonly codes: Pick<ActivationCodeService, 'redeem'>;
}
