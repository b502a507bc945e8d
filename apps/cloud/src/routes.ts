import { accountRoutes } from './features/accounts/routes.ts';
import { activationRoutes } from './features/activation/routes.ts';
import { applicationRoutes } from './features/applications/routes.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { botCheckRoutes } from './features/bot-check/routes.ts';
import { connectionRoutes } from './features/connections/routes.ts';
import { deviceRoutes } from './features/devices/routes.ts';
import { identityRoutes } from './features/identity/routes.ts';
import { keyRoutes } from './features/keys/routes.ts';
import { memberRoutes } from './features/members/routes.ts';
import { organizationSiteRoutes } from './features/organization-sites/routes.ts';
import { organizationRoutes } from './features/organizations/routes.ts';
import { proxyRoutes } from './features/proxies/routes.ts';
import { secondFactorRoutes } from './features/second-factor/routes.ts';
import { siteRoutes } from './features/sites/routes.ts';
import { tokenRoutes } from './features/tokens/routes.ts';
import { userRoutes } from './features/users/routes.ts';
import type { App } from './http/app-type.ts';
import { createGuards } from './http/guards.ts';
import type { Services } from './services/services.ts';

/** Adds every route of the API. */
export function addRoutes(app: App, services: Services): void {
  const { audit, botCheck, keys, members, tokens, users } = services;
  const guards = createGuards(app, tokens, services.pendingSignIns);
  accountRoutes(app, services, guards);
  secondFactorRoutes(app, services, guards);
  userRoutes(app, users, guards);
  tokenRoutes(app, services.ownTokens, guards);
  identityRoutes(app, services.identity, guards);
  siteRoutes(app, services, guards);
  organizationRoutes(app, services.organizations, guards);
  organizationSiteRoutes(app, services.organizationSites, guards);
  applicationRoutes(app, services.applications, guards);
  connectionRoutes(app, services.connections, guards);
  memberRoutes(app, members, guards);
  auditRoutes(app, audit, guards);
  botCheckRoutes(app, botCheck);
  deviceRoutes(app, services, guards);
  activationRoutes(app, services, guards);
  proxyRoutes(app, services, guards);
  keyRoutes(app, keys);
}
