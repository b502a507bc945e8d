import type { FrameMatch, FrameRule } from '../../bus/byte-bus.ts';
import { hexEnd, parseHex, registerAnswer } from './hex-frame.ts';
import { encodeBlock, scanBlock, type VeDirectFields } from './text-block.ts';

/** In the first block of every cycle of every device. */
const MAIN_LABEL = 'V';

const BETWEEN_BLOCKS = '\n\n';

/**
 * The blocks that a device sends in turn, once around: the one with the voltage and those behind it. A battery
 * monitor sends two, all others one.
 *
 * A block that is broken is missing from its cycle; the end of a block that was on its way when listening began
 * is no error.
 *
 * @param blocks how many there are; without it a cycle ends where the next begins, and none may be broken
 */
export function cycleRule(timeoutMs: number, blocks = Number.POSITIVE_INFINITY): FrameRule {
  return { timeoutMs, find: (bytes) => findCycle(latin1(bytes), blocks) };
}

/** The same, and fails as soon as what comes in is no text: another speed, or other hardware. */
export function firstCycleRule(timeoutMs: number): FrameRule {
  const find = (bytes: Uint8Array): FrameMatch => {
    const text = latin1(bytes);
    if (isText(text)) return findCycle(text, Number.POSITIVE_INFINITY);
    return { is: 'skip', end: text.length, reason: 'what came is no VE.Direct text', damaged: true };
  };
  return { timeoutMs, find };
}

/** A block has one byte of any value, its checksum; the shortest is longer than this. */
const MIN_BLOCK_LENGTH = 32;
/** The end of a block may stand before the first one. */
const MAX_ENDS = 2;

function isText(text: string): boolean {
  const others = text.replace(/[\t\r\n\x20-\x7e]/g, '').length;
  return others <= MAX_ENDS + text.length / MIN_BLOCK_LENGTH;
}

/** The blocks of a frame that `cycleRule` found. */
export function cycleBlocks(frame: Uint8Array): readonly VeDirectFields[] {
  return latin1(frame)
    .split(BETWEEN_BLOCKS)
    .map((block) => new Map(block.split('\n').map((line) => line.split('\t', 2) as [string, string])));
}

/** A frame of either rule as a device sends it, with the checksums of its content. */
export function sentFrame(frame: Uint8Array): Uint8Array {
  const text = latin1(frame);
  return text.startsWith(':') ? frame : Buffer.concat(cycleBlocks(frame).map(encodeBlock));
}

/**
 * The answer to a request for one register, among text and whatever the device sends unasked.
 *
 * @param command of the answer, the same as the request's
 */
export function answerRule(timeoutMs: number, command: number, registerId: number): FrameRule {
  return { timeoutMs, find: (bytes) => findAnswer(latin1(bytes), command, registerId) };
}

function findCycle(text: string, blocks: number): FrameMatch {
  const cycle: VeDirectFields[] = [];
  for (let at = 0; ; ) {
    const scanned = scanBlock(text, at);
    if (scanned.is === 'more') return scanned;
    if (scanned.is === 'broken') {
      // While the number of blocks is unknown, only a whole cycle counts.
      if (cycle.length > 0 && Number.isFinite(blocks)) return cycleFrame(cycle, at);
      const { end, reason, fragment } = scanned;
      return fragment && cycle.length === 0 ? ignorable(end, reason) : { is: 'skip', end, reason };
    }
    const main = scanned.fields.has(MAIN_LABEL);
    if (main && cycle.length > 0) return cycleFrame(cycle, at);
    if (!main && cycle.length === 0) return ignorable(scanned.end, 'the first block of the cycle is missing');
    cycle.push(scanned.fields);
    at = scanned.end;
    if (cycle.length === blocks) return cycleFrame(cycle, at);
  }
}

function cycleFrame(cycle: readonly VeDirectFields[], end: number): FrameMatch {
  const blocks = cycle.map((fields) => [...fields].map((field) => field.join('\t')).join('\n'));
  return { is: 'frame', frame: Buffer.from(blocks.join(BETWEEN_BLOCKS), 'latin1'), end };
}

function findAnswer(text: string, command: number, registerId: number): FrameMatch {
  const at = text.indexOf(':');
  if (at < 0) return ignorable(text.length, 'text');
  if (at > 0) return ignorable(at, 'text');
  const end = hexEnd(text, at);
  if (end === 'more') return { is: 'more' };
  return end === undefined ? ignorable(1, 'text') : judge(text.slice(at, end), end, command, registerId);
}

/** Chargers send changes and old firmware sends "frame errors" without a request. */
function judge(text: string, end: number, command: number, registerId: number): FrameMatch {
  try {
    const frame = parseHex(text);
    if (frame.command !== command) return ignorable(end, 'a frame that was not requested');
    if (registerAnswer(frame)?.id === registerId) {
      return { is: 'frame', frame: Buffer.from(text, 'latin1'), end };
    }
    return { is: 'skip', end, reason: `${text.trimEnd()} answers another request` };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const isAnswer = text.startsWith(`:${command.toString(16).toUpperCase()}`);
    return { is: 'skip', end, reason: error.message, ...(isAnswer ? { damaged: true } : {}) };
  }
}

/** A valid frame that is not the expected one. */
function ignorable(end: number, reason: string): FrameMatch {
  return { is: 'skip', end, reason, ignorable: true };
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
