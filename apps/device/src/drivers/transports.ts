import type { Transport } from '../bus/address.ts';
import type { DriverFamily } from './driver.ts';

const MODBUS_TRANSPORTS = ['modbus-tcp', 'modbus-rtu', 'modbus-rtu-tcp', 'solarman'] as const;

/** The transports that a family can be connected through. */
export function transportsOf(family: DriverFamily): readonly Transport[] {
  return family.speaks === 'modbus' ? MODBUS_TRANSPORTS : family.transports;
}
