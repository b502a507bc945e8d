import type { Transport } from '../bus/address.ts';
import type { DriverFamily } from './driver.ts';

const MODBUS_TRANSPORTS = ['modbus-tcp', 'modbus-rtu', 'modbus-rtu-tcp', 'solarman'] as const;

/** The transports that a family can be connected through. */
export function transportsOf(family: DriverFamily): readonly Transport[] {
  if (family.speaks === 'json') return ['http'];
  if (family.speaks === 'bytes') return family.transports;
  return family.servesUdp ? [...MODBUS_TRANSPORTS, 'modbus-udp'] : MODBUS_TRANSPORTS;
}
