import { useTranslation } from 'react-i18next';
import { useLiveValue } from '../live/live-context.tsx';
import { EnergyBalance } from './energy-balance.tsx';
import { useDeviceAbout } from './use-device-about.ts';

/** The energy that the followed site has counted in the current day, week or month. */
export function EnergyOfPeriod() {
  const { t } = useTranslation('site');
  const period = useDeviceAbout()?.energy_period;
  const titles = { daily: t('energy.today'), weekly: t('energy.thisWeek'), monthly: t('energy.thisMonth') };
  const totals = {
    solar: useEnergy('total/pv_energy'),
    load: useEnergy('total/load_energy'),
    gridIn: useEnergy('total/grid_energy_in'),
    gridOut: useEnergy('total/grid_energy_out'),
    batteryIn: useEnergy('total/battery_energy_in'),
    batteryOut: useEnergy('total/battery_energy_out'),
  };
  return <EnergyBalance title={period === undefined ? t('energy.thisPeriod') : titles[period]} {...totals} />;
}

function useEnergy(topic: string): number | null | undefined {
  const value = useLiveValue(topic);
  if (value === undefined) return undefined;
  return typeof value.value === 'number' ? value.value : null;
}
