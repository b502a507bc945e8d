import { Api } from '@heliograph/http/api';
import { BodyAdmission } from '@heliograph/http/body-budget';
import { siteAlertRoutes } from './alerting/alerts/routes.ts';
import { EventFeed } from './alerting/events/feed.ts';
import { eventRoutes } from './alerting/events/routes.ts';
import { notificationRoutes } from './alerting/notifications/routes.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhookDeliveries,
  listWebhooks,
  replaceWebhookSecret,
  replayWebhook,
  testWebhook,
  updateWebhook,
} from './alerting/webhooks/webhooks.ts';
import type { CloudPlatform } from './cloud-platform.ts';
import { activationRoutes } from './devices/activation/routes.ts';
import { deviceBackupRoutes } from './devices/backups/routes.ts';
import { ConnectService } from './devices/devices/connect.ts';
import { admitDevice } from './devices/devices/proof-admission.ts';
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

/** Adds every route of the API. */
export function addRoutes(app: App, platform: CloudPlatform, botCheckEffort: Effort | undefined): void {
  const { db, clock } = platform;
  const bodies = new BodyAdmission(BODY_SHARES, bodySenderOf, { timeoutMs: REQUEST_TIMEOUT_MS, clock });
  const guards = createGuards(app, {
    ...{ db, clock },
    authenticate: (...presented) => authenticate(platform, ...presented),
    enrollee: (...presented) => authenticateEnrollee(platform, ...presented),
    authenticateProxy: (...presented) => authenticateProxy(platform, ...presented),
    admitDevice: (...presented) => admitDevice(platform, ...presented),
  });
  const api = new Api(app, guards, bodies);
  accountRoutes(api, platform, acceptByLink);
  serveUseCases(api, platform, { getAccountDeletion, requestAccountDeletion, cancelAccountDeletion });
  exportRoutes(api, platform);
  secondFactorRoutes(api, platform);
  serveUseCases(api, platform, { getCurrentUser, updateCurrentUser, updateProfile, listUsers });
  serveUseCases(api, platform, { joinOrganization, leaveOrganization, listJoinedOrganizations });
  serveUseCases(api, platform, { getSiteViews, setSiteViews });
  notificationRoutes(api, platform);
  tokenRoutes(api, platform, (caller, tokenId) =>
    endDelegations(platform, caller, { query: { token_id: tokenId } }),
  );
  serveUseCases(api, platform, { createIdToken });
  siteRoutes(api, platform);
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
  serveUseCases(api, platform, {
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
  productRoutes(api, platform);
  orderRoutes(api, platform);
  purchaseRoutes(api, platform);
  paymentRoutes(api, platform);
  ticketRoutes(api, platform);
  recoverySessionRoutes(api, platform);
  serveUseCases(api, platform, { listAudit, listOrganizationAudit, listOwnAudit, listSiteAudit });
  eventRoutes(api, new EventFeed(db, clock));
  serveUseCases(api, platform, { listWebhooks, createWebhook, getWebhook, updateWebhook, deleteWebhook });
  serveUseCases(api, platform, { replaceWebhookSecret, testWebhook, replayWebhook, listWebhookDeliveries });
  botCheckRoutes(app, api, platform, botCheckEffort);
  deviceRoutes(api, platform, new ConnectService(platform));
  deviceBackupRoutes(api, platform);
  siteAlertRoutes(api, platform);
  siteHistoryRoutes(api, platform);
  activationRoutes(api, platform);
  proxyRoutes(api, platform);
  keyRoutes(app, platform.keys);
}
