import { eventOperations } from '../alerting/events.ts';
import { messageRecipientOperations, notificationOperations } from '../alerting/notifications.ts';
import { pushOperations } from '../alerting/push.ts';
import { webhookOperations } from '../alerting/webhooks.ts';
import { activationOperations } from '../devices/activation.ts';
import { deviceRecordOperations } from '../devices/devices.ts';
import { proxyOperations } from '../devices/proxies.ts';
import { accountEmailOperations } from '../identity/account-email.ts';
import { passwordOperations } from '../identity/passwords.ts';
import { registrationOperations } from '../identity/registration.ts';
import { secondFactorOperations } from '../identity/second-factor.ts';
import { sessionConfirmationOperations } from '../identity/session-confirmation.ts';
import { signInOperations, signOutOperations } from '../identity/sign-in.ts';
import { tokenOperations } from '../identity/tokens.ts';
import { directoryOperations, userOperations } from '../identity/users.ts';
import { applicationOperations } from '../oauth/applications.ts';
import { connectionOperations } from '../oauth/connections.ts';
import { documentOperations } from '../organizations/documents.ts';
import { logoOperations } from '../organizations/logo.ts';
import { organizationOperations } from '../organizations/organizations.ts';
import { organizationSiteOperations } from '../organizations/shared-sites.ts';
import { teamOperations } from '../organizations/team.ts';
import { accountDeletionOperations } from '../privacy/account-deletion.ts';
import { auditOperations } from '../privacy/audit.ts';
import { delegationOperations } from '../privacy/delegations.ts';
import { exportOperations } from '../privacy/exports.ts';
import { orderOperations } from '../shop/orders.ts';
import { productOperations } from '../shop/products.ts';
import { siteAccessOperations } from '../sites/access.ts';
import { siteAlertOperations } from '../sites/alerts.ts';
import { siteBackupOperations } from '../sites/backups.ts';
import { siteHistoryOperations } from '../sites/history.ts';
import { memberOperations } from '../sites/members.ts';
import { siteOrganizationOperations } from '../sites/organization.ts';
import { siteListOperations } from '../sites/search.ts';
import { siteSettingOperations } from '../sites/settings.ts';
import { siteOperations } from '../sites/site.ts';
import { siteViewOperations } from '../sites/views.ts';
import { recoverySessionOperations } from '../support/recovery-sessions.ts';
import { ticketOperations } from '../support/tickets.ts';

/** The operations of the cloud that anyone may call and that its document publishes, in the order of the document. */
export const cloudOperations = {
  ...signInOperations,
  ...registrationOperations,
  ...passwordOperations,
  ...accountEmailOperations,
  ...sessionConfirmationOperations,
  ...accountDeletionOperations,
  ...signOutOperations,
  ...secondFactorOperations,
  ...userOperations,
  ...siteViewOperations,
  ...directoryOperations,
  ...exportOperations,
  ...tokenOperations,
  ...siteListOperations,
  ...siteOperations,
  ...siteBackupOperations,
  ...siteHistoryOperations,
  ...siteOrganizationOperations,
  ...siteSettingOperations,
  ...siteAccessOperations,
  ...memberOperations,
  ...organizationOperations,
  ...organizationSiteOperations,
  ...logoOperations,
  ...documentOperations,
  ...teamOperations,
  ...connectionOperations,
  ...applicationOperations,
  ...delegationOperations,
  ...productOperations,
  ...orderOperations,
  ...ticketOperations,
  ...recoverySessionOperations,
  ...auditOperations,
  ...eventOperations,
  ...siteAlertOperations,
  ...webhookOperations,
  ...notificationOperations,
  ...pushOperations,
  ...messageRecipientOperations,
  ...deviceRecordOperations,
  ...activationOperations,
  ...proxyOperations,
};

export { internalOperations } from './internal.ts';
