import type { MetricDefinition } from '@heliograph/client';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import { useLiveNumbers } from '../live/use-live-numbers.ts';
import classes from './battery-cells.module.css';
import { barHeight, cellTopics, cellVoltages } from './cell-voltages.ts';

interface BatteryCellsProps {
  /** The title of the battery. */
  readonly unit: string;
  readonly definitions: readonly MetricDefinition[];
}

/** The voltages of a battery's cells as bars, with the lowest, the highest and their difference; each is in the table below. */
export function BatteryCells({ unit, definitions }: BatteryCellsProps) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const topics = useMemo(() => cellTopics(definitions), [definitions]);
  const voltages = cellVoltages(useLiveNumbers(topics));
  if (voltages === undefined) return null;
  const { lowest, highest, spreadMv, cells } = voltages;
  const volts = (value: number): string => `${format.number(value)}\u{A0}V`;
  const numberOf = (value: number): string => format.number(cells.indexOf(value) + 1);
  return (
    <figure className={classes.cells} aria-label={t('cells.title', { unit })}>
      <ol className={classes.bars} aria-hidden="true">
        {cells.map((voltage, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: cells never change their places
            key={index}
            data-extreme={
              voltage === highest && spreadMv > 0
                ? 'highest'
                : voltage === lowest && spreadMv > 0
                  ? 'lowest'
                  : undefined
            }
            title={voltage === null ? undefined : `${index + 1}: ${volts(voltage)}`}
          >
            <span
              className={classes.bar}
              style={{ height: voltage === null ? 0 : `${barHeight(voltage, voltages) * 100}%` }}
            />
            <span className={classes.number}>{format.number(index + 1)}</span>
          </li>
        ))}
      </ol>
      <figcaption>
        <dl className={classes.facts}>
          <div data-extreme="lowest">
            <dt>{t('cells.lowest')}</dt>
            <dd translate="no">
              {volts(lowest)} <span>{t('cells.cell', { number: numberOf(lowest) })}</span>
            </dd>
          </div>
          <div data-extreme="highest">
            <dt>{t('cells.highest')}</dt>
            <dd translate="no">
              {volts(highest)} <span>{t('cells.cell', { number: numberOf(highest) })}</span>
            </dd>
          </div>
          <div>
            <dt>{t('cells.spread')}</dt>
            <dd translate="no">{format.number(spreadMv)}&#160;mV</dd>
          </div>
        </dl>
      </figcaption>
    </figure>
  );
}
