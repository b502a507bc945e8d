import type {
  Alert,
  AlertRuleList,
  AlertRuleListBody,
  NotificationReceiver,
  NotificationTest,
} from '@heliograph/contracts';
import type { DeviceClient } from './device-client.ts';

/** A server may take 20 seconds for a test message, in milliseconds. */
const TEST_TIMEOUT_MS = 30_000;

export interface ListAlertsOptions {
  /** Whether only alerts that have not cleared are listed. */
  readonly open?: boolean;
  /** At most 200; 20 when left out. */
  readonly limit?: number;
  /** Only alerts with a lower id. */
  readonly before?: number;
}

/**
 * The alerts of a site, newest first. No method of DeviceClient: first views of pages load that class, and few need this.
 */
export function listAlerts(
  client: DeviceClient,
  { open = false, limit, before }: ListAlertsOptions = {},
  signal?: AbortSignal,
): Promise<Alert[]> {
  const query = { ...(open && { open: '1' as const }), limit, before };
  return client.connection.json('GET /api/v1/alerts', { signal }, query);
}

/**
 * Acknowledges an alert, or takes that back.
 *
 * @throws ApiError with status 404 for an alert that is unknown; 403 for those who may only read
 */
export function acknowledgeAlert(client: DeviceClient, id: number, acknowledged = true): Promise<Alert> {
  return client.connection.json(`PATCH /api/v1/alerts/${id}`, {}, { acknowledged });
}

/** The rules that raise alerts at a site. */
export function listAlertRules(client: DeviceClient, signal?: AbortSignal): Promise<AlertRuleList> {
  return client.connection.json('GET /api/v1/alert_rules', { signal });
}

/**
 * Sets the rules of the owner, and how built-in ones differ from how they were delivered.
 *
 * @throws ApiError with status 422 for rules that contradict themselves; 403 for those who may not configure the device
 */
export function setAlertRules(client: DeviceClient, rules: AlertRuleListBody): Promise<AlertRuleList> {
  return client.connection.json('PUT /api/v1/alert_rules', {}, rules);
}

/** The servers that a device sends alerts to by itself. Requires the right to configure. */
export function listNotificationReceivers(
  client: DeviceClient,
  signal?: AbortSignal,
): Promise<NotificationReceiver[]> {
  return client.connection.json('GET /api/v1/notification_receivers', { signal });
}

/** Sends a test message to each of these servers. Requires the right to configure. */
export function testNotificationReceivers(client: DeviceClient): Promise<NotificationTest[]> {
  return client.connection.json('POST /api/v1/notification_receivers/test', { timeoutMs: TEST_TIMEOUT_MS });
}
