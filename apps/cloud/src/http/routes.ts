import { accountRoutes } from '../features/accounts/routes.ts';
import type { AccountService } from '../features/accounts/service.ts';
import { deviceRoutes } from '../features/devices/routes.ts';
import type { DeviceService } from '../features/devices/service.ts';
import { keyRoutes } from '../features/keys/routes.ts';
import type { KeyService } from '../features/keys/service.ts';
import { proxyRoutes } from '../features/proxies/routes.ts';
import type { ProxyService } from '../features/proxies/service.ts';
import { siteRoutes } from '../features/sites/routes.ts';
import type { SiteService } from '../features/sites/service.ts';
import type { TokenService } from '../features/tokens/service.ts';
import type { App } from './app-type.ts';
import { createGuards } from './guards.ts';

export interface Services {
  readonly accounts: AccountService;
  readonly devices: DeviceService;
  readonly keys: KeyService;
  readonly proxies: ProxyService;
  readonly sites: SiteService;
  readonly tokens: TokenService;
}

/** Every route of the API. */
export function addRoutes(app: App, services: Services, proxySecret: string): void {
  const { accounts, devices, keys, proxies, sites, tokens } = services;
  const guards = createGuards(app, tokens);
  accountRoutes(app, accounts, guards);
  siteRoutes(app, sites, guards);
  deviceRoutes(app, devices);
  proxyRoutes(app, proxies, devices, proxySecret);
  keyRoutes(app, keys);
}
