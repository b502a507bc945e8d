import type { EnergyAnswer } from '@heliograph/client';
import { Button, Group, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { Placeholder } from '../components/states/placeholder.tsx';
import { useFormat } from '../format/use-format.ts';
import { useLive } from '../live/live-context.tsx';
import classes from './energy-page.module.css';
import { useCurrency } from './use-currency.ts';

const PricesForm = lazy(() => import('./prices-form.tsx').then((module) => ({ default: module.PricesForm })));

interface EnergyMoneyProps {
  readonly answer: EnergyAnswer;
  /** Whether the reader may enter prices. */
  readonly mayConfigure: boolean;
}

/** Costs, earnings and savings of a time; the prices are entered here as well. */
export function EnergyMoney({ answer: { currency, total }, mayConfigure }: EnergyMoneyProps) {
  const { t } = useTranslation('prices');
  const money = useCurrency();
  const format = useFormat();
  const { device } = useLive();
  const [isOpen, setOpen] = useState(false);
  const mayEnter = mayConfigure && device !== undefined;
  // A device of an earlier version has no word of money.
  if (currency === undefined || (currency === null && !mayEnter)) return null;
  const amounts = [
    { label: t('importCost'), amount: total.import_cost },
    { label: t('fixed'), amount: total.fixed_charges },
    { label: t('earned'), amount: total.export_earnings },
    { label: t('cost'), amount: total.net_cost },
    { label: t('saved'), amount: total.savings, hint: t('savedHint') },
  ];
  return (
    <Card title={t('title')}>
      {currency === null ? (
        <Text>{t('ask')}</Text>
      ) : (
        <dl className={classes.money}>
          {amounts.map(({ label, amount, hint }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{amount === null ? '–' : money(amount, currency)}</dd>
              {hint !== undefined && <dd className={classes.moneyHint}>{hint}</dd>}
            </div>
          ))}
        </dl>
      )}
      {currency !== null && typeof total.costs_since === 'string' && (
        <Text size="sm">{t('partial', { currency, date: format.date(total.costs_since.slice(0, 10)) })}</Text>
      )}
      {total.costs_unsettled === true && (
        <Text size="sm" c="dimmed">
          {t('beforeBill')}
        </Text>
      )}
      {mayEnter && !isOpen && (
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t(currency === null ? 'enter' : 'edit')}
          </Button>
        </Group>
      )}
      {mayEnter && isOpen && (
        <Suspense fallback={<Placeholder height="20rem" />}>
          <PricesForm device={device} onDone={() => setOpen(false)} />
        </Suspense>
      )}
    </Card>
  );
}
