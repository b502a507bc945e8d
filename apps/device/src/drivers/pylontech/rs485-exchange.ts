import type { FrameMatch, FrameRule } from '../../bus/byte-bus.ts';
import { answerRule } from '../ascii-frame/answer-rule.ts';
import { decodeFrame } from '../ascii-frame/frame.ts';
import { RequestRefused } from '../frame-errors.ts';
import type { ModuleAnswer } from './analog.ts';
import { encodeRequest, type PylontechRequest, parseAnswer } from './answers.ts';
import type { PylontechLine } from './line.ts';

/**
 * @throws LinkDown when no trustworthy answer came, RequestRefused when the battery refuses
 */
export async function exchange(
  { bus, timeouts }: PylontechLine,
  request: PylontechRequest,
): Promise<readonly ModuleAnswer[]> {
  const sent = encodeRequest(request);
  const rule = answerRule({
    sent,
    parse: (frame) => parseAnswer(request, frame),
    timeoutMs: request.all ? timeouts.allMs : timeouts.oneMs,
  });
  const answer = await bus.read(sent, orConsole(rule));
  if (isConsole(answer)) throw new RequestRefused('this is the console of a battery, not its RS485 port');
  return parseAnswer(request, decodeFrame(answer));
}

/** Passes the prompt of a console as well. */
function orConsole(rule: FrameRule): FrameRule {
  const find = (bytes: Uint8Array): FrameMatch =>
    isConsole(bytes) ? { is: 'frame', frame: bytes, end: bytes.length } : rule.find(bytes);
  return { ...rule, find };
}

/** With line ends around it. */
const MAX_PROMPT_LENGTH = 64;

/** A console shows what it was sent, complains, and ends in its prompt. */
function isConsole(bytes: Uint8Array): boolean {
  return /[\r\n]\w+>\s*$/.test(Buffer.from(bytes.subarray(-MAX_PROMPT_LENGTH)).toString('latin1'));
}
