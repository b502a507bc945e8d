import { accountOperations } from './accounts.ts';
import { auditOperations } from './audit.ts';
import { connectionOperations } from './connections.ts';
import { delegationOperations } from './delegations.ts';
import { deviceRecordOperations } from './devices.ts';
import { eventOperations } from './events.ts';
import { exportOperations } from './exports.ts';
import { internalOperations } from './internal.ts';
import { memberOperations } from './members.ts';
import { notificationOperations } from './notifications.ts';
import { orderOperations } from './orders.ts';
import { organizationOperations } from './organizations.ts';
import { productOperations } from './products.ts';
import { proxyOperations } from './proxies.ts';
import { recoverySessionOperations } from './recovery-sessions.ts';
import { secondFactorOperations } from './second-factor.ts';
import { siteAlertOperations } from './site-alerts.ts';
import { siteOperations } from './sites.ts';
import { ticketOperations } from './tickets.ts';
import { tokenOperations } from './tokens.ts';
import { userOperations } from './users.ts';
import { webhookOperations } from './webhooks.ts';

/** The operations of the cloud that anyone may call and that its document publishes. */
export const cloudOperations = {
  ...accountOperations,
  ...secondFactorOperations,
  ...userOperations,
  ...exportOperations,
  ...tokenOperations,
  ...siteOperations,
  ...memberOperations,
  ...organizationOperations,
  ...connectionOperations,
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
  ...deviceRecordOperations,
  ...proxyOperations,
};

export { internalOperations };
