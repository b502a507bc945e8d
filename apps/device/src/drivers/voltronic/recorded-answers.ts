import type { MetricValue, Quantity } from '@heliograph/metrics';
import type { Entry } from '../entries.ts';
import { BadRecording, type RecordedExchange, type RecordedFrame, type Recording } from '../recording.ts';
import type { AnswerFields } from './fields.ts';
import type { FrameFormat, ParsedAnswer } from './frame-format.ts';
import type { Query } from './query.ts';

/** How a protocol's frames are written in recordings: as bytes, or as text without their check bytes. */
export interface RecordedFormat extends FrameFormat {
  readonly commandOfFrame: (frame: Uint8Array) => string;
  readonly commandOfText: (text: string) => string;
  readonly answerOfText: (text: string) => ParsedAnswer;
}

/** A protocol's queries, and its commands. */
export interface RecordedCommands {
  readonly queries: readonly Query[];
  /** The setting and the value of an acknowledged command; undefined when no setting has this command. */
  readonly settingFromCommand: (command: string) => readonly [Quantity, MetricValue] | undefined;
}

export interface RecordedAnswers {
  /** By command. */
  readonly answers: ReadonlyMap<string, AnswerFields>;
  /** Values that acknowledged commands have set. */
  readonly acknowledged: readonly Entry[];
}

/** @throws BadRecording when there is no answer, or one must be rejected */
export function recordedAnswers(
  recording: Recording,
  format: RecordedFormat,
  commands: RecordedCommands,
): RecordedAnswers {
  const recorded = textsIn(recording, format);
  const answers = new Map<string, AnswerFields>();
  const acknowledged: Entry[] = [];
  for (const { command, text } of recorded) {
    // Among many answers a refusal only marks a command that this model does not have.
    if (text === format.refused && recorded.length > 1) continue;
    if (text === format.refused) {
      throw new BadRecording(
        `the inverter refused ${command ?? 'the command'}: it does not know it, or not this value`,
      );
    }
    if (text === format.acknowledged) acknowledged.push(settingOf(command, commands));
    else answers.set(...answerOf(command, text, commands));
  }
  return { answers, acknowledged };
}

/** A value that a command has set is newer than one that was read before it. */
export function withAcknowledged(values: readonly Entry[], acknowledged: readonly Entry[]): readonly Entry[] {
  const names = new Set(acknowledged.map(([{ name }]) => name));
  return [...values.filter(([{ name }]) => !names.has(name)), ...acknowledged];
}

/** The query, by its command or else by the form of its answer, and the fields of the answer. */
function answerOf(
  command: string | undefined,
  text: string,
  { queries }: RecordedCommands,
): [command: string, fields: AnswerFields] {
  const named = command === undefined ? queries : queries.filter((query) => query.command === command);
  if (named.length === 0) throw new BadRecording(`${command} is not a question that is known here`);
  const fitting = named.flatMap((query): [string, AnswerFields][] => {
    const fields = query.parse(text);
    return fields === undefined ? [] : [[query.command, fields]];
  });
  const [first, second] = fitting;
  if (first === undefined)
    throw new BadRecording(`"${text}" is not an answer to ${command ?? 'any question'}`);
  if (second !== undefined && command === undefined) {
    throw new BadRecording(`"${text}" can answer several questions; say in "request" which was asked`);
  }
  return first;
}

function settingOf(command: string | undefined, { settingFromCommand }: RecordedCommands): Entry {
  const setting = command === undefined ? undefined : settingFromCommand(command);
  if (setting !== undefined) return setting;
  throw new BadRecording(
    `${command ?? 'a command'} was acknowledged, and is not a setting that is known here`,
  );
}

/** One query and its answer, as a user recorded them. */
interface RecordedText {
  /** The command that was sent; undefined when only the answer was recorded. */
  readonly command: string | undefined;
  /** The text inside the frame of the answer. */
  readonly text: string;
}

const HEX = /^([0-9a-f]{2})*$/i;
/** Zeros that fill up USB reports, and what terminals put behind a line. */
const PADDING = new Set([0x00, 0x0a]);

/** @throws BadRecording when there is nothing, or a frame must be rejected */
function textsIn(
  { request, response, exchanges = [] }: Recording,
  format: RecordedFormat,
): readonly RecordedText[] {
  const answered = exchanges.filter(({ response_hex, response }) => (response_hex ?? response) !== undefined);
  if (answered.length === 0) return [textIn(request, response, format)];
  return answered.map((exchange) => textIn(...framesOf(exchange), format));
}

function framesOf({
  request_hex,
  response_hex,
  request,
  response,
}: RecordedExchange): [request: RecordedFrame, response: RecordedFrame] {
  return [frameOf(request_hex, request), frameOf(response_hex, response)];
}

function frameOf(hex: string | undefined, ascii: string | undefined): RecordedFrame {
  return { ...(hex === undefined ? {} : { hex }), ...(ascii === undefined ? {} : { ascii }) };
}

function textIn(
  request: RecordedFrame | undefined,
  response: RecordedFrame | undefined,
  format: RecordedFormat,
): RecordedText {
  const command = commandIn(request, format);
  const label = command === undefined ? 'the answer' : `the answer to ${command}`;
  const answer = answerIn(response, format);
  if (answer === undefined) throw new BadRecording(`${label} is not in the recording`);
  if ('fault' in answer) throw new BadRecording(`${label} must be rejected: ${answer.fault}`);
  return { command, text: answer.text };
}

function commandIn(request: RecordedFrame | undefined, format: RecordedFormat): string | undefined {
  const text = request?.ascii ?? request?.text;
  if (text !== undefined) return format.commandOfText(text.trim());
  return request?.hex === undefined ? undefined : format.commandOfFrame(bytesOf(request.hex));
}

/** Bytes are checked; a text cannot be, because its check bytes are no text. */
function answerIn(response: RecordedFrame | undefined, format: RecordedFormat): ParsedAnswer | undefined {
  if (response?.hex !== undefined) return format.parseAnswer(withoutPadding(bytesOf(response.hex)));
  const text = (response?.ascii ?? response?.text)?.trim();
  return text === undefined ? undefined : format.answerOfText(text);
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
