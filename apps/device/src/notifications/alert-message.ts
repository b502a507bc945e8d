import { ALERT_SEVERITIES, type AlertSeverity, type Locale, tagOf } from '@heliograph/contracts';
import { alertPhrase } from '@heliograph/contracts/alert-text';
import { fill, readTexts, type Texts } from '@heliograph/locales/read';
import type { MetricValue } from '@heliograph/metrics';
import type { StoredAlert } from '../alerts/alert-store.ts';

/** A message about an alert. */
export interface AlertMessage {
  readonly alertId: number;
  /** The revision of the alert that the message is about. */
  readonly revision: number;
  readonly is: 'raised' | 'cleared';
  readonly severity: AlertSeverity;
  readonly text: string;
}

/** @param wasTried whether the same message was sent before, and its answer was lost */
export function alertMessage(
  alert: StoredAlert,
  is: AlertMessage['is'],
  language: Locale,
  wasTried: boolean,
): AlertMessage {
  const texts = readTexts(language);
  const sentence = sentenceOf(alert, texts, language);
  const { over, again } = texts.messages;
  const message = is === 'cleared' ? fill(over, { text: sentence }) : sentence;
  return {
    alertId: alert.id,
    revision: alert.revision,
    is,
    severity: alert.severity,
    text: wasTried ? fill(again, { text: message }) : message,
  };
}

/** Whether a severity is at least another one. */
export function isAtLeast(severity: AlertSeverity, least: AlertSeverity): boolean {
  return ALERT_SEVERITIES.indexOf(severity) >= ALERT_SEVERITIES.indexOf(least);
}

function sentenceOf(alert: StoredAlert, texts: Texts, language: Locale): string {
  const numbers = new Intl.NumberFormat(tagOf(language), { maximumFractionDigits: 3 });
  const { key, values } = alertPhrase(alert, {
    unit: (prefix, title) => unitName(prefix, title, texts),
    value: (value, unit) => valueText(value, unit, numbers),
    name: (name) => name,
  });
  return fill(texts.alerts.texts[key], values);
}

function unitName(prefix: string, title: string, texts: Texts): string {
  const [, kind = '', number = ''] = /^([a-z]+)(?:_(\d+))?$/.exec(prefix) ?? [];
  const names: Readonly<Record<string, string>> = texts.site.metrics.device;
  const name = names[kind === 'total' ? 'totals' : kind];
  return name === undefined ? title : fill(name, { number });
}

function valueText(value: MetricValue, unit: string, numbers: Intl.NumberFormat): string {
  const text = typeof value === 'number' ? numbers.format(value) : String(value ?? '');
  return unit === '' || value === null ? text : `${text} ${unit}`;
}
