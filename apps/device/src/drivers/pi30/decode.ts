import type { DecodedUnit } from '../driver.ts';
import { type Entry, quantitiesOf, readingOf } from '../entries.ts';
import { BadRecording, type RecordedFrame, type Recording } from '../recording.ts';
import { ACKNOWLEDGED, parseAnswer, REFUSED } from './frame.ts';
import { BLOCKS, feedsIn, inverterValues, parallelValues, settingsIn } from './inverter.ts';
import type { Pi30Fields } from './map/fields.ts';
import { QGMN, QID, QMN } from './map/identity.ts';
import { isPresent, MOST_INVERTERS, PARALLEL, parallelQuery } from './map/parallel.ts';
import type { Query } from './map/query.ts';
import { QFLAG } from './settings/flags.ts';
import { settingFromCommand } from './settings/setting-from-command.ts';

const OWN: readonly Query[] = [...BLOCKS.map(([query]) => query), QFLAG, QGMN];
const PARALLEL_QUERIES = Array.from({ length: MOST_INVERTERS }, (_, number) => parallelQuery(number));
const QUERIES = [...OWN, ...PARALLEL_QUERIES];

/** See {@link ByteFamily.decode}. */
export function decode(recording: Recording): readonly DecodedUnit[] {
  const recorded = recordedAnswers(recording);
  const answers = new Map<string, Pi30Fields>();
  const acknowledgements: Entry[] = [];
  for (const { command, text } of recorded) {
    // Among many answers a refusal only marks a command that this model does not have.
    if (text === REFUSED && recorded.length > 1) continue;
    if (text === ACKNOWLEDGED || text === REFUSED) acknowledgements.push(acknowledged(command, text));
    else answers.set(...answerOf(command, text));
  }
  const units = [...ownUnit(answers, acknowledgements), ...otherUnits(answers)];
  if (units.length > 0) return units;
  throw new BadRecording('nothing in the recording tells a value');
}

/** The query, by its command or else by the form of its answer, and the fields of the answer. */
function answerOf(command: string | undefined, text: string): [command: string, fields: Pi30Fields] {
  const named = command === undefined ? QUERIES : QUERIES.filter((query) => query.command === command);
  if (named.length === 0) throw new BadRecording(`${command} is not a question that is known here`);
  const fitting = named.flatMap((query): [string, Pi30Fields][] => {
    const fields = query.parse(text);
    return fields === undefined ? [] : [[query.command, fields]];
  });
  const [first, second] = fitting;
  if (first === undefined)
    throw new BadRecording(`"(${text}" is not an answer to ${command ?? 'any question'}`);
  if (second !== undefined && command === undefined) {
    throw new BadRecording(`"(${text}" can answer several questions; say in "request" which was asked`);
  }
  return first;
}

function acknowledged(command: string | undefined, text: string): Entry {
  if (text === REFUSED) {
    throw new BadRecording(
      `the inverter refused ${command ?? 'the command'} with (NAK: it does not know it, or not this value`,
    );
  }
  const setting = command === undefined ? undefined : settingFromCommand(command);
  if (setting === undefined) {
    throw new BadRecording(
      `${command ?? 'a command'} was acknowledged, and is not a setting that is known here`,
    );
  }
  return setting;
}

/** The inverter that the cable goes to. */
function ownUnit(
  answers: ReadonlyMap<string, Pi30Fields>,
  acknowledgements: readonly Entry[],
): readonly DecodedUnit[] {
  const values = inverterValues(answers, settingsIn(answers), feedsIn(answers) ?? false);
  // A value that a command has set is newer than one that was read before it.
  const acknowledgedNames = new Set(acknowledgements.map(([{ name }]) => name));
  const all = [...values.filter(([{ name }]) => !acknowledgedNames.has(name)), ...acknowledgements];
  return all.length === 0 ? [] : [unitOf(all, answers.get(QMN.command)?.[0] ?? null)];
}

/** Inverters that are seen through another one, which is not counted twice. */
function otherUnits(answers: ReadonlyMap<string, Pi30Fields>): readonly DecodedUnit[] {
  const own = answers.get(QID.command)?.[0];
  return PARALLEL_QUERIES.flatMap(({ command }) => {
    const fields = answers.get(command);
    if (fields === undefined || !isPresent(fields) || fields[PARALLEL.serial] === own) return [];
    return [unitOf(parallelValues(fields), null)];
  });
}

function unitOf(values: readonly Entry[], model: string | null): DecodedUnit {
  return {
    kind: 'inverters',
    model,
    quantities: quantitiesOf(values),
    reading: readingOf(values),
  };
}

/** One query and its answer, as a user recorded them. */
interface RecordedPi30Answer {
  /** The command that was sent; undefined when only the answer was recorded. */
  readonly command: string | undefined;
  /** The answer without its `(` and its check bytes. */
  readonly text: string;
}

const HEX = /^([0-9a-f]{2})*$/i;
/** The check bytes and the carriage return behind a command. */
const TRAILER_LENGTH = 3;
/** Zeros that fill up USB reports, and what terminals put behind a line. */
const PADDING = new Set([0x00, 0x0a]);

/** @throws BadRecording when there is nothing, or a frame must be rejected */
function recordedAnswers({ request, response, exchanges }: Recording): readonly RecordedPi30Answer[] {
  if (exchanges !== undefined && exchanges.length > 0) {
    return exchanges.map(({ request_hex, response_hex, request: requested, response }) =>
      recordedAnswer(frameIn(request_hex, requested), frameIn(response_hex, response)),
    );
  }
  return [recordedAnswer(request, response)];
}

function frameIn(hex: string | undefined, ascii: string | undefined): RecordedFrame {
  return { ...(hex === undefined ? {} : { hex }), ...(ascii === undefined ? {} : { ascii }) };
}

function recordedAnswer(
  request: RecordedFrame | undefined,
  response: RecordedFrame | undefined,
): RecordedPi30Answer {
  const command = commandOf(request);
  const text = answerText(response, command);
  return { command, text };
}

function commandOf(request: RecordedFrame | undefined): string | undefined {
  const text = request?.ascii ?? request?.text;
  if (text !== undefined) return text.trim();
  if (request?.hex === undefined) return undefined;
  return Buffer.from(bytesOf(request.hex).subarray(0, -TRAILER_LENGTH)).toString('latin1');
}

/** Bytes are checked; a text cannot be, because its check bytes are no text. */
function answerText(response: RecordedFrame | undefined, command: string | undefined): string {
  const label = command === undefined ? 'the answer' : `the answer to ${command}`;
  if (response?.hex !== undefined) {
    const answer = parseAnswer(withoutPadding(bytesOf(response.hex)));
    if ('text' in answer) return answer.text;
    throw new BadRecording(`${label} must be rejected: ${answer.fault}`);
  }
  const text = (response?.ascii ?? response?.text)?.trim();
  if (text === undefined) throw new BadRecording(`${label} is not in the recording`);
  if (!text.startsWith('(')) throw new BadRecording(`${label} must be rejected: it does not begin with "("`);
  return text.slice(1);
}

function bytesOf(hex: string): Uint8Array {
  const digits = hex.replaceAll(/\s/g, '');
  if (!HEX.test(digits)) throw new BadRecording('the recorded bytes are not written in hexadecimal');
  return Buffer.from(digits, 'hex');
}

function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && PADDING.has(bytes[end - 1] ?? -1)) end -= 1;
  return bytes.subarray(0, end);
}
