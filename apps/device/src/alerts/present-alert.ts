import type { Alert } from '@heliograph/contracts';
import { alertPhrase } from '@heliograph/contracts/alert-text';
import { type AlertTexts, fill, readTexts } from '@heliograph/locales/read';
import type { MetricValue } from '@heliograph/metrics';
import type { StoredAlert } from './alert-store.ts';

const ENGLISH_UNITS: Readonly<Record<string, string>> = { Total: 'The home', System: 'The device' };

/** Read when the first alert is shown. */
let english: AlertTexts | undefined;

/** An alert as the API, the stream and MQTT show it. */
export function presentAlert(alert: StoredAlert): Alert {
  const { id, rule, kind, severity, topic, name, detail, value, limit, unit, times } = alert;
  return {
    id,
    rule,
    kind,
    state: alert.clearedAt !== null ? 'cleared' : alert.acknowledgedAt !== null ? 'acknowledged' : 'raised',
    severity,
    topic,
    name,
    detail,
    value,
    limit,
    unit,
    since: iso(alert.since),
    raised_at: iso(alert.raisedAt),
    last_at: iso(alert.lastAt),
    cleared_at: alert.clearedAt === null ? null : iso(alert.clearedAt),
    acknowledged_at: alert.acknowledgedAt === null ? null : iso(alert.acknowledgedAt),
    acknowledged_by: alert.acknowledgedBy,
    times,
    text: englishSentence(alert),
  };
}

/**
 * An alert of a newer release, which this device ran before, has the name of its metric or rule alone.
 *
 * @example englishSentence(alert) // Battery 1: State of charge is 4 %, below 5 %
 */
function englishSentence(alert: StoredAlert): string {
  english ??= readTexts('en').alerts;
  const phrase = alertPhrase(alert, {
    unit: (_prefix, title) => ENGLISH_UNITS[title] ?? title,
    value: plain,
    name: (name) => name,
  });
  return phrase === undefined ? (alert.name ?? alert.rule) : fill(english.texts[phrase.key], phrase.values);
}

function plain(value: MetricValue, unit: string): string {
  const text = typeof value === 'number' ? String(Math.round(value * 1000) / 1000) : String(value ?? '');
  return unit === '' || value === null ? text : `${text} ${unit}`;
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
