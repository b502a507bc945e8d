import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import classes from './online-badge.module.css';

interface OnlineBadgeProps {
  readonly isOnline: boolean;
  /** ISO 8601; null when it never was. */
  readonly lastSeenAt: string | null;
}

/** Whether a device can be reached, and if not, since when. */
export function OnlineBadge({ isOnline, lastSeenAt }: OnlineBadgeProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const offline =
    lastSeenAt === null ? t('online.never') : t('online.lastSeen', { ago: format.ago(lastSeenAt) });
  return (
    <span
      className={`${classes.badge} ${isOnline ? classes.online : classes.offline}`}
      title={lastSeenAt === null ? undefined : format.dateTime(lastSeenAt)}
    >
      <span className={classes.dot} aria-hidden="true" />
      {isOnline ? t('online.online') : offline}
    </span>
  );
}
