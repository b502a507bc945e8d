import type { MetricDefinition } from '@heliograph/client';
import { useDeviceLabel } from '../format/device-label.ts';

type Device = MetricDefinition['device'];

/** How a unit is called by the beginning of its topics, such as `battery_1`; other beginnings remain as they are. */
export function useUnitLabel(): (prefix: string) => string {
  const label = useDeviceLabel();
  return (prefix) => {
    const [, name = '', number] = /^([a-z]+)(?:_(\d+))?$/.exec(prefix) ?? [];
    const device = DEVICES[name];
    return device === undefined ? prefix : label(device, number === undefined ? null : Number(number) - 1);
  };
}

const DEVICES: Readonly<Record<string, Device>> = {
  total: 'totals',
  inverter: 'inverters',
  battery: 'batteries',
  meter: 'meters',
  charger: 'chargers',
  generator: 'generators',
  grid: 'grid',
  weather: 'weather',
  system: 'system',
};
