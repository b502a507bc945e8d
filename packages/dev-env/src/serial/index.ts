export { type DatagramModule, type DatagramModuleOptions, serveDatagrams } from './datagram-module.ts';
export { type LineFault, LineFaults } from './line-faults.ts';
export { openPty, type Pty } from './pty.ts';
export { rtuAnswer, rtuUnits } from './rtu-units.ts';
export { type Attach, type ServedLine, serveLine } from './serve-line.ts';
export { type SolarmanLoggerOptions, solarmanLogger } from './solarman-logger.ts';
