import { decodeFrame } from '../ascii-frame/frame.ts';
import { decodedBattery } from '../battery-unit.ts';
import type { DecodedUnit } from '../driver.ts';
import type { Entry } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import { type ByteExchange, exchangesIn, parseRecorded } from '../recorded-exchanges.ts';
import type { Recording } from '../recording.ts';
import { parseAnswer, requestOf } from './answers.ts';
import { parseInfo } from './console-info.ts';
import { parsePwr } from './console-table.ts';
import { linesOf } from './console-text.ts';

export const RS485_PROTOCOL = 'pylontech_rs485';
export const CONSOLE_PROTOCOL = 'pylontech_console_rs232';

/** The entries of each battery in the recording, by its address. */
type Answers = Iterable<readonly [address: number, entries: readonly Entry[]]>;

/** @throws BadRecording */
export function decode(recording: Recording): readonly DecodedUnit[] {
  const parse = recording.protocol === CONSOLE_PROTOCOL ? parseConsole : parseRs485;
  const byAddress = new Map<number, readonly Entry[]>();
  for (const exchange of exchangesIn(recording)) {
    for (const [address, entries] of parseRecorded(() => parse(exchange))) {
      byAddress.set(address, [...(byAddress.get(address) ?? []), ...entries]);
    }
  }
  const inOrder = [...byAddress].sort(([one], [other]) => one - other);
  return inOrder.map(([, entries]) => decodedBattery(entries));
}

function parseRs485({ request, response }: ByteExchange): Answers {
  const answers = parseAnswer(requestOf(decodeFrame(request)), decodeFrame(response));
  return answers.map(({ address, entries }) => [address, entries]);
}

function parseConsole({ request, response }: ByteExchange): Answers {
  const command = request.toString('latin1').trim();
  const lines = linesOf(response.toString('latin1'), command);
  if (command === 'pwr') return parsePwr(lines).map(({ number, entries }) => [number, entries]);
  const module = /^info (\d+)$/.exec(command)?.[1];
  if (module === undefined) throw new BadFrame(`"${command}" is not a command that is known here`);
  return [[Number(module), parseInfo(lines, Number(module))]];
}
