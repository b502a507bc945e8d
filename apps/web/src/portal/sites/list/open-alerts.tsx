import type { SiteSummary } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/format/use-format.ts';
import classes from './open-alerts.module.css';

/** The severity of the worst open alert of a site, and how many it has; nothing without any. */
export function OpenAlerts({ alerts: { count, severity } }: { readonly alerts: SiteSummary['open_alerts'] }) {
  const { t } = useTranslation('sites');
  const { number } = useFormat();
  if (severity === null) return null;
  return (
    <span className={classes.alerts} data-severity={severity}>
      {`${t(`openAlerts.${severity}`)} (${number(count)})`}
    </span>
  );
}
