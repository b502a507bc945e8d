import { decodedBattery } from '../battery-unit.ts';
import type { DecodedUnit } from '../driver.ts';
import type { Entry } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import { type ByteExchange, exchangesIn, parseRecorded } from '../recorded-exchanges.ts';
import type { Recording } from '../recording.ts';
import { type A5Command, a5Entries, boardCounts, COMMAND } from './a5-commands.ts';
import { a5Data, decodeA5Frame, FRAME_LENGTH } from './a5-frame.ts';
import { decodeP81Request, p81Registers } from './p81-frame.ts';
import { p81Entries } from './p81-registers.ts';

export const A5_PROTOCOL = 'daly_a5_uart';
export const P81_PROTOCOL = 'daly_modbus_81';

/** @throws BadRecording */
export function decode(recording: Recording): readonly DecodedUnit[] {
  const exchanges = exchangesIn(recording);
  const entriesOf = recording.protocol === P81_PROTOCOL ? p81Recorded : a5Recorded;
  return [decodedBattery(parseRecorded(() => entriesOf(exchanges)))];
}

function a5Recorded(exchanges: readonly ByteExchange[]): readonly Entry[] {
  const answers = new Map(exchanges.map(a5Answer));
  const counts = answers.get(COMMAND.counts);
  return a5Entries(answers, counts && boardCounts(counts));
}

function a5Answer({ request, response }: ByteExchange): readonly [A5Command, Uint8Array] {
  const requested = decodeA5Frame(request).command;
  const command = Object.values(COMMAND).find((known) => known === requested);
  if (command === undefined)
    throw new BadFrame(`the request is of an unknown kind (${requested.toString(16)})`);
  const { address: board } = decodeA5Frame(response.subarray(0, FRAME_LENGTH));
  return [command, a5Data(response, { board, command })];
}

function p81Recorded(exchanges: readonly ByteExchange[]): readonly Entry[] {
  const registers = exchanges.flatMap(({ request, response }) => {
    const { board, block } = decodeP81Request(request);
    return [...p81Registers(response, board, block)];
  });
  return p81Entries(new Map(registers));
}
