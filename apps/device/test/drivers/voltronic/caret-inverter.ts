import type { Attach } from '@heliograph/dev/serial';
import type { CaretFrames } from '../../../src/drivers/voltronic/caret-frame.ts';
import { answering, type CommandIn } from './plugged-in.ts';

/** An inverter's answers to queries, by command, and the effects of its commands; all others are refused. */
export interface CaretAnswers {
  /** A text behind `^D` and its length, or a whole frame. */
  readonly queries: Record<string, string | Buffer>;
  /** Called with each acknowledged command. */
  readonly commands?: Readonly<Record<string, () => void>>;
}

/** The command of a request, such as `GS` of `^P005GS`. */
export const commandInCaret =
  ({ sendsCheckBytes }: Pick<CaretFrames, 'sendsCheckBytes'>): CommandIn =>
  (request) =>
    request.subarray(5, sendsCheckBytes ? -3 : -1).toString('latin1');

/** @param text such as `^1` */
export function caretFrame({ checkBytes }: Pick<CaretFrames, 'checkBytes'>, text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.from([...bytes, ...checkBytes(bytes), 0x0d]);
}

/** An inverter whose frames begin with `^`. */
export function caretInverter(frames: CaretFrames, { queries, commands = {} }: CaretAnswers): Attach {
  const framed = (text: string): Buffer => caretFrame(frames, text);
  return answering(commandInCaret(frames), (command) => {
    const answer = queries[command];
    if (Buffer.isBuffer(answer)) return answer;
    if (answer !== undefined) return framed(`^D${String(answer.length + 3).padStart(3, '0')}${answer}`);
    const carryOut = commands[command];
    carryOut?.();
    return framed(carryOut === undefined ? '^0' : '^1');
  });
}
