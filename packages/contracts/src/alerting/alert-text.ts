import type { MetricValue } from '@heliograph/metrics';
import type { Alert } from '../readings/alerts.ts';
import type { SiteAlertKind } from '../sites/alerts.ts';

/** The facts of the sentence about an alert. */
export interface AlertFacts extends Pick<Alert, 'topic' | 'name' | 'detail' | 'value' | 'limit' | 'unit'> {
  /** Devices may be newer than their readers, and have further ones. */
  readonly kind: SiteAlertKind | (string & {});
}

/** The sentence about an alert: the key of its text, below `alerts.texts`, and what the text is filled with. */
export interface AlertPhrase {
  readonly key: AlertTextKey;
  readonly values: Readonly<Record<'unit' | 'name' | 'value' | 'limit' | 'detail', string>>;
}

const WRITE_OUTCOMES = ['altered', 'rejected', 'unknown'] as const;

export type AlertTextKey =
  | 'above'
  | 'below'
  | 'is'
  | 'unchanged'
  | 'rises'
  | 'complaint'
  | 'silent'
  | 'low_production'
  | 'clock_behind'
  | 'store_damaged'
  | 'store_unreadable'
  | 'offline'
  | 'no_data'
  | 'too_many_alerts'
  | `write_${(typeof WRITE_OUTCOMES)[number]}`;

/** How names and values are written in one language. */
export interface AlertFormat {
  /** @param prefix of topics, such as `battery_1`; @param title in English, such as `Battery 1` */
  readonly unit: (prefix: string, title: string) => string;
  readonly value: (value: MetricValue, unit: string) => string;
  readonly name: (name: string) => string;
}

/** @returns undefined for a kind of a newer release */
export function alertPhrase(alert: AlertFacts, format: AlertFormat): AlertPhrase | undefined {
  const { topic, name, detail, value, limit, unit } = alert;
  const prefix = topic?.split('/')[0] ?? 'total';
  const key = keyOf(alert);
  if (key === undefined) return undefined;
  return {
    key,
    values: {
      unit: format.unit(prefix, titleOf(prefix)),
      name: format.name(name ?? ''),
      value: format.value(value, unit),
      limit: format.value(limit, unit),
      detail: detail ?? '',
    },
  };
}

const TEXT_KEYS: Readonly<Record<Exclude<SiteAlertKind, 'write_failed'>, AlertTextKey>> = {
  above: 'above',
  below: 'below',
  equals: 'is',
  differs: 'is',
  unchanged: 'unchanged',
  rises: 'rises',
  complaint: 'complaint',
  silent: 'silent',
  low_production: 'low_production',
  clock_behind: 'clock_behind',
  store_damaged: 'store_damaged',
  offline: 'offline',
  no_data: 'no_data',
  too_many_alerts: 'too_many_alerts',
};

function keyOf({ kind, detail, value }: AlertFacts): AlertTextKey | undefined {
  if (kind === 'write_failed')
    return `write_${WRITE_OUTCOMES.find((outcome) => outcome === detail) ?? 'unknown'}`;
  if (kind === 'store_damaged' && value === 'unreadable') return 'store_unreadable';
  return Object.entries(TEXT_KEYS).find(([known]) => known === kind)?.[1];
}

/** @example titleOf('battery_1') // Battery 1 */
function titleOf(prefix: string): string {
  return prefix.replace(/^./, (initial) => initial.toUpperCase()).replace('_', ' ');
}
