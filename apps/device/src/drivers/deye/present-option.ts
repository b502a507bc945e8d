import type { MetricValue } from '@heliograph/metrics';
import type { Row } from './row.ts';

/** Whether a setting is at something that it does not offer, such as a time between two steps. */
export function isUnlisted({ quantity: { setting } }: Row, value: MetricValue | undefined): value is string {
  return setting?.kind === 'select' && typeof value === 'string' && !setting.options.includes(value);
}

/** What a setting is at is an option, too: clients show a value that is none of them as unknown. */
export function withPresent(row: Row, value: MetricValue | undefined): Row {
  const { quantity } = row;
  const { setting } = quantity;
  if (setting?.kind !== 'select' || !isUnlisted(row, value)) return row;
  const options = [...setting.options, value].toSorted();
  return { ...row, quantity: { ...quantity, setting: { ...setting, options } } };
}
