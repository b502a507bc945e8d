import type { MetricValue, Quantity } from '@heliograph/metrics';

/** Whether a setting is at something that it does not offer, such as a number without a known meaning. */
export function isUnlisted({ setting }: Quantity, value: MetricValue | undefined): value is string {
  return setting?.kind === 'select' && typeof value === 'string' && !setting.options.includes(value);
}

/** What a setting is at is an option, too: clients show a value that is none of them as unknown. */
export function withPresent(quantity: Quantity, value: MetricValue): Quantity {
  const { setting } = quantity;
  if (setting?.kind !== 'select' || !isUnlisted(quantity, value)) return quantity;
  return { ...quantity, setting: { ...setting, options: [...setting.options, value] } };
}
