import type { Money } from '@heliograph/contracts';
import { currencyDigits, priceText } from '@heliograph/contracts/currencies';
import { useTranslation } from 'react-i18next';
import { regionalTag } from '../../shared/format/region.ts';

/** How an amount with its currency is written in the reader's language. */
export function useMoney(): (money: Money) => string {
  const { i18n } = useTranslation();
  const locale = regionalTag(i18n.language, navigator.languages);
  return (money) => {
    const digits = currencyDigits(money.currency);
    const format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency: money.currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    // A text, so that no digit goes through floating point.
    return format.format(priceText(money) as `${number}`);
  };
}
