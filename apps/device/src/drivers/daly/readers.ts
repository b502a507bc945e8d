import type { ByteBus } from '../../bus/byte-bus.ts';
import { LinkDown } from '../../bus/failures.ts';
import type { BatteryReader } from '../battery-hardware.ts';
import type { Entry } from '../entries.ts';
import { paceOf } from '../request-pace.ts';
import {
  type A5Answers,
  type A5Command,
  a5Entries,
  type BoardCounts,
  boardCounts,
  COMMAND,
  framesOf,
} from './a5-commands.ts';
import { a5Data, a5Rule, encodeA5Request } from './a5-frame.ts';
import { encodeP81Request, type P81Block, p81Registers, p81Rule } from './p81-frame.ts';
import { p81Entries, STATES, VALUES } from './p81-registers.ts';

/** In milliseconds. */
export interface DalyTimes {
  /** The least time between two requests: a board loses one that follows an answer at once. */
  readonly gapMs: number;
  readonly timeoutMs: number;
}

/** One board on a line. */
export interface DalyLine {
  readonly bus: ByteBus;
  /** Its number, from 1. */
  readonly board: number;
  readonly times: DalyTimes;
}

/** The address of a program in requests to the first board; those of the next ones follow. */
const FIRST_HOST = 0x40;
/** The address that Bluetooth modules send, and the only one that some boards answer. */
const BLUETOOTH_HOST = 0x80;

const UNKNOWN_COUNTS: BoardCounts = { cells: 1, sensors: 1 };

/**
 * Terminals and state in every poll, then cells, temperatures and alarms; cycles, capacity and code in turn.
 *
 * @throws LinkDown when no board answers
 */
export async function a5Reader(line: DalyLine): Promise<BatteryReader> {
  const { host, counts } = await findBoard(line);
  const read = (command: A5Command) => answerTo(line, host, command, counts);
  const entriesOf = async (command: A5Command): Promise<readonly Entry[]> =>
    a5Entries(new Map([[command, await read(command)]]), counts);
  const extras: readonly A5Command[] = [
    COMMAND.cells,
    ...(counts.sensors === 0 ? [] : [COMMAND.temperatures]),
    COMMAND.alarms,
  ];
  const slow: readonly A5Command[] = [COMMAND.counts, COMMAND.ratedCapacity, COMMAND.batteryCode];
  return {
    status: async () => {
      const answers: A5Answers = new Map([
        [COMMAND.terminals, await read(COMMAND.terminals)],
        [COMMAND.switches, await read(COMMAND.switches)],
      ]);
      return a5Entries(answers, counts);
    },
    extras: extras.map((command) => () => entriesOf(command)),
    slow: slow.map((command) => ({ unit: 0, read: () => entriesOf(command) })),
  };
}

/** @throws LinkDown when no board answers */
async function findBoard(line: DalyLine): Promise<{ readonly host: number; readonly counts: BoardCounts }> {
  const host = FIRST_HOST + line.board - 1;
  const counts = async (from: number): Promise<BoardCounts> =>
    boardCounts(await answerTo(line, from, COMMAND.counts, UNKNOWN_COUNTS));
  try {
    return { host, counts: await counts(host) };
  } catch (error) {
    if (!(error instanceof LinkDown) || host !== FIRST_HOST) throw error;
    return { host: BLUETOOTH_HOST, counts: await counts(BLUETOOTH_HOST) };
  }
}

async function answerTo(
  { bus, board, times }: DalyLine,
  host: number,
  command: A5Command,
  counts: BoardCounts,
): Promise<Uint8Array> {
  const request = { host, board, command, frames: framesOf(command, counts) };
  const check = (data: Uint8Array) => a5Entries(new Map([[command, data]]), counts);
  const rule = a5Rule(request, check, times.timeoutMs);
  const answer = await paceOf(bus).run(times.gapMs, () => bus.read(encodeA5Request(host, command), rule));
  return a5Data(answer, request);
}

/** Two blocks of registers have all values. */
export function p81Reader({ bus, board, times }: DalyLine): BatteryReader {
  const read = async (block: P81Block): Promise<readonly Entry[]> => {
    const rule = p81Rule(board, block, p81Entries, times.timeoutMs);
    const request = encodeP81Request(board, block);
    const answer = await paceOf(bus).run(times.gapMs, () => bus.read(request, rule));
    return p81Entries(p81Registers(answer, board, block));
  };
  return { status: () => read(VALUES), extras: [() => read(STATES)], slow: [] };
}
