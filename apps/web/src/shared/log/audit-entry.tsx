import type { DeviceAuditEntry } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import { AUDIT_TONES, actionLabel, auditOutcomeLabel } from './audit-words.ts';
import { authorLabel } from './outcome-label.ts';
import classes from './write-log.module.css';

/** What stands for a value that is not there. */
const NOTHING = '–';

/** One line of the audit log: what was done to the device, when, by whom and from where. */
export function AuditEntry({ entry }: { readonly entry: DeviceAuditEntry }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { action, author, address, subject, changes, outcome, at } = entry;
  const outcomeLabel = auditOutcomeLabel(t, outcome);
  const by = author === 'device' ? t('audit.device') : author === 'unknown' ? null : authorLabel(t, entry);
  const origin = address === null ? null : t('audit.from', { address });
  return (
    <li className={classes.entry}>
      <p className={classes.what}>
        <span className={classes.name}>{actionLabel(t, action)}</span>
      </p>
      {subject !== null && <p className={classes.change}>{subject}</p>}
      {changes.map((change) => (
        <p key={change.field} className={classes.change}>
          {change.field}: {changeText(change)}
        </p>
      ))}
      {outcomeLabel !== null && (
        <p className={classes.outcome} data-tone={AUDIT_TONES[outcome]}>
          {outcomeLabel}
        </p>
      )}
      <p className={classes.when}>
        <time dateTime={at}>{format.dateTime(at)}</time>
        {[by, origin].map((part) => part !== null && ` · ${part}`)}
      </p>
    </li>
  );

  function changeText({ old_value: from, new_value: to }: DeviceAuditEntry['changes'][number]): string {
    if (from === null && to === 'changed') return t('audit.secret');
    return t('log.change', { from: from ?? NOTHING, to: to ?? NOTHING });
  }
}
