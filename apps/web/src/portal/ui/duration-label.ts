import { useTranslation } from 'react-i18next';
import { regionalTag } from '../../shared/format/region.ts';

const UNITS = [
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const;

/** Writes minutes in the reader's language by the largest unit that divides them: "8 hours". */
export function useDurationLabel(): (minutes: number) => string {
  const { i18n } = useTranslation();
  const locale = regionalTag(i18n.language);
  return (minutes) => {
    const [unit, length] = UNITS.find(([, length]) => minutes % length === 0) ?? ['minute', 1];
    const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
    return format.format(minutes / length);
  };
}
