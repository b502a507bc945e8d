import type { MetricDefinition } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { useLiveValue } from '../live/live-context.tsx';
import classes from './metric-table.module.css';
import { useShownValue } from './use-shown-value.ts';

/** A metric's value as it comes; of a table with hundreds, nothing but this renders again. */
export function MetricValueText({ definition: { topic, unit } }: { readonly definition: MetricDefinition }) {
  const { t } = useTranslation('site');
  const shown = useShownValue();
  const live = useLiveValue(topic);
  const value = live?.value ?? null;
  return (
    <span
      className={typeof value === 'string' ? classes.text : classes.number}
      data-unknown={value === null || undefined}
    >
      {live?.stale === true && <span className={classes.stale}>{t('metrics.stale')}</span>}
      {shown(value, unit)}
    </span>
  );
}
