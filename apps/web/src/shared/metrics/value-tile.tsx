import type { MetricValue } from '@heliograph/client';
import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DASH, formatQuantity } from '../format/amounts.ts';
import { type Tone, toneOf, toneStyle } from '../format/tone.ts';
import { useFormat } from '../format/use-format.ts';
import { useDefinitions, useLiveStatus, useLiveValue } from '../live/live-context.tsx';
import { useFormatValue } from './use-format-value.ts';
import classes from './value-tile.module.css';

interface ValueTileProps {
  readonly label: string;
  /** Null and undefined are unknown, and shown as a dash. */
  readonly value: MetricValue | undefined;
  /** As metrics have it: W, kWh, %, … */
  readonly unit?: string;
  readonly tone?: Tone;
  /** Whether the value is an old one. */
  readonly isStale?: boolean;
  readonly hint?: string;
}

/** One figure, large, under its name. */
export function ValueTile({
  label,
  value,
  unit = '',
  tone = 'neutral',
  isStale = false,
  hint,
}: ValueTileProps) {
  const { t } = useTranslation('site');
  const format = useFormat();
  const formatValue = useFormatValue();
  const isUnknown = value === null || value === undefined;
  const shown =
    typeof value === 'number'
      ? formatQuantity(value, unit, format)
      : { number: isUnknown ? DASH : formatValue(value, unit), unit: '' };
  return (
    <dl className={classes.tile} style={toneStyle(tone)} data-tone={tone} data-stale={isStale || undefined}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>
        <span
          className={shown.number.length > LONG ? classes.text : classes.number}
          aria-hidden={isUnknown || undefined}
        >
          {shown.number}
        </span>
        {isUnknown && <VisuallyHidden>{formatValue(null, unit)}</VisuallyHidden>}
        {shown.unit !== '' && <span className={classes.unit}> {shown.unit}</span>}
        {isStale && (
          <span className={classes.stale} title={t('tile.staleHint')}>
            {t('tile.stale')}
          </span>
        )}
      </dd>
      {hint !== undefined && <dd className={classes.hint}>{hint}</dd>}
    </dl>
  );
}

/** From so many characters on, a value is a text that is read, and no figure. */
const LONG = 10;

interface LiveTileProps {
  readonly topic: string;
  readonly label: string;
  /** That of the topic when left out. */
  readonly tone?: Tone;
  readonly hint?: string;
}

/** A topic's value as it comes; nothing where the site has no such topic. */
export function LiveTile({ topic, label, tone = toneOf(topic), hint }: LiveTileProps) {
  const live = useLiveValue(topic);
  const { state } = useLiveStatus();
  const definitions = useDefinitions();
  const definition = definitions.find((one) => one.topic === topic);
  if (definition === undefined && definitions.length > 0) return null;
  return (
    <ValueTile
      label={label}
      value={live?.value}
      unit={definition?.unit ?? ''}
      tone={tone}
      isStale={live?.stale === true || (live !== undefined && state !== 'live')}
      {...(hint !== undefined && { hint })}
    />
  );
}
