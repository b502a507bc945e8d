import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatQuantity, quantityText } from '../../format/amounts.ts';
import { useFormat } from '../../format/use-format.ts';
import { roundForDisplay } from './rounded.ts';
import { type CurveSeries, extremesOf } from './series.ts';

interface CurveSummaryProps {
  readonly series: readonly CurveSeries[];
  readonly formatTime: (timeS: number) => string;
}

/** What stands out of the curves, for who cannot see them. */
export function CurveSummary({ series, formatTime }: CurveSummaryProps) {
  const { t } = useTranslation('site');
  const format = useFormat();
  return (
    <VisuallyHidden component="ul">
      {series.map((one) => {
        const { key, name, unit } = one;
        const extremes = extremesOf(one);
        if (extremes === undefined) return <li key={key}>{t('curve.summaryNothing', { name })}</li>;
        const { highest, lowest, last } = extremes;
        const words = (value: number): string =>
          quantityText(formatQuantity(roundForDisplay(value, unit), unit, format));
        return (
          <li key={key}>
            {t('curve.summary', {
              name,
              highest: words(highest.value),
              highestAt: formatTime(highest.time),
              lowest: words(lowest.value),
              lowestAt: formatTime(lowest.time),
              last: words(last.value),
            })}
          </li>
        );
      })}
    </VisuallyHidden>
  );
}
