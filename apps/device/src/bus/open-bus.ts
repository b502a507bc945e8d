import { type Clock, ConfigError } from '@heliograph/kit';
import type { BusAddress, SerialLine } from './address.ts';
import type { ByteBus } from './byte-bus.ts';
import type { ModbusBus } from './modbus-bus.ts';
import { modbusTcpBus } from './modbus-tcp-bus.ts';

/**
 * A bus for Modbus; nothing is dialled before the first request.
 *
 * @param line how a serial port is set where the address does not say
 * @throws ConfigError when the address is not one that carries Modbus
 */
export function openModbusBus(address: BusAddress, _line: Required<SerialLine>, clock: Clock): ModbusBus {
  switch (address.transport) {
    case 'modbus-tcp':
      return modbusTcpBus({ host: address.host, port: address.port, clock });
    default:
      throw new ConfigError(`${address.transport} does not carry Modbus`);
  }
}

/**
 * A bus for protocols with frames of their own; nothing is opened before the first request.
 *
 * @throws ConfigError when the address is not one that carries bytes
 */
export function openByteBus(address: BusAddress, _line: Required<SerialLine>, _clock: Clock): ByteBus {
  throw new ConfigError(`${address.transport} does not carry bytes`);
}
