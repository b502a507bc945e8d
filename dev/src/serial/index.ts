export { type DatagramModule, type DatagramModuleOptions, serveDatagrams } from './datagram-module.ts';
export { type LineFault, LineFaults, type RewriteAnswer } from './line-faults.ts';
export { openPty, type Pty } from './pty.ts';
export { rtuAnswer, rtuUnits, withCrc } from './rtu-units.ts';
export { type Attach, type ServedLine, serveLine } from './serve-line.ts';
export { type SolarmanLoggerOptions, solarmanLogger, v5Frame } from './solarman-logger.ts';
export { tcpAnswer, tcpUnits } from './tcp-units.ts';
