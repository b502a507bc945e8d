import { ACCOUNT_ROWS } from './rows/accounts.ts';
import { AUDIT_ROWS } from './rows/audit.ts';
import { CONNECTION_ROWS } from './rows/connections.ts';
import { DELEGATION_ROWS } from './rows/delegations.ts';
import { DEVICE_ROWS } from './rows/devices.ts';
import { EVENT_ROWS } from './rows/events.ts';
import { MEMBER_ROWS } from './rows/members.ts';
import { NOTIFICATION_ROWS } from './rows/notifications.ts';
import { ORDER_ROWS } from './rows/orders.ts';
import { ORGANIZATION_ROWS } from './rows/organizations.ts';
import { PRODUCT_ROWS } from './rows/products.ts';
import { PROXY_ROWS } from './rows/proxies.ts';
import { RECOVERY_SESSION_ROWS } from './rows/recovery-sessions.ts';
import { SECOND_FACTOR_ROWS } from './rows/second-factor.ts';
import { SITE_ROWS } from './rows/sites.ts';
import { TICKET_ROWS } from './rows/tickets.ts';
import { TOKEN_ROWS } from './rows/tokens.ts';
import { USER_ROWS } from './rows/users.ts';
import { WEBHOOK_ROWS } from './rows/webhooks.ts';

/** Every operation that needs a token. */
export const ROWS = [
  ...ACCOUNT_ROWS,
  ...AUDIT_ROWS,
  ...CONNECTION_ROWS,
  ...DELEGATION_ROWS,
  ...DEVICE_ROWS,
  ...EVENT_ROWS,
  ...MEMBER_ROWS,
  ...NOTIFICATION_ROWS,
  ...WEBHOOK_ROWS,
  ...ORDER_ROWS,
  ...ORGANIZATION_ROWS,
  ...PRODUCT_ROWS,
  ...PROXY_ROWS,
  ...RECOVERY_SESSION_ROWS,
  ...SECOND_FACTOR_ROWS,
  ...SITE_ROWS,
  ...TICKET_ROWS,
  ...TOKEN_ROWS,
  ...USER_ROWS,
];

export const CALLERS = Object.keys(ROWS[0]?.expected ?? {});
