import type { MetricValue } from '@heliograph/client';
import type { Format } from '../format/use-format.ts';

interface SwitchLabels {
  readonly on: string;
  readonly off: string;
}

/** Values of `unit` that are not units. */
const NO_UNITS: ReadonlySet<string> = new Set(['', 'Enabled', 'hhmm']);

const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::\d\d)?$/;

/** A value with its unit, or the label of a boolean. Texts are the device's own, in English. */
export function formatValue(
  value: NonNullable<MetricValue>,
  unit: string,
  format: Format,
  labels: SwitchLabels,
): string {
  if (typeof value === 'boolean') return value ? labels.on : labels.off;
  if (typeof value === 'string') return unit === 'hhmm' ? formatTime(value, format) : withUnit(value, unit);
  return withUnit(format.number(value), unit);
}

/** Not broken before its unit. */
function withUnit(text: string, unit: string): string {
  return NO_UNITS.has(unit) ? text : `${text}\u{A0}${unit}`;
}

/** @param text `HH:MM` or `HH:MM:SS`; anything else stays as it is */
function formatTime(text: string, format: Format): string {
  const [, hours, minutes] = TIME.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return text;
  return format.time(new Date(2000, 0, 1, Number(hours), Number(minutes)).getTime());
}
