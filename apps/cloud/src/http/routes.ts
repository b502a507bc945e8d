import { accountRoutes } from '../features/accounts/routes.ts';
import type { AccountService } from '../features/accounts/service.ts';
import { activationRoutes } from '../features/activation/routes.ts';
import type { ActivationCodeService, ActivationService } from '../features/activation/service.ts';
import { auditRoutes } from '../features/audit/routes.ts';
import type { AuditService } from '../features/audit/service.ts';
import { botCheckRoutes } from '../features/bot-check/routes.ts';
import type { BotCheckService } from '../features/bot-check/service.ts';
import type { ConnectService } from '../features/devices/connect.ts';
import { deviceRoutes } from '../features/devices/routes.ts';
import type { DeviceAccess, DeviceService } from '../features/devices/service.ts';
import { keyRoutes } from '../features/keys/routes.ts';
import type { KeyService } from '../features/keys/service.ts';
import { memberRoutes } from '../features/members/routes.ts';
import { organizationSiteRoutes } from '../features/organization-sites/routes.ts';
import type { OrganizationSiteService } from '../features/organization-sites/service.ts';
import { organizationRoutes } from '../features/organizations/routes.ts';
import type { OrganizationService } from '../features/organizations/service.ts';
import { type ProxyRouteServices, proxyRoutes } from '../features/proxies/routes.ts';
import type { SiteRegistration } from '../features/sites/registration.ts';
import { siteRoutes } from '../features/sites/routes.ts';
import type { SiteService } from '../features/sites/service.ts';
import type { OwnTokenService } from '../features/tokens/own-tokens.ts';
import { tokenRoutes } from '../features/tokens/routes.ts';
import type { TokenService } from '../features/tokens/service.ts';
import { userRoutes } from '../features/users/routes.ts';
import type { UserService } from '../features/users/service.ts';
import type { App } from './app-type.ts';
import { createGuards } from './guards.ts';

export interface Services extends ProxyRouteServices {
  readonly accounts: AccountService;
  readonly activation: ActivationService;
  readonly activationCodes: ActivationCodeService;
  readonly audit: AuditService;
  readonly botCheck: BotCheckService;
  readonly connecting: ConnectService;
  readonly devices: DeviceService;
  readonly deviceAccess: DeviceAccess;
  readonly keys: KeyService;
  readonly ownTokens: OwnTokenService;
  readonly organizations: OrganizationService;
  readonly organizationSites: OrganizationSiteService;
  readonly registration: SiteRegistration;
  readonly sites: SiteService;
  readonly tokens: TokenService;
  readonly users: UserService;
}

/** Every route of the API. */
export function addRoutes(app: App, services: Services, proxySecret: string): void {
  const { accounts, audit, botCheck, keys, members, tokens, users } = services;
  const guards = createGuards(app, tokens);
  accountRoutes(app, accounts, guards);
  userRoutes(app, users, guards);
  tokenRoutes(app, services.ownTokens, guards);
  siteRoutes(app, services, guards);
  organizationRoutes(app, services.organizations, guards);
  organizationSiteRoutes(app, services.organizationSites, guards);
  memberRoutes(app, members, guards);
  auditRoutes(app, audit, guards);
  botCheckRoutes(app, botCheck);
  deviceRoutes(app, services, guards);
  activationRoutes(app, services, guards);
  proxyRoutes(app, services, proxySecret);
  keyRoutes(app, keys);
}
