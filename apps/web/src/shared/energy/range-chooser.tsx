import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './energy.module.css';
import { type HistoryRange, RANGES } from './ranges.ts';

interface RangeChooserProps {
  readonly value: HistoryRange;
  readonly onChange: (range: HistoryRange) => void;
}

/** Chooses the time that curves are shown of. */
export function RangeChooser({ value, onChange }: RangeChooserProps) {
  const { t } = useTranslation('site');
  const words: Readonly<Record<HistoryRange, string>> = {
    today: t('energy.curves.today'),
    yesterday: t('energy.curves.yesterday'),
    week: t('energy.curves.week'),
    month: t('energy.curves.month'),
    year: t('energy.curves.year'),
  };
  const data = RANGES.map((range) => ({ value: range, label: words[range] }));
  return (
    <>
      <SegmentedControl
        size="md"
        className={classes.wide ?? ''}
        aria-label={t('energy.curves.chooser')}
        data={data}
        value={value}
        onChange={onChange}
      />
      <NativeSelect
        className={classes.narrow ?? ''}
        aria-label={t('energy.curves.chooser')}
        data={data}
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = RANGES.find((range) => range === currentTarget.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      />
    </>
  );
}
