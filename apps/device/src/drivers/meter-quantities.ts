import { type Quantity, quantities } from '@heliograph/metrics';

const {
  apparentPower,
  current,
  frequency,
  info,
  lifetimeEnergy,
  power,
  powerFactor,
  reactivePower,
  voltage,
} = quantities;

/** Quantities that meters have in common. Power is positive from the grid, and import is energy from it. */
export const METER = {
  power: power('Power'),
  voltage: voltage('Voltage'),
  current: current('Current'),
  frequency: frequency('Frequency'),
  apparentPower: apparentPower('Apparent power'),
  reactivePower: reactivePower('Reactive power'),
  powerFactor: powerFactor('Power factor'),
  importEnergy: lifetimeEnergy('Import energy'),
  exportEnergy: lifetimeEnergy('Export energy'),
  modelName: info('Model name'),
  serialNumber: info('Serial number'),
  firmwareVersion: info('Firmware version'),
} as const satisfies Readonly<Record<string, Quantity>>;

/** The same quantity of one phase, such as `Power L1`. @param phase from 1 to 3 */
export function ofPhase(quantity: Quantity, phase: number): Quantity {
  return { ...quantity, name: `${quantity.name} L${phase}` };
}
