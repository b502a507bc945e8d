import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { joined, shownAmount } from '../../format/amounts.ts';
import { useFormat } from '../../format/use-format.ts';
import { rounded } from './rounded.ts';
import { type CurveSeries, extremesOf } from './series.ts';

interface CurveSummaryProps {
  readonly series: readonly CurveSeries[];
  readonly timeWords: (timeS: number) => string;
}

/** What stands out of the curves, for who cannot see them. */
export function CurveSummary({ series, timeWords }: CurveSummaryProps) {
  const { t } = useTranslation('site');
  const format = useFormat();
  return (
    <VisuallyHidden component="ul">
      {series.map((one) => {
        const { key, name, unit } = one;
        const extremes = extremesOf(one);
        if (extremes === undefined) return <li key={key}>{t('curve.summaryNothing', { name })}</li>;
        const { highest, lowest, last } = extremes;
        const words = (value: number): string => joined(shownAmount(rounded(value, unit), unit, format));
        return (
          <li key={key}>
            {t('curve.summary', {
              name,
              highest: words(highest.value),
              highestAt: timeWords(highest.time),
              lowest: words(lowest.value),
              lowestAt: timeWords(lowest.time),
              last: words(last.value),
            })}
          </li>
        );
      })}
    </VisuallyHidden>
  );
}
