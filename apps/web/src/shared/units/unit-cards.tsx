import type { MetricDefinition } from '@heliograph/client';
import { VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../components/card/card.tsx';
import { DASH, formatQuantity, quantityText } from '../format/amounts.ts';
import { useDeviceLabel } from '../format/device-label.ts';
import { useFormat } from '../format/use-format.ts';
import { useDefinitions, useLiveStatus, useLiveValue } from '../live/live-context.tsx';
import { type LiveValue, shownValue } from '../live/live-values.ts';
import { useMetricNames } from '../metric-names/use-metric-names.ts';
import { hasUnits } from '../metrics/grouping.ts';
import { useFormatValue } from '../metrics/use-format-value.ts';
import { searchOf } from '../metrics-page/metrics-selection.ts';
import classes from './unit-cards.module.css';
import { batteryDirection, type UnitTopics, unitsOf } from './units.ts';
import { UnitsPlaceholder } from './units-placeholder.tsx';

interface UnitCardsProps {
  /** The page of metrics, such as `/values`. */
  readonly metricsPath: string;
}

/** A card for each inverter, battery, charger and generator, which leads to all metrics of it. */
export function UnitCards({ metricsPath }: UnitCardsProps) {
  const { t } = useTranslation('site');
  const definitions = useDefinitions();
  const { state } = useLiveStatus();
  const units = useMemo(() => unitsOf(definitions), [definitions]);
  // Totals arrive first; the place is kept for what is below.
  if (definitions.length > 0 && !hasUnits(definitions)) return <UnitsPlaceholder />;
  if (units.length === 0) return null;
  return (
    <Card title={t('units.title')}>
      <ul className={classes.units} data-old={state !== 'live' || undefined}>
        {units.map((unit) => (
          <li key={unit.prefix}>
            <UnitCard unit={unit} metricsPath={metricsPath} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function UnitCard({ unit, metricsPath }: { readonly unit: UnitTopics; readonly metricsPath: string }) {
  const { t } = useTranslation('site');
  const title = useDeviceLabel()(unit.kind, unit.number);
  const href = `${metricsPath}?${searchOf({ search: '', subject: undefined, open: [unit.prefix] })}`;
  return (
    <article className={classes.unit} aria-label={title}>
      <h3 className={classes.title}>
        <Link href={href}>{title}</Link>
      </h3>
      <dl className={classes.facts}>
        {unit.stateOfCharge && <Fact label={t('energy.stateOfCharge')} definition={unit.stateOfCharge} />}
        {unit.power && unit.kind === 'batteries' ? (
          <BatteryPower definition={unit.power} />
        ) : (
          unit.power && <Fact definition={unit.power} />
        )}
        {unit.state && unit.kind !== 'batteries' && <Fact definition={unit.state} />}
        {unit.temperature && <Fact definition={unit.temperature} />}
      </dl>
    </article>
  );
}

interface FactProps {
  /** That of the metric when left out. */
  readonly label?: string;
  readonly definition: MetricDefinition;
}

function Fact({ label, definition }: FactProps) {
  const { nameOf, stateOf } = useMetricNames();
  const shown = useShown(definition);
  const live = useLiveValue(definition.topic);
  const value = shownValue(live);
  return (
    <div data-stale={live?.stale || undefined} title={useAge(live)}>
      <dt>{label ?? nameOf(definition)}</dt>
      {typeof value === 'string' ? <dd>{stateOf(value)}</dd> : <dd translate="no">{shown(value)}</dd>}
      <Old live={live} />
    </div>
  );
}

/** The direction is a word, and the power has no sign, as in the picture of flows. */
function BatteryPower({ definition }: { readonly definition: MetricDefinition }) {
  const { nameOf, stateOf } = useMetricNames();
  const shown = useShown(definition);
  const live = useLiveValue(definition.topic);
  const value = shownValue(live);
  const labels = {
    charging: stateOf('Charging'),
    discharging: stateOf('Discharging'),
    idle: nameOf(definition),
  };
  return (
    <div data-stale={live?.stale || undefined} title={useAge(live)}>
      <dt>{labels[batteryDirection(value)]}</dt>
      <dd translate="no">{shown(typeof value === 'number' ? Math.abs(value) : value)}</dd>
      <Old live={live} />
    </div>
  );
}

/** The time of a value that is old, for people who do not see that it is grey. */
function Old({ live }: { readonly live: LiveValue | undefined }) {
  const { t } = useTranslation('metrics');
  const age = useAge(live);
  if (live?.stale !== true) return null;
  return <VisuallyHidden component="dd">{[t('stale'), age].filter(Boolean).join(', ')}</VisuallyHidden>;
}

function useAge(live: LiveValue | undefined): string | undefined {
  const format = useFormat();
  return live?.stale === true && live.readAt !== undefined ? format.dateTime(live.readAt) : undefined;
}

/** Numbers as tiles have them, in the unit that keeps them short. */
function useShown({ unit }: MetricDefinition) {
  const format = useFormat();
  const formatValue = useFormatValue();
  return (value: string | number | boolean | null | undefined): string => {
    if (value === null || value === undefined) return DASH;
    return typeof value === 'number'
      ? quantityText(formatQuantity(value, unit, format))
      : formatValue(value, unit);
  };
}
