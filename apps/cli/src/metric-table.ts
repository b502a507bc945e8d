import type { Metric, MetricValue } from '@heliograph/client';
import { type Column, printable, type TableStyle, table } from '@heliograph/kit/terminal';
import { ageWords } from './age.ts';

/** A value older than this is shown with its age: its hardware does not answer, in milliseconds. */
const STALE_AFTER_MS = 60_000;

const COLUMNS: readonly Column[] = [
  { title: 'TOPIC' },
  { title: 'VALUE', align: 'right' },
  { title: 'UNIT' },
];
const AGE_COLUMN: Column = { title: 'READ' };

/** Metrics as a table, a blank line between one device and the next; ages appear when a value is stale. */
export function metricTable(metrics: readonly Metric[], nowMs: number, style?: TableStyle): string[] {
  const rows = metrics.flatMap((metric, i) => {
    const row = [
      printable(metric.topic),
      valueText(metric.value),
      unitText(metric.unit),
      staleText(metric, nowMs),
    ];
    const before = metrics[i - 1];
    return before === undefined || deviceOf(before) === deviceOf(metric) ? [row] : [[], row];
  });
  const stale = rows.some((row) => row[3] !== undefined && row[3] !== '');
  return table(stale ? [...COLUMNS, AGE_COLUMN] : COLUMNS, rows, style);
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

function staleText({ updated_at: updatedAt }: Metric, nowMs: number): string {
  const ageMs = nowMs - Date.parse(updatedAt ?? '');
  return ageMs > STALE_AFTER_MS ? `${ageWords(ageMs)} ago` : '';
}

function deviceOf({ topic }: Metric): string {
  return topic.split('/', 1)[0] ?? '';
}
