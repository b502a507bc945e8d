import { type Clock, systemClock } from '@heliograph/kit';
import type { ModbusBus } from '../../src/bus/modbus/modbus-bus.ts';
import { type BusTimes, openModbusBus } from '../../src/bus/open-bus.ts';

export interface ModbusTcpOptions extends BusTimes {
  readonly host: string;
  readonly port: number;
  readonly clock?: Clock;
}

/** There is no serial port that could be set. */
const NO_LINE = { baudRate: 9_600, parity: 'none', stopBits: 1 } as const;

/** A Modbus TCP connection; nothing is dialled before the first request. */
export function modbusTcpBus({ host, port, clock = systemClock, ...times }: ModbusTcpOptions): ModbusBus {
  return openModbusBus({ transport: 'modbus-tcp', host, port }, NO_LINE, clock, times);
}
