import { ALERT_SEVERITIES, type EventType } from '@heliograph/contracts';
import type { NewEvent } from '../../db/events.ts';
import type { AlertRecord } from './alert-records.ts';

type AlertEventType = Extract<EventType, `alert.${string}`>;

/** The facts of an alert that decide which events a change of it is. */
export type AlertFacts = Pick<AlertRecord, 'clearedAt' | 'acknowledgedAt' | 'severity' | 'times'>;

/**
 * The events that a change of an alert is, in their order. An alert that was raised and cleared during an outage of the
 * network is both. One that became worse is raised: people with messages about severe ones alone do not know it yet.
 *
 * @param before undefined for a new alert
 */
export function alertEventTypes(before: AlertFacts | undefined, after: AlertFacts): AlertEventType[] {
  const isWorse = before !== undefined && after.clearedAt === null && after.severity > before.severity;
  const isRaised = before === undefined || after.times > before.times || isWorse;
  const isAcknowledged =
    after.acknowledgedAt !== null && (before === undefined || before.acknowledgedAt === null);
  const isCleared = after.clearedAt !== null && (isRaised || before.clearedAt === null);
  return [
    ...(isRaised ? (['alert.raised'] as const) : []),
    ...(isAcknowledged ? (['alert.acknowledged'] as const) : []),
    ...(isCleared ? (['alert.cleared'] as const) : []),
  ];
}

/** An event about an alert; its time is that of the cloud, as clocks of devices can be wrong. */
export function alertEvent(
  type: AlertEventType,
  alert: AlertRecord,
  { at, organizationId }: { readonly at: Date; readonly organizationId: number | null },
): NewEvent {
  const { siteId, rule, kind, topic, name, detail, value, limit, unit, text, times } = alert;
  return {
    type,
    at,
    siteId,
    organizationId,
    data: {
      alert_id: Number(alert.id),
      rule,
      kind,
      severity: ALERT_SEVERITIES[alert.severity - 1] ?? 'warning',
      topic,
      name,
      detail,
      value,
      limit,
      unit,
      text,
      times,
      since: alert.since.toISOString(),
      raised_at: alert.raisedAt.toISOString(),
      cleared_at: alert.clearedAt?.toISOString() ?? null,
      acknowledged_at: alert.acknowledgedAt?.toISOString() ?? null,
    },
  };
}
