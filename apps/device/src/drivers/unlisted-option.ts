import type { MetricValue, Quantity } from '@heliograph/metrics';

/** Whether a setting is at a value that it does not offer, such as a time between two steps or an unknown code. */
export function isUnlistedOption({ setting }: Quantity, value: MetricValue | undefined): value is string {
  return setting?.kind === 'select' && typeof value === 'string' && !setting.options.includes(value);
}

/** The quantity with its current value among the options: clients show a value that is not listed as unknown. */
export function withCurrentOption(quantity: Quantity, value: MetricValue | undefined): Quantity {
  const { setting } = quantity;
  if (setting?.kind !== 'select' || !isUnlistedOption(quantity, value)) return quantity;
  return { ...quantity, setting: { ...setting, options: [...setting.options, value] } };
}
