import { useTranslation } from 'react-i18next';
import { ChoiceBar } from '../components/choice/choice-bar.tsx';
import { type HistoryRange, RANGES } from './ranges.ts';

interface RangeChooserProps {
  readonly value: HistoryRange;
  readonly onChange: (range: HistoryRange) => void;
}

/** Chooses the time range of curves. */
export function RangeChooser({ value, onChange }: RangeChooserProps) {
  const { t } = useTranslation('site');
  const labels: Readonly<Record<HistoryRange, string>> = {
    today: t('energy.curves.today'),
    yesterday: t('energy.curves.yesterday'),
    week: t('energy.curves.week'),
    month: t('energy.curves.month'),
    year: t('energy.curves.year'),
  };
  const choices = RANGES.map((range) => ({ value: range, label: labels[range] }));
  return <ChoiceBar label={t('energy.curves.chooser')} choices={choices} value={value} onChange={onChange} />;
}
