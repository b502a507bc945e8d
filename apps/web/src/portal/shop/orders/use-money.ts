import type { Money } from '@heliograph/contracts';
import { formatMoney, formatRate } from '@heliograph/contracts/currencies';
import { useTranslation } from 'react-i18next';
import { regionalTag } from '../../../shared/format/region.ts';

/** How amounts and rates of tax are written in the reader's language. */
export function useMoney() {
  const { i18n } = useTranslation();
  const locale = regionalTag(i18n.language);
  return {
    money: (money: Money) => formatMoney(money, locale),
    rate: (rate: string) => formatRate(rate, locale),
  };
}
