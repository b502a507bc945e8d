import { type Duplex, duplexPair } from 'node:stream';
import type { Attach } from './serve-line.ts';

/**
 * The effect of a bad line on an answer of the device.
 *
 * - `none`: it is a good line
 * - `silent`: the answer is lost
 * - `truncate`: its second half is lost
 * - `corrupt`: one bit in its middle is another
 * - `double`: it comes twice
 * - `hold`: it comes when it is released
 * - `foreign`: something else comes before it
 * - `close`: the line ends `closesAfterMs` behind it
 * - `cut`: the line ends instead
 */
export type LineFault =
  | 'none'
  | 'silent'
  | 'truncate'
  | 'corrupt'
  | 'double'
  | 'hold'
  | 'foreign'
  | 'close'
  | 'cut';

/** The parts that come in place of an answer. */
export type RewriteAnswer = (answer: Buffer) => readonly Uint8Array[];

/** A line to a simulated device that misbehaves on command. Bytes that the device writes at once are one answer. */
export class LineFaults {
  /** The bytes before an answer on a line with the fault `foreign`. */
  foreign: Uint8Array = new Uint8Array();
  /** How long a line with the fault `close` stays open behind an answer, in milliseconds. */
  closesAfterMs = 0;
  /** Requests that reached the device, as they came in. */
  readonly requests: Buffer[] = [];
  #fault: LineFault | RewriteAnswer = 'none';
  #remaining = Number.POSITIVE_INFINITY;
  /** Lines that end soon: what they bring is read no more. */
  readonly #closing = new WeakSet<Duplex>();
  #newest: Duplex | undefined;
  #held: { readonly line: Duplex; readonly answer: Buffer }[] = [];

  /** From the next answer on; so many times, or until the next call. */
  behave(fault: LineFault | RewriteAnswer, times = Number.POSITIVE_INFINITY): void {
    this.#fault = fault;
    this.#remaining = times;
  }

  /** How many answers are held. */
  get held(): number {
    return this.#held.length;
  }

  /** Lets the answers go that were held, to wherever they were to go. */
  release(): void {
    for (const { line, answer } of this.#held) line.write(answer);
    this.#held = [];
  }

  /** Lets them go to the client that is connected by now, as a gateway does that knows no connections. */
  releaseToNewest(): void {
    for (const { answer } of this.#held) this.#newest?.write(answer);
    this.#held = [];
  }

  /** The same device behind this line. */
  between(device: Attach): Attach {
    return (line) => {
      this.#newest = line;
      const [near, far] = duplexPair();
      const detach = device(far);
      const forward = (request: Buffer): void => {
        if (this.#closing.has(line)) return;
        this.requests.push(request);
        near.write(request);
      };
      line.on('data', forward);
      near.on('data', (answer: Buffer) => this.#answer(line, answer));
      return () => {
        line.off('data', forward);
        detach();
        near.destroy();
      };
    };
  }

  #answer(line: Duplex, answer: Buffer): void {
    const fault = this.#remaining > 0 ? this.#fault : 'none';
    if (fault !== 'none') this.#remaining -= 1;
    if (fault === 'cut') line.destroy();
    else if (fault === 'close') this.#close(line, answer);
    else if (fault === 'hold') this.#held.push({ line, answer });
    else for (const part of this.#parts(fault, answer)) line.write(part);
  }

  #close(line: Duplex, answer: Buffer): void {
    line.write(answer);
    this.#closing.add(line);
    if (this.closesAfterMs === 0) line.end();
    else setTimeout(() => line.end(), this.closesAfterMs);
  }

  #parts(
    fault: Exclude<LineFault, 'cut' | 'close' | 'hold'> | RewriteAnswer,
    answer: Buffer,
  ): readonly Uint8Array[] {
    if (typeof fault === 'function') return fault(answer);
    switch (fault) {
      case 'none':
        return [answer];
      case 'silent':
        return [];
      case 'truncate':
        return [answer.subarray(0, Math.ceil(answer.length / 2))];
      case 'corrupt':
        return [Buffer.from(answer.map((byte, at) => (at === answer.length >> 1 ? byte ^ 0x10 : byte)))];
      case 'double':
        return [answer, answer];
      case 'foreign':
        return [this.foreign, answer];
    }
  }
}
