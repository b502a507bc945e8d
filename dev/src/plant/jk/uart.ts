import type { Duplex } from 'node:stream';
import { encodeUartFrame, READ_ALL_REQUEST } from '@heliograph/device/jk';
import { BATTERY } from '../physics/battery.ts';
import type { SimulatedPlant } from '../physics/simulated-plant.ts';
import { type Pack, packOf } from './pack.ts';

const READ_ALL = 6;
const ANSWER = 1;

export interface UartOptions {
  /** A BMS that is asked again sooner than this stays silent, in milliseconds. */
  readonly restMs?: number;
}

/**
 * A JK BMS with the classic protocol. It knows one request and takes no writes.
 *
 * @returns attaches the BMS to a line, and returns what detaches it
 */
export function jkUart(
  plant: SimulatedPlant,
  { restMs = 900 }: UartOptions = {},
): (line: Duplex) => () => void {
  return (line) => {
    let received = Buffer.alloc(0);
    let answeredAt = Number.NEGATIVE_INFINITY;
    const take = (bytes: Buffer): void => {
      received = Buffer.concat([received, bytes]);
      const at = received.indexOf(READ_ALL_REQUEST);
      if (at < 0) return;
      received = received.subarray(at + READ_ALL_REQUEST.length);
      if (performance.now() - answeredAt < restMs) return;
      answeredAt = performance.now();
      const data = Uint8Array.from(tagsOf(packOf(plant)));
      line.write(encodeUartFrame({ command: READ_ALL, transport: ANSWER, data }));
    };
    line.on('data', take);
    return () => line.off('data', take);
  };
}

/** Most significant byte first. */
const u16 = (value: number): readonly number[] => [(value >> 8) & 0xff, value & 0xff];
const u32 = (value: number): readonly number[] => [...u16(Math.floor(value / 0x1_0000)), ...u16(value)];
/** Below zero it goes on from 101. */
const celsius = (value: number): readonly number[] =>
  u16(value < 0 ? 100 - Math.round(value) : Math.round(value));
const text = (value: string, length: number): readonly number[] => [
  ...Buffer.from(value.padEnd(length, '_'), 'latin1'),
];

function tagsOf({ cellsMv, volts, amps, cellC, percent, cycles, runSeconds }: Pack): readonly number[] {
  const centiamps = Math.round(Math.abs(amps) * 100);
  return [
    [0x79, 3 * cellsMv.length, ...cellsMv.flatMap((mv, cell) => [cell + 1, ...u16(mv)])],
    [0x80, ...celsius(cellC + 3)],
    [0x81, ...celsius(cellC)],
    [0x82, ...celsius(cellC - 1)],
    [0x83, ...u16(Math.round(volts * 100))],
    [0x84, ...u16(centiamps | (amps > 0 ? 0x8000 : 0))],
    [0x85, Math.round(percent)],
    [0x86, 2],
    [0x87, ...u16(cycles)],
    [0x89, ...u32(cycles * BATTERY.capacityAh)],
    [0x8a, ...u16(cellsMv.length)],
    [0x8b, ...u16(0)],
    [0x8c, ...u16(0b011)],
    [0x8e, ...u16(5760)],
    [0x8f, ...u16(4480)],
    [0x90, ...u16(3650)],
    [0x93, ...u16(2800)],
    [0x97, ...u16(100)],
    [0x99, ...u16(100)],
    [0x9d, 1],
    [0xaa, ...u32(BATTERY.capacityAh)],
    [0xab, 1],
    [0xac, 1],
    [0xaf, 0],
    [0xb6, ...u32(Math.floor(runSeconds / 60))],
    [0xb7, ...text('11.XW_S11.26', 15)],
    [0xba, ...text('Input UserdaJK-B2A24S20P', 24)],
    [0xc0, 1],
  ].flat();
}
