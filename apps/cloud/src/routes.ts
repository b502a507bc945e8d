import { Api } from '@heliograph/http/api';
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
import { orderRoutes } from './features/orders/routes.ts';
import { organizationSiteRoutes } from './features/organization-sites/routes.ts';
import { organizationRoutes } from './features/organizations/routes.ts';
import { productRoutes } from './features/products/routes.ts';
import { proxyRoutes } from './features/proxies/routes.ts';
import { secondFactorRoutes } from './features/second-factor/routes.ts';
import { siteRoutes } from './features/sites/routes.ts';
import { ticketRoutes } from './features/tickets/routes.ts';
import { tokenRoutes } from './features/tokens/routes.ts';
import { userRoutes } from './features/users/routes.ts';
import type { App } from './http/app-type.ts';
import { createGuards } from './http/guards.ts';
import type { Services } from './services/services.ts';

/** Adds every route of the API. */
export function addRoutes(app: App, services: Services): void {
  const api = new Api(app, createGuards(app, services));
  accountRoutes(api, services);
  secondFactorRoutes(api, services);
  userRoutes(api, services.users);
  tokenRoutes(api, services.ownTokens);
  identityRoutes(api, services.identity);
  siteRoutes(api, services);
  organizationRoutes(api, services.organizations);
  organizationSiteRoutes(api, services.organizationSites);
  applicationRoutes(api, services.applications);
  connectionRoutes(api, services.connections);
  memberRoutes(api, services.members);
  productRoutes(api, services.products);
  orderRoutes(api, services);
  ticketRoutes(api, services);
  auditRoutes(api, services.audit);
  botCheckRoutes(app, api, services.botCheck);
  deviceRoutes(api, services);
  activationRoutes(api, services);
  proxyRoutes(api, services);
  keyRoutes(app, services.keys);
}
