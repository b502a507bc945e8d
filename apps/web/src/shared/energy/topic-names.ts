import type { TFunction } from 'i18next';

/** The readers' names of the totals of a site; other topics keep the device's own name. */
export function topicName(topic: string, t: TFunction<'site'>): string | undefined {
  switch (topic) {
    case 'total/pv_power':
      return t('energy.solar');
    case 'total/load_power':
      return t('energy.load');
    case 'total/grid_power':
      return t('energy.grid');
    case 'total/battery_power':
      return t('energy.battery');
    case 'total/battery_state_of_charge':
      return t('energy.stateOfCharge');
    default:
      return undefined;
  }
}
