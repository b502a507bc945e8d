import type { SimulatedPlant } from '../simulated-plant.ts';
import { batteryMonitor } from './battery-monitor.ts';
import { phoenixInverter } from './phoenix-inverter.ts';
import { solarCharger } from './solar-charger.ts';
import { type LineOptions, veDirectLine } from './ve-direct-line.ts';

/** A SmartSolar that charges the home's battery from its panels; takes settings. */
export function solarChargerLine(plant: SimulatedPlant, options?: LineOptions) {
  return veDirectLine(solarCharger(plant), options);
}

/** A SmartShunt on the home's battery. */
export function batteryMonitorLine(plant: SimulatedPlant, options?: LineOptions) {
  return veDirectLine(batteryMonitor(plant), options);
}

/** A Phoenix inverter that feeds the home from its battery. */
export function phoenixInverterLine(plant: SimulatedPlant, options?: LineOptions) {
  return veDirectLine(phoenixInverter(plant), options);
}
