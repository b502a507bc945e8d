import type { SiteSummary } from '@heliograph/client';
import { useTranslation } from 'react-i18next';

type Hardware = Pick<SiteSummary, 'inverter' | 'inverter_count' | 'battery' | 'battery_count'>;

/** Which inverters and batteries a site has, on one line; empty for one whose device has told nothing. */
export function useHardwareWords({ inverter, inverter_count, battery, battery_count }: Hardware): string {
  const { t } = useTranslation('sites');
  const inverters = inverter === null ? t('hardware.inverter', { count: inverter_count }) : several(inverter, inverter_count);
  const batteries = battery === null ? t('hardware.battery', { count: battery_count }) : several(battery, battery_count);
  return [
    ...(inverter_count > 0 || inverter !== null ? [inverters] : []),
    ...(battery_count > 0 || battery !== null ? [batteries] : []),
  ].join(' · ');
}

function several(model: string, count: number): string {
  return count > 1 ? `${count} × ${model}` : model;
}
