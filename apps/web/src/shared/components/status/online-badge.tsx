import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import { useNow } from '../../format/use-now.ts';
import classes from './online-badge.module.css';

interface OnlineBadgeProps {
  readonly isOnline: boolean;
  /** Whether its values are on the page as they come in. */
  readonly isLive?: boolean;
  /** ISO 8601; null when it never was. */
  readonly lastSeenAt: string | null;
}

/** Whether a device can be reached, and if not, since when. */
export function OnlineBadge({ isOnline, isLive = false, lastSeenAt }: OnlineBadgeProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  if (isOnline)
    return <Badge className={classes.online} label={isLive ? t('online.live') : t('online.online')} />;
  if (lastSeenAt === null) return <Badge className={classes.offline} label={t('online.never')} />;
  return (
    <Badge
      className={classes.offline}
      label={t('online.lastSeen', { ago: format.ago(lastSeenAt, Math.max(now, Date.parse(lastSeenAt))) })}
      title={format.dateTime(lastSeenAt)}
    />
  );
}

interface BadgeProps {
  readonly className: string | undefined;
  readonly label: string;
  readonly title?: string;
}

function Badge({ className, label, title }: BadgeProps) {
  return (
    <span className={`${classes.badge} ${className}`} title={title}>
      <span className={classes.dot} aria-hidden="true" />
      <span>{label}</span>
    </span>
  );
}
