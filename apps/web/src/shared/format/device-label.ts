import type { MetricDefinition } from '@heliograph/client';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';

type Device = MetricDefinition['device'];

/** The heading of a unit of hardware or the totals. */
export function useDeviceLabel(): (device: Device, number: number | null) => string {
  const { t } = useTranslation('site');
  return (device, number) => deviceLabel(t, device, number);
}

/** @param number 0-based, as rows carry it; people count from 1 */
function deviceLabel(t: TFunction<'site'>, device: Device, number: number | null): string {
  switch (device) {
    case 'totals':
      return t('metrics.device.totals');
    case 'inverters':
      return t('metrics.device.inverter', { number: (number ?? 0) + 1 });
    case 'batteries':
      return t('metrics.device.battery', { number: (number ?? 0) + 1 });
    case 'meters':
      return t('metrics.device.meter', { number: (number ?? 0) + 1 });
    case 'chargers':
      return t('metrics.device.charger', { number: (number ?? 0) + 1 });
    case 'generators':
      return t('metrics.device.generator', { number: (number ?? 0) + 1 });
    case 'grid':
      return t('metrics.device.grid');
    case 'weather':
      return t('metrics.device.weather');
    case 'system':
      return t('metrics.device.system');
  }
}
