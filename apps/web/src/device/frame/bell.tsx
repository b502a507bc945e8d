import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { openAlertsQuery } from '../../shared/alerts/queries.ts';
import { NavigationIcon } from '../../shared/frame/navigation-entry.tsx';
import { useLive } from '../../shared/live/live-context.tsx';
import classes from './bell.module.css';

/** Leads to the alerts, and counts those that have not cleared. */
export function Bell() {
  const { t } = useTranslation('alerts');
  const { device } = useLive();
  const open = useQuery(openAlertsQuery(device)).data?.length ?? 0;
  return (
    <Link
      className={classes.bell}
      href="/alerts"
      aria-label={open === 0 ? t('title') : `${t('title')}: ${open}`}
    >
      <NavigationIcon>
        <path d="M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 21h4" />
      </NavigationIcon>
      {open > 0 && <span className={classes.count}>{open > 99 ? '99+' : open}</span>}
    </Link>
  );
}
