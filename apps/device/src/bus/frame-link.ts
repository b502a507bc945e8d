import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf, wait } from '@heliograph/kit';
import type { TrafficCounter } from './bus.ts';
import type { FrameRule } from './byte-bus.ts';
import { Deadline } from './deadline.ts';
import { searchFrame, skipIgnorable } from './frame-search.ts';
import type { LateAnswers } from './late-answers.ts';
import { type Gate, type Link, LinkLost } from './link.ts';

export interface FrameLinkOptions {
  readonly traffic: TrafficCounter;
  readonly late: LateAnswers;
  /** How long the line is to be quiet before a request, in milliseconds. */
  readonly quietMs: number;
  /**
   * Requests in a row without an answer after which the line is opened again. One for a network connection, which
   * may have died without a word; more for a serial port, which is what it is, unless it has been unplugged.
   */
  readonly maxFailures: number;
  /**
   * How long the line may be silent before an exchange fails, and how long it may not be quiet before a request, in
   * milliseconds; read at every exchange.
   */
  readonly silenceMs?: number | undefined;
}

export interface Exchange {
  readonly request: Uint8Array;
  readonly answer: FrameRule;
  /** The hardware's name in errors, such as `unit 3`. */
  readonly peerName: string;
}

/** Bytes kept while no request is under way: seconds of any protocol that sends by itself. */
const MAX_BACKLOG_BYTES = 16_384;
/** A line that has been quiet for so long carries nothing that is still news. */
const BACKLOG_MS = 5_000;
/** The response key of a rule without one: any answer may be mistaken for any other. */
const ALL = '';
/** How long after an answer that equals the one before it the real one may still come, if it was a copy. */
const COPY_MS = 50;

/**
 * Frames over a stream of bytes, one exchange at a time: finds the answer in whatever comes in, drops and counts
 * everything else, and sends nothing while the line is not quiet or a late answer may be taken for the next one.
 */
export class FrameLink implements Link {
  readonly #stream: Duplex;
  readonly #options: FrameLinkOptions;
  readonly #end = new AbortController();
  #lost: LinkLost | undefined;
  #answeredAtMs: number | undefined;
  #closedAfterAnswerMs: number | undefined;
  #pending: Buffer = Buffer.alloc(0);
  #lastByteAtMs = Number.NEGATIVE_INFINITY;
  #onBytes: (() => void) | undefined;
  #onLost: ((reason: LinkLost) => void) | undefined;
  /** Whether anything came in since the request, or since the waiting began. */
  #hasReceived = false;
  /** Whether the last frame that was found may belong to another request. */
  #isDoubtful = false;
  /** Why something that came in since the request was dropped. */
  #lastDropReason: string | undefined;
  /** Whether the hardware speaks by itself: then what comes in unasked is no error. */
  #speaksByItself = false;
  #failures = 0;
  #last: { readonly request: Uint8Array; readonly frame: Uint8Array } | undefined;

  constructor(stream: Duplex, options: FrameLinkOptions) {
    this.#stream = stream;
    this.#options = options;
    stream.on('data', (bytes: Buffer) => this.#receive(bytes));
    stream.on('error', (error) => this.#ended(messageOf(error)));
    // The other side sends nothing more, and its system will refuse what is sent to it.
    stream.once('end', () => this.#ended('the connection was closed'));
    stream.once('close', () => this.#ended('the connection was closed'));
  }

  get alive(): boolean {
    return this.#lost === undefined && !this.#stream.destroyed;
  }

  get closedAfterAnswerMs(): number | undefined {
    return this.#closedAfterAnswerMs;
  }

  get released(): Promise<void> {
    return this.#stream.closed
      ? Promise.resolve()
      : new Promise((resolve) => this.#stream.once('close', () => resolve()));
  }

  /** @throws LinkLost, and whatever the gate throws */
  async exchange({ request, answer, peerName }: Exchange, gate: Gate): Promise<Uint8Array> {
    await this.#settled(answer, peerName);
    this.#dropPending(answer);
    this.#lastDropReason = undefined;
    this.#hasReceived = false;
    gate();
    this.#options.traffic.note('sent', request);
    this.#stream.write(request);
    try {
      const frame = await this.#unlessCopy(
        request,
        answer,
        await this.#next(() => this.#search(answer), answer.timeoutMs, peerName),
      );
      this.#options.traffic.note('received', frame);
      this.#last = { request, frame };
      this.#answeredAtMs = performance.now();
      this.#failures = 0;
      return frame;
    } catch (error) {
      throw this.#failed(error, answer);
    }
  }

  /**
   * Waits for a frame that comes by itself, and takes the newest of those that are there.
   *
   * @throws LinkLost
   */
  async listen(frame: FrameRule, gate: Gate): Promise<Uint8Array> {
    if (this.#lost !== undefined) throw this.#lost;
    gate();
    this.#speaksByItself = true;
    this.#lastDropReason = undefined;
    this.#hasReceived = false;
    if (performance.now() - this.#lastByteAtMs > BACKLOG_MS) this.#pending = Buffer.alloc(0);
    try {
      const newest = await this.#next(() => this.#newest(frame), frame.timeoutMs, 'the hardware');
      this.#options.traffic.note('received', newest);
      this.#failures = 0;
      return newest;
    } catch (error) {
      this.#countFailure();
      // Waiting once more would not make it come sooner.
      if (error instanceof LinkLost && error.reason === 'garbled')
        throw new LinkLost('silent', error.message);
      throw error;
    }
  }

  drop(): void {
    this.#lose(new LinkLost('closed', 'the connection was closed here'));
  }

  /** @throws LinkLost when the connection ends meanwhile, or others speak for as long as an answer may take */
  async #settled(rule: FrameRule, peerName: string): Promise<void> {
    const { responseKey = ALL, timeoutMs } = rule;
    const { late, quietMs, silenceMs = timeoutMs } = this.#options;
    const unquietMs = Math.min(timeoutMs, silenceMs);
    // Counted in waits, not by the clock: a process that was busy itself has not listened meanwhile.
    let patienceMs = late.waitMs(responseKey) + unquietMs;
    let receivedAtMs = this.#lastByteAtMs;
    let waitedMs = 0;
    // In the turn of the last answer the system is not looked at again: an end right behind it shows in the next.
    await nextTurn();
    for (;;) {
      // Bytes that the system already holds are read first: a process that was busy is behind the clock.
      await nextTurn();
      // A port that was unplugged reports its end only when it is closed, which may take its driver for ever.
      if (this.#stream.destroyed) this.#ended('the connection was closed');
      if (this.#lost !== undefined) throw this.#lost;
      // A silent line costs no patience: the timer of a busy process may fire before its time.
      if (this.#lastByteAtMs !== receivedAtMs) patienceMs -= waitedMs;
      const ms = Math.ceil(
        Math.max(late.waitMs(responseKey), this.#lastByteAtMs + quietMs - performance.now()),
      );
      if (ms <= 0) return;
      if (patienceMs <= 0) {
        this.#dropPending(rule);
        this.#countFailure();
        throw new LinkLost(
          'silent',
          `${peerName} was not asked: the line was not quiet within ${unquietMs} ms`,
        );
      }
      receivedAtMs = this.#lastByteAtMs;
      waitedMs = ms;
      await wait(ms, this.#end.signal);
    }
  }

  /** Bytes from before a request belong to none: a late or a doubled answer, or noise. */
  #dropPending(rule: FrameRule): void {
    const unexpectedBytes = skipIgnorable(rule, this.#pending);
    if (!this.#speaksByItself && unexpectedBytes.some((byte) => byte !== 0))
      this.#options.traffic.dropped += 1;
    this.#pending = Buffer.alloc(0);
  }

  /** @throws LinkLost */
  #next(find: () => Uint8Array | undefined, ms: number, peerName: string): Promise<Uint8Array> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const search = (): void => {
      try {
        const frame = find();
        if (frame === undefined) return;
        // Bytes that arrive before the awaiting code resumes belong to the next search.
        this.#onBytes = undefined;
        resolve(frame);
      } catch (error) {
        reject(error);
      }
    };
    const deadline = new Deadline(ms, () => reject(this.#overdue(ms, peerName)));
    const silence = this.#unlessReceived((silenceMs) => reject(this.#overdue(silenceMs, peerName)));
    this.#onBytes = search;
    this.#onLost = reject;
    search();
    return promise.finally(() => {
      deadline.clear();
      silence?.clear();
      this.#onBytes = undefined;
      this.#onLost = undefined;
    });
  }

  /** Calls back when the limit to silence, where there is one, passes without a byte. */
  #unlessReceived(onExpired: (silenceMs: number) => void): Deadline | undefined {
    const { silenceMs } = this.#options;
    if (silenceMs === undefined) return undefined;
    return new Deadline(silenceMs, () => {
      if (!this.#hasReceived) onExpired(silenceMs);
    });
  }

  /**
   * A doubtful answer may be another's, and one that equals the last one, which was to another request, may be that one
   * again. Then the real one follows at once.
   */
  async #unlessCopy(request: Uint8Array, answer: FrameRule, frame: Uint8Array): Promise<Uint8Array> {
    const last = this.#last;
    const mayBeLast =
      last !== undefined &&
      Buffer.from(last.frame).equals(frame) &&
      !Buffer.from(last.request).equals(request);
    if (!mayBeLast && !this.#isDoubtful) return frame;
    const other = await this.#next(() => this.#search(answer), COPY_MS, '').catch((error: unknown) => {
      if (error instanceof Overdue) return undefined;
      throw error;
    });
    if (other === undefined) return frame;
    this.#options.traffic.dropped += 1;
    return other;
  }

  /** The next frame among the pending bytes. @throws LinkLost when the answer arrived damaged */
  #search(rule: FrameRule): Uint8Array | undefined {
    while (this.#pending.length > 0) {
      const found = searchFrame(rule, this.#pending);
      if (found.is === 'more') return undefined;
      // A rule that skips nothing would be asked for ever.
      this.#pending = this.#pending.subarray(Math.max(1, found.end));
      if (found.is === 'frame') {
        this.#isDoubtful = found.doubtful === true;
        return found.frame;
      }
      if (found.ignorable) continue;
      this.#options.traffic.dropped += 1;
      this.#lastDropReason = found.reason;
      if (found.damaged) throw new LinkLost('garbled', found.reason);
    }
    return undefined;
  }

  #newest(rule: FrameRule): Uint8Array | undefined {
    let newest: Uint8Array | undefined;
    for (let next = this.#search(rule); next !== undefined; next = this.#search(rule)) newest = next;
    return newest;
  }

  #overdue(ms: number, peerName: string): Overdue {
    const reason =
      this.#lastDropReason ?? (this.#pending.length > 0 ? 'the answer is incomplete' : undefined);
    if (reason === undefined) return new Overdue('silent', `${peerName} did not answer within ${ms} ms`, ms);
    return new Overdue(
      'garbled',
      `${peerName} gave no answer that makes sense within ${ms} ms: ${reason}`,
      ms,
    );
  }

  #failed(error: unknown, rule: FrameRule): unknown {
    const { timeoutMs, responseKey = ALL } = rule;
    this.#dropPending(rule);
    if (!(error instanceof LinkLost)) return error;
    // One that came damaged does not come again; one that the line lost may come over the next.
    if (error instanceof Overdue) this.#options.late.expect(responseKey, error.waitedMs);
    else if (error.reason === 'closed') this.#options.late.expect(responseKey, timeoutMs);
    this.#countFailure();
    return error;
  }

  #countFailure(): void {
    this.#failures += 1;
    if (this.#failures >= this.#options.maxFailures) this.drop();
  }

  #receive(bytes: Buffer): void {
    this.#hasReceived = true;
    this.#lastByteAtMs = performance.now();
    this.#pending = Buffer.concat([this.#pending, bytes]);
    if (this.#pending.length > MAX_BACKLOG_BYTES) this.#pending = this.#pending.subarray(-MAX_BACKLOG_BYTES);
    this.#onBytes?.();
  }

  /** The other side, or the system, ended the connection. */
  #ended(message: string): void {
    if (this.#lost === undefined && this.#answeredAtMs !== undefined && !this.#isCut)
      this.#closedAfterAnswerMs = performance.now() - this.#answeredAtMs;
    this.#lose(new LinkLost('closed', message));
  }

  /** Whether an answer has begun to come in: it was cut. */
  get #isCut(): boolean {
    return this.#onBytes !== undefined && this.#hasReceived;
  }

  #lose(reason: LinkLost): void {
    this.#lost ??= reason;
    this.#end.abort();
    this.#stream.destroy();
    this.#onLost?.(reason);
  }
}

/** The time is over; the answer may still come. */
class Overdue extends LinkLost {
  readonly waitedMs: number;

  constructor(reason: LinkLost['reason'], message: string, waitedMs: number) {
    super(reason, message);
    this.waitedMs = waitedMs;
  }
}
