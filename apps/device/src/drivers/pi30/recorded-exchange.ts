import { BadRecording, type RecordedFrame, type Recording } from '../recording.ts';
import { parseAnswer } from './frame.ts';

/** One question and its answer, as a user recorded them. */
export interface RecordedPi30Answer {
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
export function recordedAnswers({ request, response, exchanges }: Recording): readonly RecordedPi30Answer[] {
  if (exchanges !== undefined && exchanges.length > 0) {
    return exchanges.map(({ request_hex, response_hex, request: asked, response: answered }) =>
      recordedAnswer(frameIn(request_hex, asked), frameIn(response_hex, answered)),
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
  const text = answerOf(response, command);
  return { command, text };
}

function commandOf(request: RecordedFrame | undefined): string | undefined {
  const text = request?.ascii ?? request?.text;
  if (text !== undefined) return text.trim();
  if (request?.hex === undefined) return undefined;
  return Buffer.from(bytesOf(request.hex).subarray(0, -TRAILER_LENGTH)).toString('latin1');
}

/** Bytes are checked; a text cannot be, because its check bytes are no text. */
function answerOf(response: RecordedFrame | undefined, command: string | undefined): string {
  const asked = command === undefined ? 'the answer' : `the answer to ${command}`;
  if (response?.hex !== undefined) {
    const answer = parseAnswer(withoutPadding(bytesOf(response.hex)));
    if ('text' in answer) return answer.text;
    throw new BadRecording(`${asked} must be rejected: ${answer.fault}`);
  }
  const text = (response?.ascii ?? response?.text)?.trim();
  if (text === undefined) throw new BadRecording(`${asked} is not in the recording`);
  if (!text.startsWith('(')) throw new BadRecording(`${asked} must be rejected: it does not begin with "("`);
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
