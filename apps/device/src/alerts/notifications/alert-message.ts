import { ALERT_SEVERITIES, type AlertSeverity, type Locale } from '@heliograph/contracts';
import { alertSentence } from '@heliograph/locales/alert-sentence';
import { fill, readTexts } from '@heliograph/locales/read';
import type { StoredAlert } from '../alert-store.ts';
import { presentAlert } from '../present-alert.ts';

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
  const sentence = alertSentence(presentAlert(alert), texts, language);
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
