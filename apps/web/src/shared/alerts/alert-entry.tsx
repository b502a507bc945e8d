import type { Alert } from '@heliograph/client';
import type { AlertFacts } from '@heliograph/contracts/alert-text';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../format/use-now.ts';
import classes from './alerts.module.css';
import { SEVERITY_LABELS, useAlertSentence } from './use-alert-sentence.ts';

/** An alert of a device, or of the cloud. */
export type ShownAlert = AlertFacts &
  Pick<Alert, 'severity' | 'state' | 'since' | 'cleared_at' | 'acknowledged_by' | 'times' | 'text'>;

interface AlertEntryProps {
  readonly alert: ShownAlert;
  /** The site, where alerts of several are listed. */
  readonly place?: ReactNode;
  /** Lines about the work on it, such as a note. */
  readonly details?: readonly string[];
  /** Buttons of an open alert. */
  readonly children?: ReactNode;
  readonly form?: ReactNode;
}

/** An alert as an entry of a list. */
export function AlertEntry({ alert, place, details = [], children, form = false }: AlertEntryProps) {
  const { t } = useTranslation('alerts');
  const { ago, dateTime } = useFormat();
  const now = useNow();
  const sentence = useAlertSentence();
  const { severity, state, since, cleared_at: clearedAt, acknowledged_by: knownTo, times } = alert;
  const facts = [
    t(SEVERITY_LABELS[severity]),
    t('began', { ago: ago(since, Math.max(now, Date.parse(since))) }),
    clearedAt !== null && t('cleared', { time: dateTime(clearedAt) }),
    state === 'acknowledged' && knownTo !== null && t('acknowledgedBy', { name: knownTo }),
    times > 1 && t('returned', { count: times }),
  ];
  return (
    <li className={classes.alert} data-severity={severity} data-cleared={clearedAt === null ? undefined : ''}>
      <p className={classes.text}>
        {place}
        {sentence(alert)}
      </p>
      <p className={classes.facts}>
        <time dateTime={since} title={dateTime(since)}>
          {facts.filter((fact) => fact !== false).join(' · ')}
        </time>
      </p>
      {details.map((detail) => (
        <p key={detail} className={classes.facts}>
          {detail}
        </p>
      ))}
      {children !== undefined && children !== false && <div className={classes.action}>{children}</div>}
      {form !== false && <div className={classes.form}>{form}</div>}
    </li>
  );
}
