import type { RegisterBank } from '@heliograph/dev/modbus';
import { LineFaults, rtuUnits, serveLine } from '@heliograph/dev/serial';
import { systemClock } from '@heliograph/kit';
import type { ModbusBus } from '../../../src/bus/modbus/modbus-bus.ts';
import { openModbusBus } from '../../../src/bus/open-bus.ts';
import { deye } from '../../../src/drivers/deye/family.ts';

/** Short, so that a missing answer is noticed soon, and far longer than any answer here takes. */
const REQUEST_TIMEOUT_MS = 600;

const FUNCTION_AT = 1;
const WRITE_SEVERAL = 16;
const ADDRESS_AT = 2;
const VALUE_AT = 7;

export interface RtuInverter {
  readonly bus: ModbusBus;
  /** The line between them, which misbehaves on command. */
  readonly faults: LineFaults;
  /** Writes that reached the inverter: addresses and values. */
  readonly writes: readonly (readonly [address: number, value: number])[];
  breakConnections(): void;
  stop(): Promise<void>;
}

/** Registers behind a serial gateway, and a bus to them. */
export async function startRtuInverter(bank: RegisterBank): Promise<RtuInverter> {
  const faults = new LineFaults();
  const served = await serveLine(faults.between(rtuUnits(bank)));
  const { host, port } = served;
  const bus = openModbusBus({ transport: 'modbus-rtu-tcp', host, port }, deye.line, systemClock, {
    answerTimeoutMs: REQUEST_TIMEOUT_MS,
  });
  return {
    bus,
    faults,
    get writes() {
      return faults.requests
        .filter((request) => request[FUNCTION_AT] === WRITE_SEVERAL)
        .map((request) => [request.readUInt16BE(ADDRESS_AT), request.readUInt16BE(VALUE_AT)] as const);
    },
    breakConnections: () => served.breakConnections(),
    stop: async () => {
      await bus.close();
      await served.stop();
    },
  };
}

/** A bank with these registers and no others, which accepts writes to them. */
export function bankOf(registers: Map<number, number>): RegisterBank {
  return {
    readRange: (_unit, address, count) => {
      const values = Array.from({ length: count }, (_, index) => registers.get(address + index));
      return values.every((value) => value !== undefined) ? values : undefined;
    },
    write: (_unit, address, values) => {
      for (const [index, value] of values.entries()) registers.set(address + index, value);
    },
  };
}
