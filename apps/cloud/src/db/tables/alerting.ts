import type { EventType, WebhookDelivery } from '@heliograph/contracts';
import type { ColumnType, Generated } from 'kysely';
import type { Id, JsonObject } from './column-types.ts';

export interface AlertingTables {
  events: EventTable;
  event_cursors: EventCursorTable;
  alerts: AlertTable;
  outages: OutageTable;
  webhooks: WebhookTable;
  webhook_deliveries: WebhookDeliveryTable;
  notification_settings: NotificationSettingsTable;
  notifications: NotificationTable;
  message_queues: MessageQueueTable;
  summarized_alerts: SummarizedAlertTable;
  push_subscriptions: PushSubscriptionTable;
  push_keys: PushKeyTable;
}

interface EventTable {
  /** 64-bit, so PostgreSQL's driver gives it as text. */
  id: ColumnType<string, never, never>;
  /** 64-bit as well. */
  transaction: ColumnType<string, never, never>;
  at: Date;
  type: EventType;
  site_id: number | null;
  organization_id: number | null;
  user_id: number | null;
  data: JsonObject;
}

interface EventCursorTable {
  name: string;
  transaction: string;
  id: string;
}

interface AlertTable {
  /** 64-bit, so PostgreSQL's driver gives it as text. */
  id: ColumnType<string, never, never>;
  site_id: number;
  device_alert_id: ColumnType<string | null, number | null, number | null>;
  rule: string;
  kind: string;
  /** 1 information, 2 warning, 3 critical. */
  severity: number;
  topic: string | null;
  name: string | null;
  detail: string | null;
  value: ColumnType<number | string | boolean | null, string | null, string | null>;
  limit_value: number | null;
  unit: string;
  since: Date;
  raised_at: Date;
  last_at: Date;
  cleared_at: Date | null;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  acknowledged_by_id: number | null;
  times: number;
  text: string;
  snoozed_until: Date | null;
  assignee_id: number | null;
  note: string | null;
  outage_id: string | null;
}

interface OutageTable {
  /** 64-bit as well. */
  id: ColumnType<string, never, never>;
  organization_id: number | null;
  began_at: Date;
  ended_at: Date | null;
  sites: number;
}

interface WebhookTable {
  id: Id;
  user_id: number | null;
  organization_id: number | null;
  limited_to_organization_id: number | null;
  name: string;
  url: string;
  types: string[];
  sealed_secret: Buffer;
  sealed_former_secret: Buffer | null;
  former_secret_until: Date | null;
  enabled: Generated<boolean>;
  ended: 'gave_up' | 'gone' | 'suspended' | null;
  /** The place in the feed, as in {@link EventTable}. */
  transaction: string;
  event_id: string;
  position_at: Date;
  next_at: Date;
  claimed_until: Date | null;
  failing_since: Date | null;
  failures: Generated<number>;
  last_delivered_at: Date | null;
  created_at: Date;
}

interface WebhookDeliveryTable {
  id: ColumnType<string, never, never>;
  webhook_id: number;
  at: Date;
  event_id: string;
  event_type: string;
  status: number | null;
  outcome: WebhookDelivery['outcome'];
  failure: WebhookDelivery['failure'];
  error: string | null;
  duration_ms: number;
}

interface NotificationSettingsTable {
  user_id: number;
  severity: number | null;
  team_severity: number | null;
  team_tags: string[];
  escalation_minutes: number | null;
  muted_rules: Generated<string[]>;
  site_ids: Generated<number[]>;
  cleared: Generated<boolean>;
  outages: boolean;
  mail: boolean;
  digest: 'at_once' | 'hourly' | 'daily';
  quiet_from: number | null;
  quiet_until: number | null;
  time_zone: string;
  sealed_ntfy: Buffer | null;
  sealed_telegram: Buffer | null;
}

interface NotificationTable {
  /** 64-bit as well. */
  id: ColumnType<string, never, never>;
  user_id: number;
  channel: 'mail' | 'push' | 'ntfy' | 'telegram';
  push_subscription_id: number | null;
  kind: 'raised' | 'cleared' | 'assigned' | 'further' | 'began' | 'ended' | 'test';
  alert_id: string | null;
  outage_id: string | null;
  /** Of a summary: how many alerts it counts, and their site where they are of one. */
  further_alerts: ColumnType<number | null, number | null | undefined, number | null>;
  site_id: ColumnType<number | null, number | null | undefined, number | null>;
  state: 'waiting' | 'sending' | 'sent' | 'failed' | 'skipped';
  doubtful: ColumnType<boolean, boolean | undefined, boolean>;
  attempts: ColumnType<number, number | undefined, number>;
  /** 1 information, 2 warning, 3 critical. */
  urgency: ColumnType<number, number | undefined, number>;
  due_at: Date;
  created_at: Date;
  sent_at: Date | null;
  failure: string | null;
}

/** A trigger on `notifications` fills it. */
interface MessageQueueTable {
  id: Id;
  user_id: number;
  channel: 'push' | 'ntfy' | 'telegram';
  push_subscription_id: ColumnType<number | null, number | null | undefined, number | null>;
  tenant: number;
  turn_at: Date | null;
  failing: ColumnType<boolean, boolean | undefined, boolean>;
}

interface SummarizedAlertTable {
  user_id: number;
  alert_id: string;
  /** That it was counted with. */
  severity: number;
}

interface PushSubscriptionTable {
  id: Id;
  user_id: number;
  endpoint: string;
  p256dh: Buffer;
  auth: Buffer;
  label: string;
  created_at: Date;
}

interface PushKeyTable {
  only_one: ColumnType<boolean, never, never>;
  public_key: Buffer;
  sealed_private_key: Buffer;
}
