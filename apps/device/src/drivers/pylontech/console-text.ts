import type { FrameMatch, FrameRule } from '../../bus/byte-bus.ts';
import { BadFrame, RequestRefused } from '../frame-errors.ts';

/*
 *  pylon>pwr CR LF          prompt and echo of the command
 *  @ CR LF                  beginning of the answer
 *  ...
 *  Command completed successfully CR LF
 *  $$ CR LF                 end of the answer
 *  pylon>                   the next prompt
 *
 * There is no checksum: an answer counts when its echo, both marks and every line in between are as they must be.
 */

const BEGINNING = '@';
/** The end mark and the prompt behind it, whose word depends on who is logged in. */
const END = /\$\$\s*\w+>/;
const SUCCESS = 'Command completed successfully';

/** No answer is as long; `pwr` of sixteen modules is below 3 KB. */
const MAX_LENGTH = 16_384;

export function encodeCommand(command: string): Uint8Array {
  return Buffer.from(`${command}\r`, 'latin1');
}

/**
 * The lines between the marks.
 *
 * @param text from before the echo to the prompt or beyond
 * @param command what was sent: the answer to anything else is not taken
 * @throws BadFrame when it is no whole answer to the command, Refused when the battery did not carry it out
 */
export function linesOf(text: string, command: string): readonly string[] {
  const end = text.search(END);
  if (end < 0) throw new BadFrame('the answer has no end: it is truncated');
  const mark = text.lastIndexOf(BEGINNING, end - 1);
  const answer = text.slice(mark + 1, end);
  if (mark < 0 || !echo(command).test(text.slice(0, mark)) || !/^[^\S\r\n]*[\r\n]/.test(answer)) {
    throw new BadFrame(`this is not the answer to "${command}"`);
  }
  const lines = answer
    .split(/[\r\n]+/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  if (lines.at(-1) !== SUCCESS) throw new RequestRefused(`the battery did not carry out "${command}"`);
  return lines.slice(0, -1);
}

/** At the end of what stands before the beginning mark. */
function echo(command: string): RegExp {
  return new RegExp(`(?:^|[\\r\\n>])${command}\\s*[\\r\\n]$`);
}

/**
 * Passes the answer to the command, once `parse` finds nothing wrong with it.
 *
 * @param parse throws BadFrame
 */
export function consoleRule(
  command: string,
  parse: (lines: readonly string[]) => unknown,
  timeoutMs: number,
): FrameRule {
  return { timeoutMs, responseKey: 'console', find: (bytes) => find(bytes, command, parse) };
}

function find(bytes: Uint8Array, command: string, parse: (lines: readonly string[]) => unknown): FrameMatch {
  const text = Buffer.from(bytes).toString('latin1');
  const mark = END.exec(text);
  if (mark === null) {
    const tooLong = bytes.length > MAX_LENGTH;
    return tooLong ? { is: 'skip', end: bytes.length, reason: 'the answer has no end' } : { is: 'more' };
  }
  const end = mark.index + mark[0].length;
  try {
    parse(linesOf(text, command));
  } catch (error) {
    if (error instanceof BadFrame) return { is: 'skip', end, reason: error.message };
    if (!(error instanceof RequestRefused)) throw error;
  }
  return { is: 'frame', frame: bytes.subarray(0, end), end };
}
