import { ModbusRefusal, type RegisterBank } from '@heliograph/dev/modbus';
import {
  type Attach,
  LineFaults,
  type RewriteAnswer,
  rtuUnits,
  serveLine,
  solarmanLogger,
  tcpAnswer,
  tcpUnits,
  v5Frame,
  withCrc,
} from '@heliograph/dev/serial';
import type { Clock } from '@heliograph/kit';
import { openModbusBus } from '../../src/bus/open-bus.ts';
import type { ModbusFamily, Target } from '../../src/drivers/driver.ts';
import { Reaction } from './reaction.ts';
import type { SettableUnit } from './settable-unit.ts';
import type { SettingState, WriteBehaviour } from './write-behaviours.ts';
import type { ModbusSetting } from './written-settings.ts';

export type ModbusLine = 'modbus-tcp' | 'modbus-rtu-tcp' | 'solarman';

/** The bus keeps the silence between frames that the speed asks for. */
const FAST_LINE = { baudRate: 115_200, parity: 'none', stopBits: 1 } as const;

const LOGGER = 2_712_345_678;
const V5_HEADER_BYTES = 11;
const V5_REQUEST_PREFIX_BYTES = 15;
const V5_ANSWER_PREFIX_BYTES = 14;
const TCP_HEADER_BYTES = 7;
const SHORT_PDU_BYTES = 2;

const WRITE_ONE = 6;
const WRITE_SEVERAL = 16;

interface Framing {
  readonly attach: (bank: RegisterBank, unitId: number) => Attach;
  readonly pduOf: (request: Buffer) => Buffer;
  readonly shorten: RewriteAnswer;
}

const rtuPdu = (frame: Buffer): Buffer => frame.subarray(1, -2);
const shortRtu = (frame: Buffer): Buffer => withCrc(frame.subarray(0, 1 + SHORT_PDU_BYTES));

const FRAMINGS: Readonly<Record<ModbusLine, Framing>> = {
  'modbus-tcp': {
    attach: (bank) => tcpUnits(bank),
    pduOf: (request) => request.subarray(TCP_HEADER_BYTES),
    shorten: (answer) => [
      tcpAnswer(answer, answer.subarray(TCP_HEADER_BYTES, TCP_HEADER_BYTES + SHORT_PDU_BYTES)),
    ],
  },
  'modbus-rtu-tcp': {
    attach: (bank, unitId) => rtuUnits(bank, [unitId]),
    pduOf: rtuPdu,
    shorten: (answer) => [shortRtu(answer)],
  },
  solarman: {
    attach: (bank, unitId) => solarmanLogger(bank, { logger: LOGGER, unitIds: [unitId] }),
    pduOf: (request) => rtuPdu(request.subarray(V5_HEADER_BYTES + V5_REQUEST_PREFIX_BYTES, -2)),
    shorten: (answer) => {
      const rtuAt = V5_HEADER_BYTES + V5_ANSWER_PREFIX_BYTES;
      const payload = Buffer.concat([
        answer.subarray(V5_HEADER_BYTES, rtuAt),
        shortRtu(answer.subarray(rtuAt)),
      ]);
      return [v5Frame(answer.readUInt16LE(3), answer.readUInt16LE(5), LOGGER, payload)];
    },
  },
};

export interface ModbusUnitOptions {
  readonly family: ModbusFamily;
  /** Its registers as delivered; a write changes it as the unit's reaction wants. */
  readonly bank: RegisterBank;
  readonly unitId: number;
  readonly line: ModbusLine;
  readonly clock: Clock;
  readonly options?: Target['options'];
}

export async function startModbusUnit({
  family,
  bank,
  unitId,
  line,
  clock,
  options = {},
}: ModbusUnitOptions): Promise<SettableUnit<ModbusSetting>> {
  const { attach, pduOf, shorten } = FRAMINGS[line];
  const faults = new LineFaults();
  const reaction = new Reaction({ clock, faults, shorten });
  let behaviour: WriteBehaviour | undefined;
  /** Those that are written between the same polls. */
  let prepared: readonly ModbusSetting[] = [];
  let written: readonly number[] = [];

  const put = (
    { at, contents, unitId: ofSetting = unitId }: ModbusSetting,
    state: SettingState,
    values: readonly number[],
  ): void => bank.write(ofSetting, at, state === 'new' ? values : (contents[state] ?? []));
  const device = attach(
    {
      get writeFunctions() {
        return behaviour?.knows ?? [WRITE_ONE, WRITE_SEVERAL];
      },
      taken: (unit, address) => {
        const [content = 0] = behaviour?.namesTaken ? (bank.readRange(unit, address, 1) ?? []) : written;
        return content;
      },
      readRange: (...request) => {
        const refusal = reaction.beforeRead();
        if (refusal !== undefined) throw new ModbusRefusal(refusal);
        return bank.readRange(...request);
      },
      write: (unit, address, values) => {
        written = values;
        const setting = prepared.find((one) => one.at === address && (one.unitId ?? unitId) === unit);
        const refusal = reaction.onWrite((state) => {
          if (setting === undefined) bank.write(unit, address, values);
          else put(setting, state, values);
        });
        if (typeof refusal === 'number') throw new ModbusRefusal(refusal);
      },
    },
    unitId,
  );
  const served = await serveLine(faults.between(device), { whole: true });
  const { host, port } = served;
  const address =
    line === 'solarman'
      ? ({ transport: line, host, port, logger: LOGGER } as const)
      : ({ transport: line, host, port } as const);
  const bus = openModbusBus(address, FAST_LINE, clock, reaction.times);
  return {
    reset: async (setting) => {
      reaction.prepare(undefined);
      if (behaviour?.knows !== undefined) {
        // The bus remembers which function the unit knows.
        behaviour = { ...behaviour, knows: [functionOf(setting.frame)] };
        await bus.write(setting.unitId ?? unitId, setting.at, setting.contents.old);
      }
      behaviour = undefined;
      prepared = [];
      bank.write(setting.unitId ?? unitId, setting.at, setting.contents.old);
    },
    behave: (setting, next) => {
      behaviour = next;
      prepared = [...prepared, setting];
      reaction.prepare(next);
      if (next.changedBefore) put(setting, 'other', []);
    },
    takeRequests: () => {
      const pdus = faults.requests.splice(0).map(pduOf);
      const writes = pdus.filter(([code]) => code === WRITE_ONE || code === WRITE_SEVERAL);
      return { count: pdus.length, writes: writes.map((pdu) => pdu.toString('hex')) };
    },
    open: async (openClock, time) =>
      reaction.watch(await family.open(bus, { unit: undefined, options }, openClock, time)),
    stop: async () => {
      await bus.close();
      await served.stop();
    },
  };
}

/** The writes of a frame to a unit that knows these functions: a function that it does not know is tried once. */
export function writesTo(frame: string, knows: readonly number[]): readonly string[] {
  const other = withOtherFunction(frame);
  return other === undefined || knows.includes(functionOf(frame)) ? [frame] : [frame, other];
}

const functionOf = (frame: string): number => Number.parseInt(frame.slice(0, 2), 16);

/** Undefined where a frame writes several registers, which function 6 cannot. */
function withOtherFunction(frame: string): string | undefined {
  const address = frame.slice(2, 6);
  if (functionOf(frame) === WRITE_ONE) return `10${address}000102${frame.slice(6)}`;
  return frame.slice(6, 10) === '0001' ? `06${address}${frame.slice(12)}` : undefined;
}
