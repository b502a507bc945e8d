import { Api } from '@heliograph/http/api';
import { accountDeletionRoutes } from './features/account-deletion/routes.ts';
import { accountRoutes } from './features/accounts/routes.ts';
import { activationRoutes } from './features/activation/routes.ts';
import { applicationRoutes } from './features/applications/routes.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { botCheckRoutes } from './features/bot-check/routes.ts';
import { connectionRoutes } from './features/connections/routes.ts';
import { deviceBackupRoutes } from './features/device-backups/routes.ts';
import { deviceRoutes } from './features/devices/routes.ts';
import { eventRoutes } from './features/events/routes.ts';
import { exportRoutes } from './features/exports/routes.ts';
import { identityRoutes } from './features/identity/routes.ts';
import { keyRoutes } from './features/keys/routes.ts';
import { memberRoutes } from './features/members/routes.ts';
import { notificationRoutes } from './features/notifications/routes.ts';
import { orderRoutes } from './features/orders/routes.ts';
import { organizationClosingRoutes } from './features/organization-closing/routes.ts';
import { organizationSiteRoutes } from './features/organization-sites/routes.ts';
import { organizationRoutes } from './features/organizations/routes.ts';
import { paymentRoutes } from './features/payments/routes.ts';
import { productRoutes } from './features/products/routes.ts';
import { proxyRoutes } from './features/proxies/routes.ts';
import { recoverySessionRoutes } from './features/recovery-sessions/routes.ts';
import { secondFactorRoutes } from './features/second-factor/routes.ts';
import { siteAlertRoutes } from './features/site-alerts/routes.ts';
import { siteHistoryRoutes } from './features/site-history/routes.ts';
import { siteRoutes } from './features/sites/routes.ts';
import { ticketRoutes } from './features/tickets/routes.ts';
import { tokenRoutes } from './features/tokens/routes.ts';
import { userRoutes } from './features/users/routes.ts';
import { webhookRoutes } from './features/webhooks/routes.ts';
import type { App } from './http/app-type.ts';
import { createGuards } from './http/guards.ts';
import type { Services } from './services/services.ts';

/** Adds every route of the API. */
export function addRoutes(app: App, services: Services): void {
  const api = new Api(app, createGuards(app, services));
  accountRoutes(api, services);
  accountDeletionRoutes(api, services.accountDeletions);
  exportRoutes(api, services.exports);
  secondFactorRoutes(api, services);
  userRoutes(api, services.users);
  notificationRoutes(api, services.notifications);
  tokenRoutes(api, services.ownTokens);
  identityRoutes(api, services.identity);
  siteRoutes(api, services);
  organizationRoutes(api, services.organizations);
  organizationClosingRoutes(api, services.organizationClosing);
  organizationSiteRoutes(api, services.organizationSites);
  applicationRoutes(api, services.applications);
  connectionRoutes(api, services.connections);
  memberRoutes(api, services.members);
  productRoutes(api, services);
  orderRoutes(api, services);
  paymentRoutes(api, services.payments);
  ticketRoutes(api, services);
  recoverySessionRoutes(api, services.recoverySessions);
  auditRoutes(api, services.audit);
  eventRoutes(api, services.events);
  webhookRoutes(api, services.webhooks);
  botCheckRoutes(app, api, services.botCheck);
  deviceRoutes(api, services);
  deviceBackupRoutes(api, services.deviceBackups, services.proofAdmission);
  siteAlertRoutes(api, {
    siteAlerts: services.siteAlerts,
    alertUploads: services.alertUploads,
    admission: services.proofAdmission,
  });
  siteHistoryRoutes(api, services.siteHistory, services.proofAdmission);
  activationRoutes(api, services);
  proxyRoutes(api, services);
  keyRoutes(app, services.keys);
}
