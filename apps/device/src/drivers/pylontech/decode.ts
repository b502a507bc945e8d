import { BATTERY } from '../battery-quantities.ts';
import type { DecodedUnit } from '../driver.ts';
import { type Entry, quantitiesOf, readingOf } from '../entries.ts';
import { BadFrame, RequestRefused } from '../frame-errors.ts';
import { BadRecording, type RecordedFrame, type Recording } from '../recording.ts';
import { parseAnswer, requestOf } from './answers.ts';
import { parseInfo } from './console-info.ts';
import { parsePwr } from './console-table.ts';
import { linesOf } from './console-text.ts';
import { decodeFrame } from './frame.ts';

export const RS485_PROTOCOL = 'pylontech_rs485';
export const CONSOLE_PROTOCOL = 'pylontech_console_rs232';

interface Exchange {
  readonly request: string;
  readonly response: string;
}

/** The entries of each battery in the recording, by its address. */
type Answers = Iterable<readonly [address: number, entries: readonly Entry[]]>;

/** @throws BadRecording */
export function decode(recording: Recording): readonly DecodedUnit[] {
  const parse = recording.protocol === CONSOLE_PROTOCOL ? parseConsole : parseRs485;
  const byAddress = new Map<number, readonly Entry[]>();
  for (const exchange of exchangesOf(recording)) {
    for (const [address, entries] of explained(() => parse(exchange))) {
      byAddress.set(address, [...(byAddress.get(address) ?? []), ...entries]);
    }
  }
  const inOrder = [...byAddress].sort(([one], [other]) => one - other);
  return inOrder.map(([, entries]) => decodedUnit(entries));
}

function decodedUnit(entries: readonly Entry[]): DecodedUnit {
  const model = entries.find(([quantity]) => quantity === BATTERY.modelName)?.[1];
  return {
    kind: 'batteries',
    model: typeof model === 'string' ? model : null,
    quantities: quantitiesOf(entries),
    reading: readingOf(entries, 'exact'),
  };
}

function parseRs485({ request, response }: Exchange): Answers {
  const requested = requestOf(decodeFrame(Buffer.from(request, 'latin1')));
  const answers = parseAnswer(requested, decodeFrame(Buffer.from(response, 'latin1')));
  return answers.map(({ address, entries }) => [address, entries]);
}

function parseConsole({ request, response }: Exchange): Answers {
  const command = request.trim();
  const lines = linesOf(response, command);
  if (command === 'pwr') return parsePwr(lines).map(({ number, entries }) => [number, entries]);
  const module = /^info (\d+)$/.exec(command)?.[1];
  if (module === undefined) throw new BadFrame(`"${command}" is not a command that is known here`);
  return [[Number(module), parseInfo(lines, Number(module))]];
}

function explained(parse: () => Answers): Answers {
  try {
    return parse();
  } catch (error) {
    if (error instanceof BadFrame || error instanceof RequestRefused) {
      throw new BadRecording(error.message, { cause: error });
    }
    throw error;
  }
}

function exchangesOf({ request, response, exchanges }: Recording): readonly Exchange[] {
  const all = (exchanges ?? []).map((exchange) => ({
    request: textOf({ ascii: exchange.request, hex: exchange.request_hex }, 'request'),
    response: textOf({ ascii: exchange.response, hex: exchange.response_hex }, 'response'),
  }));
  if (request !== undefined || response !== undefined || all.length === 0) {
    all.unshift({ request: textOf(request, 'request'), response: textOf(response, 'response') });
  }
  return all;
}

type Text = { readonly [K in 'ascii' | 'text' | 'hex']?: string | undefined };

function textOf(frame: Text | RecordedFrame | undefined, which: 'request' | 'response'): string {
  const text = frame?.ascii ?? frame?.text;
  if (text !== undefined) return text;
  const hex = frame?.hex?.replace(/\s+/g, '');
  if (hex === undefined) throw new BadRecording(`the recording has no ${which}, or one without its text`);
  if (!/^([0-9a-f]{2})*$/i.test(hex)) throw new BadRecording(`the ${which} is not hexadecimal`);
  return Buffer.from(hex, 'hex').toString('latin1');
}
