import { describe, expect, it } from 'vitest';
import {
  closeLinesAfterTests,
  describeBatteryLine,
  readingOf,
  serverTo,
} from '../../../test/drivers/battery-line.ts';
import { capturesIn } from '../../../test/drivers/captures.ts';
import { boardFrame, codeFrames, simulatedBoard } from '../../../test/drivers/daly/board.ts';
import { recordedLine } from '../../../test/drivers/recorded-line.ts';
import { crc16Modbus } from '../../bus/crc16.ts';
import { NotRecognised } from '../driver.ts';
import { exchangesIn } from '../recorded-exchanges.ts';
import { COMMAND } from './a5-commands.ts';
import { encodeA5Request, FRAME_LENGTH } from './a5-frame.ts';
import { dalyFamily } from './family.ts';
import { encodeP81Request } from './p81-frame.ts';
import { STATES, VALUES } from './p81-registers.ts';

closeLinesAfterTests();

const A5 = { unit: undefined, options: { protocol: 'a5' } };
const P81 = { unit: undefined, options: { protocol: '81' } };
const EITHER = { unit: undefined, options: {} };
const family = dalyFamily({ gapMs: 0, timeoutMs: 400 });

const CAPTURES = capturesIn(import.meta.dirname);
const recorded = (id: string) => CAPTURES.filter((capture) => capture.id === id).flatMap(exchangesIn);

/** Recorded answers of boards of 16 cells, by command, and some that are in no recording. */
const ANSWERS: ReadonlyMap<number, Uint8Array> = new Map([
  ...[...recorded('daly_a5_16s'), ...recorded('daly_a5_16s_discharging')].map(
    ({ request, response }) => [request.readUInt8(2), response] as const,
  ),
  [COMMAND.alarms, boardFrame(COMMAND.alarms, 0x04)],
  [COMMAND.ratedCapacity, boardFrame(COMMAND.ratedCapacity, 0x00, 0x03, 0xf7, 0xa0)],
  [COMMAND.batteryCode, codeFrames(COMMAND.batteryCode, 'DL-R16N-F16S')],
]);
const board = (...hosts: readonly number[]) => simulatedBoard({ hosts, answers: ANSWERS });
const p81 = recordedLine(
  recorded('daly_81_16s_discharging').map(({ request, response }) => [request, response]),
);

const A5_READS = [0x50, 0x57, 0x90, 0x93, 0x94, 0x95, 0x96, 0x98];

describeBatteryLine('A Daly board with A5 frames', {
  family,
  target: A5,
  battery: board(0x40),
  expected: {
    Voltage: 52.8,
    Current: -6.3,
    Power: -333,
    'State of charge': 96,
    'Charge state': 'Discharging',
    'Charge capacity': 248.64,
    Capacity: 260,
    'Cell voltage 16': 3.324,
    'Temperature 1': 15,
    Alarms: 'Cell under voltage warning',
    Cycles: 3,
    'Battery code': 'DL-R16N-F16S',
  },
  foreign: boardFrame(COMMAND.cellRange, 1),
  isRead: (request) => A5_READS.some((command) => request.equals(encodeA5Request(0x40, command))),
});

describeBatteryLine('A Daly board with the 81 protocol', {
  family,
  target: P81,
  battery: p81,
  expected: {
    Voltage: 53,
    Current: -8.9,
    Power: -472,
    'State of charge': 86,
    'Charge state': 'Discharging',
    'Cell voltage 16': 3.317,
    'Temperature MOS': 24,
    'Temperature board': 30,
    'Balance current': null,
  },
  foreign: Buffer.from('010302000179840102', 'hex'),
  isRead: (request) => [VALUES, STATES].some((block) => request.equals(encodeP81Request(1, block))),
});

describe.concurrent('dalyFamily', () => {
  it.each([
    ['with A5 frames', board(0x40), 52.8],
    ['that answers Bluetooth modules alone', board(0x80), 52.8],
    ['with the 81 protocol', p81, 53],
  ])('a board %s is recognised without an option', async (_kind, attach, volts) => {
    const hardware = await family.open(await serverTo(attach, family), EITHER);
    expect(await readingOf(hardware)).toMatchObject({ Voltage: volts });
  });

  it('the empty frames behind those with cells are no errors', async () => {
    const bus = await serverTo(board(0x40), family);
    const hardware = await family.open(bus, A5);
    await hardware.poll();
    await hardware.poll();
    expect(ANSWERS.get(COMMAND.cells)).toHaveLength(16 * FRAME_LENGTH);
    expect(bus.traffic.dropped).toBe(0);
  });

  it('the current of a board at rest is unknown while its number is not zero', async () => {
    const answers = new Map([...ANSWERS, [COMMAND.switches, boardFrame(COMMAND.switches, 0, 1, 1)] as const]);
    const bus = await serverTo(simulatedBoard({ hosts: [0x40], answers }), family);
    expect(await readingOf(await family.open(bus, A5))).toMatchObject({
      Current: null,
      Power: null,
      'Charge state': 'Idle',
    });
  });

  it('a board that refuses its registers is not recognised', async () => {
    const refusal = Buffer.from('5183020000', 'hex');
    refusal.writeUInt16LE(crc16Modbus(refusal.subarray(0, 3)), 3);
    const refused = family.open(
      await serverTo(recordedLine([[encodeP81Request(1, VALUES), refusal]]), family),
      P81,
    );
    await expect(refused).rejects.toThrow(NotRecognised);
    await expect(refused).rejects.toThrow('Modbus exception 2');
  });
});
