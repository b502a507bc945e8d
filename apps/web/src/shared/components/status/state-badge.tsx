import type { SiteState } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import { useNow } from '../../format/use-now.ts';
import classes from './state-badge.module.css';

interface StateBadgeProps {
  readonly state: SiteState;
  /** Whether its values are on the page as they come in. */
  readonly isLive?: boolean;
  /** ISO 8601, of a device that is offline; left out where it stands elsewhere. */
  readonly lastSeenAt?: string | null;
}

/** How a site or a device stands: the same word and colour wherever it is named. */
export function StateBadge({ state, isLive = false, lastSeenAt = null }: StateBadgeProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const seenAt = state === 'offline' ? lastSeenAt : null;
  const ago = seenAt === null ? undefined : format.ago(seenAt, Math.max(now, Date.parse(seenAt)));
  const label = state === 'online' && isLive ? 'state.live' : (`state.${state}` as const);
  return (
    <span
      className={classes.badge}
      data-state={state}
      title={seenAt === null ? undefined : format.dateTime(seenAt)}
    >
      <span className={classes.dot} aria-hidden="true" />
      <span>{ago === undefined ? t(label) : t('state.lastSeen', { ago })}</span>
    </span>
  );
}
