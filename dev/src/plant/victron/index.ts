export { batteryMonitorLine } from './battery-monitor.ts';
export { phoenixInverterLine } from './phoenix-inverter.ts';
export { solarChargerLine } from './solar-charger.ts';
export type { LineOptions } from './ve-direct-line.ts';
