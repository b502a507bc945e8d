import type { Metric, MetricValue } from '@heliograph/client';
import { type Column, printable, type TableStyle, table } from '@heliograph/kit/terminal';
import { ageLabel } from './age.ts';

/** A value older than this is shown with its age though the device does not call it stale, in milliseconds. */
const OLD_AFTER_MS = 60_000;

const COLUMNS: readonly Column[] = [
  { title: 'TOPIC' },
  { title: 'VALUE', align: 'right' },
  { title: 'UNIT' },
];
const AGE_COLUMN: Column = { title: 'READ' };

/** Metrics as a table, a blank line between one device and the next; ages appear when a value is stale or old. */
export function metricTable(metrics: readonly Metric[], nowMs: number, style?: TableStyle): string[] {
  const rows = metrics.flatMap((metric, i) => {
    const row = [
      printable(metric.topic),
      valueText(metric.value),
      unitText(metric.unit),
      ageText(metric, nowMs),
    ];
    const before = metrics[i - 1];
    return before === undefined || deviceOf(before) === deviceOf(metric) ? [row] : [[], row];
  });
  const aged = rows.some((row) => row[3] !== undefined && row[3] !== '');
  return table(aged ? [...COLUMNS, AGE_COLUMN] : COLUMNS, rows, style);
}

/** A value for people; `-` where it is unknown. */
export function valueText(value: MetricValue): string {
  return value === null ? '-' : printable(String(value));
}

/** A value for scripts, as the device's plain-text read gives it: nothing where it is unknown. */
export function bareText(value: MetricValue): string {
  return value === null ? '' : printable(String(value));
}

/** Flags and times of day carry units that say nothing to people. */
export function unitText(unit: string): string {
  return unit === 'Enabled' || unit === 'hhmm' ? '' : printable(unit);
}

function ageText({ updated_at: updatedAt, stale }: Metric, nowMs: number): string {
  const ageMs = nowMs - Date.parse(updatedAt ?? '');
  if (Number.isNaN(ageMs)) return stale === true ? 'never' : '';
  return stale === true || ageMs > OLD_AFTER_MS ? `${ageLabel(ageMs)} ago` : '';
}

function deviceOf({ topic }: Metric): string {
  return topic.split('/', 1)[0] ?? '';
}
