import type { Duplex } from 'node:stream';
import {
  acknowledgement,
  encodePbRequest,
  RECORD,
  RECORD_LENGTH,
  type RecordKind,
} from '@heliograph/device/jk';
import { BATTERY } from '../physics/battery.ts';
import type { SimulatedPlant } from '../physics/simulated-plant.ts';
import { type Pack, packOf } from './pack.ts';

export interface PbOptions {
  /** As set by its switches, 1 to 15. */
  readonly unit?: number;
}

const KINDS: readonly RecordKind[] = ['status', 'settings', 'info'];
const REQUEST_LENGTH = 11;
/** The mask of the sensors that are fitted: MOSFET, 1 and 2. */
const SENSORS = 0b0111;

/**
 * A JK-PB inverter BMS on its RS485 bus. It sends its records and accepts no writes.
 *
 * @returns attaches the BMS to a line, and returns what detaches it
 */
export function jkPb(plant: SimulatedPlant, { unit = 1 }: PbOptions = {}): (line: Duplex) => () => void {
  return (line) => {
    let received = Buffer.alloc(0);
    let counter = 0;
    const take = (bytes: Buffer): void => {
      received = Buffer.concat([received, bytes]).subarray(-REQUEST_LENGTH);
      const kind = KINDS.find((one) => received.equals(encodePbRequest(unit, one)));
      if (kind === undefined) return;
      received = Buffer.alloc(0);
      counter = (counter + 1) & 0xff;
      line.write(Buffer.concat([recordOf(kind, packOf(plant), counter), acknowledgement(unit, kind)]));
    };
    line.on('data', take);
    return () => line.off('data', take);
  };
}

function recordOf(kind: RecordKind, pack: Pack, counter: number): Buffer {
  const record = Buffer.alloc(RECORD_LENGTH);
  record.set([0x55, 0xaa, 0xeb, 0x90, RECORD[kind].kind, counter]);
  FILL[kind](record, pack);
  const sum = record.reduce((total, byte) => total + byte, 0);
  record[RECORD_LENGTH - 1] = sum & 0xff;
  return record;
}

const FILL: Readonly<Record<RecordKind, (record: Buffer, pack: Pack) => void>> = {
  status: fillStatus,
  settings: fillSettings,
  info: fillInfo,
};

function fillStatus(record: Buffer, { cellsMv, volts, amps, cellC, percent, cycles }: Pack): void {
  cellsMv.forEach((mv, cell) => {
    record.writeUInt16LE(mv, 6 + 2 * cell);
  });
  record.writeUInt32LE(2 ** cellsMv.length - 1, 70);
  record.writeUInt16LE(Math.round((1000 * volts) / cellsMv.length), 74);
  record.writeUInt16LE(Math.max(...cellsMv) - Math.min(...cellsMv), 76);
  record.writeInt16LE(Math.round(10 * (cellC + 3)), 144);
  record.writeUInt32LE(Math.round(1000 * volts), 150);
  record.writeUInt32LE(Math.round(1000 * volts * Math.abs(amps)), 154);
  record.writeInt32LE(Math.round(1000 * amps), 158);
  record.writeInt16LE(Math.round(10 * cellC), 162);
  record.writeInt16LE(Math.round(10 * (cellC - 1)), 164);
  record.writeUInt8(Math.round(percent), 173);
  record.writeUInt32LE(Math.round(10 * BATTERY.capacityAh * percent), 174);
  record.writeUInt32LE(1000 * BATTERY.capacityAh, 178);
  record.writeUInt32LE(cycles, 182);
  record.writeUInt32LE(1000 * cycles * BATTERY.capacityAh, 186);
  record.writeUInt8(98, 190);
  record.writeUInt8(1, 198);
  record.writeUInt8(1, 199);
  record.writeUInt8(SENSORS, 214);
}

function fillSettings(record: Buffer): void {
  const cellMv = {
    10: 2800,
    14: 2900,
    18: 3650,
    22: 3450,
    26: 10,
    30: 3500,
    34: 2800,
    38: 3550,
    42: 3400,
    46: 2700,
  };
  for (const [offset, mv] of Object.entries(cellMv)) record.writeUInt32LE(mv, Number(offset));
  record.writeUInt32LE(100_000, 50);
  record.writeUInt32LE(100_000, 62);
  record.writeUInt32LE(2_000, 78);
  record.writeUInt32LE(BATTERY.cells, 114);
  for (const offset of [118, 122, 126]) record.writeUInt32LE(1, offset);
  record.writeUInt32LE(1000 * BATTERY.capacityAh, 130);
  record.writeUInt32LE(3300, 138);
}

function fillInfo(record: Buffer): void {
  record.write('JK_PB2A16S20P', 6, 'latin1');
  record.write('15A', 22, 'latin1');
  record.write('15.38', 30, 'latin1');
  record.write('Battery', 46, 'latin1');
  record.write('40300000001', 86, 'latin1');
}
