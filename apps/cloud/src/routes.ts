import { Api } from '@heliograph/http/api';
import { BodyAdmission } from '@heliograph/http/body-budget';
import type { Clock } from '@heliograph/kit';
import { siteAlertRoutes } from './alerting/alerts/routes.ts';
import { eventRoutes } from './alerting/events/routes.ts';
import { notificationRoutes } from './alerting/notifications/routes.ts';
import { webhookRoutes } from './alerting/webhooks/routes.ts';
import type { Database } from './db/open.ts';
import { activationRoutes } from './devices/activation/routes.ts';
import { deviceBackupRoutes } from './devices/backups/routes.ts';
import { deviceRoutes } from './devices/devices/routes.ts';
import { authenticateProxy } from './devices/proxies/authenticator.ts';
import { proxyRoutes } from './devices/proxies/routes.ts';
import { REQUEST_TIMEOUT_MS } from './http/app.ts';
import type { App } from './http/app-type.ts';
import { BODY_SHARES, bodySenderOf, createGuards } from './http/guards.ts';
import { serveUseCases } from './http/use-cases.ts';
import { authenticateEnrollee } from './identity/accounts/pending-sign-ins.ts';
import { accountRoutes } from './identity/accounts/routes.ts';
import type { Effort } from './identity/bot-check/challenges.ts';
import { botCheckRoutes } from './identity/bot-check/routes.ts';
import { secondFactorRoutes } from './identity/second-factor/routes.ts';
import { authenticate } from './identity/tokens/authentication.ts';
import { tokenRoutes } from './identity/tokens/routes.ts';
import {
  joinOrganization,
  leaveOrganization,
  listJoinedOrganizations,
} from './identity/users/joined-organizations.ts';
import { listUsers } from './identity/users/list-users.ts';
import { getCurrentUser, updateCurrentUser, updateProfile } from './identity/users/own-account.ts';
import { getSiteViews, setSiteViews } from './identity/users/site-views.ts';
import { applicationRoutes } from './oauth/applications/routes.ts';
import { createIdToken } from './oauth/identity/identity.ts';
import { documentRoutes } from './organizations/documents/routes.ts';
import { organizationRoutes } from './organizations/organizations/routes.ts';
import { addOrganizationSite, removeOrganizationSite } from './organizations/shared-sites/shared-sites.ts';
import {
  addOrganizationMember,
  listOrganizationMembers,
  removeOrganizationMember,
  updateOrganizationMember,
} from './organizations/team/employees.ts';
import {
  acceptTeamInvitation,
  declineTeamInvitation,
  listTeamInvitations,
} from './organizations/team/team-invitations.ts';
import {
  cancelAccountDeletion,
  getAccountDeletion,
  requestAccountDeletion,
} from './privacy/account-deletion/requests.ts';
import { listAudit, listOrganizationAudit, listOwnAudit, listSiteAudit } from './privacy/audit/list-audit.ts';
import {
  endDelegation,
  endDelegations,
  endSiteDelegation,
  endSiteDelegations,
  keepDelegation,
  keepSiteDelegation,
  listDelegations,
  listSiteDelegations,
} from './privacy/delegations/delegations.ts';
import { exportRoutes } from './privacy/exports/routes.ts';
import { closeOrganization, getOrganizationClosing } from './privacy/organization-closing/closing.ts';
import type { Services } from './services/services.ts';
import { orderRoutes } from './shop/orders/routes.ts';
import { paymentRoutes } from './shop/payments/routes.ts';
import { productRoutes } from './shop/products/routes.ts';
import { purchaseRoutes } from './shop/purchases/routes.ts';
import { keyRoutes } from './signing-keys/routes.ts';
import {
  endConnection,
  endSiteConnection,
  listConnections,
  listSiteConnections,
} from './sites/connections/connections.ts';
import { siteHistoryRoutes } from './sites/history/routes.ts';
import {
  inviteSiteMember,
  listSiteMembers,
  removeSiteMember,
  updateSiteMember,
} from './sites/members/members.ts';
import {
  acceptByLink,
  acceptSiteInvitation,
  declineSiteInvitation,
  listSiteInvitations,
  recallSite,
} from './sites/members/site-invitations.ts';
import { siteRoutes } from './sites/sites/routes.ts';
import { recoverySessionRoutes } from './support/recovery-sessions/routes.ts';
import { ticketRoutes } from './support/tickets/routes.ts';

export interface RouteOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly botCheckEffort: Effort | undefined;
}

/** Adds every route of the API. */
export function addRoutes(app: App, services: Services, { db, clock, botCheckEffort }: RouteOptions): void {
  const bodies = new BodyAdmission(BODY_SHARES, bodySenderOf, { timeoutMs: REQUEST_TIMEOUT_MS, clock });
  const { platform } = services;
  const guards = createGuards(app, {
    ...{ db, clock },
    authenticate: (...presented) => authenticate(platform, ...presented),
    enrollee: (...presented) => authenticateEnrollee(platform, ...presented),
    authenticateProxy: (...presented) => authenticateProxy(platform, ...presented),
    proofAdmission: services.proofAdmission,
  });
  const api = new Api(app, guards, bodies);
  accountRoutes(api, platform, acceptByLink);
  serveUseCases(api, platform, { getAccountDeletion, requestAccountDeletion, cancelAccountDeletion });
  exportRoutes(api, { ...platform, archives: services.archives });
  secondFactorRoutes(api, platform);
  serveUseCases(api, platform, { getCurrentUser, updateCurrentUser, updateProfile, listUsers });
  serveUseCases(api, platform, { joinOrganization, leaveOrganization, listJoinedOrganizations });
  serveUseCases(api, platform, { getSiteViews, setSiteViews });
  notificationRoutes(api, services.notifications);
  tokenRoutes(api, platform, (caller, tokenId) =>
    endDelegations(services.delegations, caller, { query: { token_id: tokenId } }),
  );
  serveUseCases(api, platform, { createIdToken });
  siteRoutes(api, services.sitePlatform);
  organizationRoutes(api, platform);
  serveUseCases(api, platform, {
    listOrganizationMembers,
    addOrganizationMember,
    updateOrganizationMember,
    removeOrganizationMember,
  });
  serveUseCases(api, platform, { listTeamInvitations, acceptTeamInvitation, declineTeamInvitation });
  documentRoutes(api, platform);
  serveUseCases(api, platform, { getOrganizationClosing, closeOrganization });
  serveUseCases(api, platform, { addOrganizationSite, removeOrganizationSite });
  applicationRoutes(api, platform);
  serveUseCases(api, platform, { listConnections, endConnection, listSiteConnections, endSiteConnection });
  serveUseCases(api, services.delegations, {
    listDelegations,
    endDelegation,
    endDelegations,
    keepDelegation,
    listSiteDelegations,
    endSiteDelegation,
    endSiteDelegations,
    keepSiteDelegation,
  });
  serveUseCases(api, platform, { listSiteMembers, inviteSiteMember, updateSiteMember, removeSiteMember });
  serveUseCases(api, platform, {
    ...{ listSiteInvitations, acceptSiteInvitation, declineSiteInvitation, recallSite },
  });
  productRoutes(api, services.shop);
  orderRoutes(api, services.shop);
  purchaseRoutes(api, services.shop);
  paymentRoutes(api, services.shop);
  ticketRoutes(api, services.platform);
  recoverySessionRoutes(api, services.platform);
  serveUseCases(api, platform, { listAudit, listOrganizationAudit, listOwnAudit, listSiteAudit });
  eventRoutes(api, services.events);
  webhookRoutes(api, services.webhooks);
  botCheckRoutes(app, api, platform, botCheckEffort);
  deviceRoutes(api, services.sitePlatform, services.connecting);
  deviceBackupRoutes(api, platform);
  siteAlertRoutes(api, platform);
  siteHistoryRoutes(api, platform);
  activationRoutes(api, services.activation);
  proxyRoutes(api, { ...services.sitePlatform, connectSources: services.connectSources });
  keyRoutes(app, platform.keys);
}
