import { useTranslation } from 'react-i18next';
import { regionalTag } from '../format/region.ts';

/** How the day is written from which prices apply. @returns a function of its beginning in ISO 8601, by the clock of the site */
export function usePriceDate(): (since: string) => string {
  const { i18n } = useTranslation();
  const locale = regionalTag(i18n.language);
  return (since) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(
      new Date(`${since.slice(0, 'YYYY-MM-DD'.length)}T00:00:00Z`),
    );
}
