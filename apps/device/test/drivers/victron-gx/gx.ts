import {
  ModbusRefusal,
  type RegisterBank,
  startFaultyLink,
  startRegisterServer,
} from '@heliograph/dev/modbus';
import { type GxUnits, gxBank, serviceRegisters } from '@heliograph/dev/plant/victron-gx';
import type { ModbusBus } from '../../../src/bus/modbus/modbus-bus.ts';
import type { Hardware } from '../../../src/drivers/driver.ts';
import { openGx as open } from '../../../src/drivers/victron-gx/family.ts';
import { modbusTcpBus } from '../../bus/modbus-tcp-bus.ts';
import { skippedPauses } from '../skipped-pauses.ts';

/** Short, so that a missing answer is noticed soon, and far longer than any answer here takes. */
const REQUEST_TIMEOUT_MS = 600;

type Registers = Readonly<Record<number, number>>;

/** `badbeef15bad` */
const SERIAL: Registers = { 800: 0x6261, 801: 0x6462, 802: 0x6565, 803: 0x6631, 804: 0x3562, 805: 0x6164 };

/** The two registers of a number of 32 bits, which may be negative. */
export function wide(register: number, value: number): Registers {
  return { [register]: (value >> 16) & 0xffff, [register + 1]: value & 0xffff };
}

/** The GX itself: everything 0 but its serial number and these. */
export function gxWith(registers: Registers = {}): Map<number, number> {
  return new Map([
    ...serviceRegisters('system', { ...SERIAL, ...registers }),
    ...serviceRegisters('settings', inService(registers, 2700)),
  ]);
}

function inService(registers: Registers, from: number): Registers {
  return Object.fromEntries(Object.entries(registers).filter(([register]) => Number(register) >= from));
}

/** As old firmware has it: without these registers. */
export function without(registers: Map<number, number>, first: number, last: number): Map<number, number> {
  return new Map([...registers].filter(([register]) => register < first || register > last));
}

export interface ServedGx {
  readonly bus: ModbusBus;
  /** By unit id; changes take effect from the next request on. */
  readonly units: Map<number, Map<number, number>>;
  /** The line between them, which misbehaves on command. */
  readonly line: Awaited<ReturnType<typeof startFaultyLink>>;
  readonly reads: readonly (readonly [unitId: number, address: number, count: number])[];
  readonly writes: readonly (readonly [unitId: number, address: number, value: number])[];
  /** Called with every read from now on, before it is answered. */
  onRead(listener: (unitId: number) => void): void;
  /** Sets the reaction to writes; by default they are stored. */
  onWrite(take: RegisterBank['write']): void;
  stop(): Promise<void>;
}

const served: ServedGx[] = [];

/** A GX with these units that is there until `stopServed`. */
export async function serve(
  ...units: readonly (readonly [unitId: number, registers: Map<number, number>])[]
): Promise<ServedGx> {
  const gx = await serveGx(new Map(units));
  served.push(gx);
  return gx;
}

/** Ends what tests have served: for `afterEach`, or `afterAll` where tests run side by side. */
export async function stopServed(): Promise<void> {
  for (const gx of served.splice(0)) await gx.stop();
}

/** A GX with these units behind a real socket, and a bus to it. */
export async function serveGx(units: GxUnits): Promise<ServedGx> {
  const stored = new Map([...units].map(([unitId, registers]) => [unitId, new Map(registers)]));
  const reads: (readonly [number, number, number])[] = [];
  const writes: (readonly [number, number, number])[] = [];
  let take: RegisterBank['write'] = (unitId, address, [value = 0]) => stored.get(unitId)?.set(address, value);
  let readListener: (unitId: number) => void = () => {};
  const bank = gxBank(
    () => stored,
    (unitId, address, values) => {
      writes.push([unitId, address, values[0] ?? 0]);
      take(unitId, address, values);
    },
  );
  const server = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    readRange: (unitId, address, count) => {
      reads.push([unitId, address, count]);
      readListener(unitId);
      return bank.readRange(unitId, address, count);
    },
    write: bank.write,
  });
  const line = await startFaultyLink(server);
  const bus = modbusTcpBus({ host: line.host, port: line.port, answerTimeoutMs: REQUEST_TIMEOUT_MS });
  return {
    bus,
    units: stored,
    line,
    reads,
    writes,
    onRead: (next) => {
      readListener = next;
    },
    onWrite: (next) => {
      take = next;
    },
    stop: async () => {
      await bus.close();
      await line.stop();
      await server.stop();
    },
  };
}

export function openGx({ bus }: ServedGx, options: Record<string, unknown> = {}): Promise<Hardware> {
  return open(bus, { unit: undefined, options }, skippedPauses());
}

/** The values of one unit in one poll. */
export async function readUnit(hardware: Hardware, unit = 0): Promise<Record<string, unknown>> {
  return Object.fromEntries((await hardware.poll())[unit] ?? []);
}

export function refusal(code: number): never {
  throw new ModbusRefusal(code);
}
