import { useTranslation } from 'react-i18next';
import { regionalTag } from '../format/region.ts';

/** How amounts of a currency are written in the reader's language. @returns a function of the amount and the ISO 4217 code */
export function useCurrency(): (amount: number, currency: string) => string {
  const { i18n } = useTranslation();
  const locale = regionalTag(i18n.language);
  return (amount, currency) => new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount);
}
