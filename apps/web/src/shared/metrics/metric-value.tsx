import type { MetricDefinition } from '@heliograph/client';
import { useLiveValue } from '../live/live-context.tsx';
import classes from './metric-table.module.css';
import type { FormatValue } from './use-format-value.ts';

interface MetricValueTextProps {
  readonly definition: MetricDefinition;
  /** Handed down: to look for texts anew takes longer than all else of a value that changes. */
  readonly shown: FormatValue;
  /** The mark of a value that is too old. */
  readonly staleLabel: string;
}

/** A metric's value as it comes; of a table with hundreds, nothing but this renders again. */
export function MetricValueText({ definition: { topic, unit }, shown, staleLabel }: MetricValueTextProps) {
  const live = useLiveValue(topic);
  const value = live?.value ?? null;
  return (
    <span
      className={typeof value === 'string' ? classes.text : classes.number}
      data-unknown={value === null || undefined}
    >
      {live?.stale === true && <span className={classes.stale}>{staleLabel}</span>}
      {shown(value, unit)}
    </span>
  );
}
