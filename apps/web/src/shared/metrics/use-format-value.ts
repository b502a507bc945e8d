import type { MetricValue } from '@heliograph/client';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import { formatValue } from './format-value.ts';

export type FormatValue = (value: MetricValue, unit: string) => string;

/** How values of metrics are written in the reader's language; the same function until that changes. */
export function useFormatValue(): FormatValue {
  const { t } = useTranslation('site');
  const format = useFormat();
  return useCallback(
    (value, unit) => {
      const labels = { on: t('metrics.value.on'), off: t('metrics.value.off') };
      return value === null ? t('metrics.value.unknown') : formatValue(value, unit, format, labels);
    },
    [t, format],
  );
}
