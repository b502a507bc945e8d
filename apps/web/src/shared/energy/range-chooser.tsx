import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './range-chooser.module.css';
import { type HistoryRange, RANGES } from './ranges.ts';

interface RangeChooserProps {
  readonly value: HistoryRange;
  readonly onChange: (range: HistoryRange) => void;
}

/** Chooses the time that curves are shown of. */
export function RangeChooser({ value, onChange }: RangeChooserProps) {
  const { t } = useTranslation('site');
  const name = useId();
  const words: Readonly<Record<HistoryRange, string>> = {
    today: t('energy.curves.today'),
    yesterday: t('energy.curves.yesterday'),
    week: t('energy.curves.week'),
    month: t('energy.curves.month'),
    year: t('energy.curves.year'),
  };
  return (
    <fieldset className={classes.ranges} aria-label={t('energy.curves.chooser')}>
      {RANGES.map((range) => (
        <label key={range} className={classes.range}>
          <input type="radio" name={name} checked={value === range} onChange={() => onChange(range)} />
          {words[range]}
        </label>
      ))}
    </fieldset>
  );
}
