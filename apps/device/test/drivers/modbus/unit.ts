import {
  type FaultyLink,
  ModbusRefusal,
  type RegisterBank,
  startFaultyLink,
  startRegisterServer,
} from '@heliograph/dev/modbus';
import type { ModbusBus } from '../../../src/bus/modbus/modbus-bus.ts';
import { modbusTcpBus } from '../../bus/modbus-tcp-bus.ts';

/** Short, so that a missing answer is noticed soon, and far longer than any answer here takes. */
const REQUEST_TIMEOUT_MS = 500;

/** A unit with these holding registers behind a real socket, and a bus to it. */
export interface ServedUnit {
  readonly bus: ModbusBus;
  /** By address; changes take effect from the next request on. */
  readonly registers: Map<number, number>;
  readonly reads: (readonly [address: number, count: number])[];
  readonly writes: (readonly [address: number, values: readonly number[]])[];
  /** The exception of all reads, where the unit refuses them for a moment. */
  refusesWith: number | undefined;
  /** The reaction to a write; by default it is stored. */
  take: RegisterBank['write'];
  /** Called with every read, before it is answered. */
  onRead: () => void;
  readonly line: FaultyLink;
  stop(): Promise<void>;
}

export async function serveUnit(registers: ReadonlyMap<number, number>): Promise<ServedUnit> {
  const unit: Omit<ServedUnit, 'bus' | 'line' | 'stop'> = {
    registers: new Map(registers),
    reads: [],
    writes: [],
    refusesWith: undefined,
    take: (_unitId, address, values) => {
      for (const [index, value] of values.entries()) unit.registers.set(address + index, value);
    },
    onRead: () => {},
  };
  const server = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    readRange: (_unitId, address, count) => {
      unit.reads.push([address, count]);
      unit.onRead();
      if (unit.refusesWith !== undefined) throw new ModbusRefusal(unit.refusesWith);
      const contents = Array.from({ length: count }, (_, index) => unit.registers.get(address + index));
      return contents.every((content) => content !== undefined) ? contents : undefined;
    },
    write: (unitId, address, values) => {
      unit.writes.push([address, [...values]]);
      unit.take(unitId, address, values);
    },
  });
  const line = await startFaultyLink(server);
  const bus = modbusTcpBus({ host: line.host, port: line.port, answerTimeoutMs: REQUEST_TIMEOUT_MS });
  return Object.assign(unit, {
    bus,
    line,
    stop: async () => {
      await bus.close();
      await line.stop();
      await server.stop();
    },
  });
}
