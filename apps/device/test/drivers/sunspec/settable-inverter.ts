import {
  buildChain,
  type FaultyLink,
  type RegisterBank,
  recordedBank,
  startFaultyLink,
  startRegisterServer,
} from '@heliograph/dev/modbus';
import type { ModbusBus } from '../../../src/bus/modbus/modbus-bus.ts';
import type { Hardware } from '../../../src/drivers/driver.ts';
import { openSunSpec } from '../../../src/drivers/sunspec/family.ts';
import { modbusTcpBus } from '../../bus/modbus-tcp-bus.ts';
import { skippedPauses } from '../skipped-pauses.ts';

/** Short, so that a missing answer is noticed soon, and far longer than any answer here takes. */
const REQUEST_TIMEOUT_MS = 500;

/** A hybrid inverter with all settings of models 123 and 124. */
export const chain = buildChain([
  { id: 1, values: { Mn: 'Maker', Md: 'Hybrid', SN: 'A-1001' } },
  { id: 103, values: { W: 100, W_SF: 0, St: 4 } },
  {
    id: 123,
    values: { Conn: 1, WMaxLimPct: 80, WMaxLimPct_SF: -1, WMaxLim_Ena: 0 },
  },
  {
    id: 124,
    values: {
      StorCtl_Mod: 0,
      MinRsvPct: 10,
      MinRsvPct_SF: 0,
      ChaState: 50,
      ChaState_SF: 0,
      OutWRte: 100,
      InWRte: 100,
      InOutWRte_SF: -2,
      ChaGriSet: 0,
    },
  },
]);
const CONTROLS = chain.headers[2] ?? 0;
const STORAGE = chain.headers[3] ?? 0;

/** Addresses in a `SettableInverter`. */
export const REGISTER = {
  serialNumber: (chain.headers[0] ?? 0) + 50,
  connection: CONTROLS + 4,
  limit: CONTROLS + 5,
  limitEnabled: CONTROLS + 9,
  limitScale: CONTROLS + 23,
  storage: STORAGE,
  mode: STORAGE + 5,
  reserve: STORAGE + 7,
  discharge: STORAGE + 12,
  charge: STORAGE + 13,
  gridCharge: STORAGE + 17,
};

/** A hybrid inverter with all settings of models 123 and 124, and a link to it that can be disturbed. */
export interface SettableInverter {
  /** Its registers by address; those of another inverter when replaced. */
  registers: Map<number, number>;
  /** The writes that reached it. */
  readonly writes: (readonly [address: number, values: readonly number[]])[];
  /** How many reads reached it since the last write. */
  readonly reads: number;
  /** Its reaction to a write; by default it stores the values. */
  take: RegisterBank['write'];
  /** Called with every read, before it is answered; `reads` counts it already. */
  onRead: () => void;
  readonly link: FaultyLink;
  readonly bus: ModbusBus;
  readonly hardware: Hardware;
  store(address: number, values: readonly number[]): void;
  stop(): Promise<void>;
}

export async function startSettableInverter(): Promise<SettableInverter> {
  let reads = 0;
  const server = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    readRange: (...range) => {
      reads += 1;
      inverter.onRead();
      return recordedBank({ unitId: 1, registers: inverter.registers }).readRange(...range);
    },
    write: (unit, address, values) => {
      reads = 0;
      inverter.writes.push([address, values]);
      inverter.take(unit, address, values);
    },
  });
  const link = await startFaultyLink(server);
  const bus = modbusTcpBus({ host: link.host, port: link.port, answerTimeoutMs: REQUEST_TIMEOUT_MS });
  const inverter: Omit<SettableInverter, 'hardware'> = {
    registers: new Map(chain.registers),
    writes: [],
    get reads() {
      return reads;
    },
    take: (_unit, address, values) => inverter.store(address, values),
    onRead: () => {},
    link,
    bus,
    store: (address, values) => {
      for (const [index, value] of values.entries()) inverter.registers.set(address + index, value);
    },
    stop: async () => {
      await bus.close();
      await link.stop();
      await server.stop();
    },
  };
  const hardware = await openSunSpec(bus, { unit: 1, options: {} }, skippedPauses());
  return Object.assign(inverter, { hardware });
}
