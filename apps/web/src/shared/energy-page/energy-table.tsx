import type { EnergyAnswer } from '@heliograph/client';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DASH, quantityText } from '../format/amounts.ts';
import { useFormat } from '../format/use-format.ts';
import classes from './energy-page.module.css';
import type { EnergySelection } from './energy-selection.ts';
import { useStepLabel } from './step-label.ts';
import { useCurrency } from './use-currency.ts';

interface EnergyTableProps {
  readonly steps: EnergyAnswer['steps'];
  readonly selection: EnergySelection;
  /** ISO 4217; null without prices. */
  readonly currency: string | null;
}

/** The same energy in figures, for those who read them, with a screen reader as well. */
export function EnergyTable({ steps, selection, currency }: EnergyTableProps) {
  const { t } = useTranslation('energy');
  const format = useFormat();
  const labelOf = useStepLabel(selection.unit, steps);
  const inCurrency = useCurrency();
  const { t: tPrices } = useTranslation('prices');
  const money = (value: number | null, since: string | null = null): string => {
    if (value === null || currency === null) return DASH;
    const amount = inCurrency(value, currency);
    return since === null
      ? amount
      : `${amount} (${tPrices('partialSince', { date: format.date(since.slice(0, 10)) })})`;
  };
  const kwh = (value: number | null): string => (value === null ? DASH : quantityText(format.energy(value)));
  return (
    <details>
      <summary className={classes.summary}>{t('table')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: what scrolls must be reached with the keys */}
      <div className={classes.scroll} role="group" tabIndex={0} aria-label={t('table')}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('time')}</th>
              <th scope="col">{t('solar')}</th>
              <th scope="col">{t('load')}</th>
              <th scope="col">{t('toBattery')}</th>
              <th scope="col">{t('batteryToHouse')}</th>
              <th scope="col">{t('imported')}</th>
              <th scope="col">{t('exported')}</th>
              {currency !== null && <th scope="col">{tPrices('cost')}</th>}
              {currency !== null && <th scope="col">{tPrices('saved')}</th>}
            </tr>
          </thead>
          <tbody>
            {steps.map((step) => (
              <tr key={step.from}>
                <th scope="row">{labelOf(step.from)}</th>
                <td>{kwh(step.pv)}</td>
                <td>{kwh(step.load)}</td>
                <td>{kwh(step.battery_in)}</td>
                <td>{kwh(step.battery_to_load)}</td>
                <td>{kwh(step.grid_in)}</td>
                <td>{kwh(step.grid_out)}</td>
                {currency !== null && <td>{money(step.net_cost, step.costs_since)}</td>}
                {currency !== null && <td>{money(step.savings, step.costs_since)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {steps.some((step) => step.costs_unsettled === true) && (
        <Text size="sm" c="dimmed">
          {tPrices('beforeBill')}
        </Text>
      )}
    </details>
  );
}
