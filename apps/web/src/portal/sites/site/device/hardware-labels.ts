import type { SiteSummary } from '@heliograph/client';

type Translate = (
  key: 'hardware.inverter' | 'hardware.battery',
  options: { readonly count: number },
) => string;

/** The inverters of a site; empty where its device has reported none. */
export function inverterLabel(
  { inverter, inverter_count: count }: Pick<SiteSummary, 'inverter' | 'inverter_count'>,
  t: Translate,
): string {
  if (inverter !== null) return several(inverter, count);
  return count === 0 ? '' : t('hardware.inverter', { count });
}

/** The batteries of a site, likewise. */
export function batteryLabel(
  { battery, battery_count: count }: Pick<SiteSummary, 'battery' | 'battery_count'>,
  t: Translate,
): string {
  if (battery !== null) return several(battery, count);
  return count === 0 ? '' : t('hardware.battery', { count });
}

function several(model: string, count: number): string {
  return count > 1 ? `${count} × ${model}` : model;
}
