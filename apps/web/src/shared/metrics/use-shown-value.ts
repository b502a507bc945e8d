import type { MetricValue } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import { shownValue } from './shown-value.ts';

/** How values of metrics are written in the reader's language. */
export function useShownValue(): (value: MetricValue, unit: string) => string {
  const { t } = useTranslation('site');
  const format = useFormat();
  const words = {
    on: t('metrics.value.on'),
    off: t('metrics.value.off'),
    unknown: t('metrics.value.unknown'),
  };
  return (value, unit) => shownValue(value, unit, format, words);
}
