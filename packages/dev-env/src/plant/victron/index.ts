export { batteryMonitorLine, phoenixInverterLine, solarChargerLine } from './lines.ts';
export type { LineOptions } from './ve-direct-line.ts';
