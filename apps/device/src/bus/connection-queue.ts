import { Backoff, type Clock, messageOf, wait } from '@heliograph/kit';
import { type SendOptions, TrafficCounter } from './bus.ts';
import { ClosingPeer } from './closing-peer.ts';
import { LinkDown, WriteUnanswered } from './failures.ts';
import { type Gate, type Link, LinkLost } from './link.ts';

/**
 * Waits between attempts to connect to what cannot be reached; requests in between fail at once. Short,
 * because the poller backs off by itself.
 */
const REDIAL_MIN_MS = 100;
const REDIAL_MAX_MS = 2_000;

/** How long the end of a connection may take before the next is opened all the same, in milliseconds. */
const RELEASE_MS = 1_000;

/** Opens a new connection. @throws anything when it cannot, or when the signal aborts */
export type Dial<L extends Link> = (signal: AbortSignal, traffic: TrafficCounter) => Promise<L>;

/** One exchange over a connection. An error of its own besides LinkLost counts as an answer that refuses. */
export type LinkRequest<L extends Link, T> = (link: L, gate: Gate) => Promise<T>;

/**
 * The queue under every bus: requests are made one after the other over one connection, which is opened when
 * it is needed and opened again when it was lost.
 */
export class ConnectionQueue<L extends Link> {
  readonly name: string;
  readonly traffic = new TrafficCounter();
  #roundTripMs: number | null = null;
  readonly #dial: Dial<L>;
  readonly #clock: Clock;
  readonly #backoff = new Backoff({ minMs: REDIAL_MIN_MS, maxMs: REDIAL_MAX_MS });
  readonly #closing = new AbortController();
  readonly #peer = new ClosingPeer();
  #link: L | undefined;
  /** Resolves once the line of the last connection that was dropped is free. */
  #released: Promise<void> = Promise.resolve();
  /** When the present connection carried its last answer, in monotonic milliseconds. */
  #answeredAtMs: number | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #redialAtMs = Number.NEGATIVE_INFINITY;
  #lastFailure = '';

  constructor(name: string, dial: Dial<L>, clock: Clock) {
    this.name = name;
    this.#dial = dial;
    this.#clock = clock;
  }

  get roundTripMs(): number | null {
    return this.#roundTripMs;
  }

  get closesAfterAnswers(): boolean {
    return this.#peer.closesAfterAnswers;
  }

  /**
   * Makes a request that changes nothing: a second time when the answer was garbled or the connection was lost,
   * never after silence, which a second request would only make longer.
   *
   * @throws LinkDown
   */
  read<T>(request: LinkRequest<L, T>): Promise<T> {
    return this.#enqueue(async () => {
      try {
        return await this.#make(request);
      } catch (error) {
        if (!(error instanceof LinkLost)) throw error;
        if (error.reason === 'silent' || this.#closing.signal.aborted) throw this.down(error);
      }
      try {
        return await this.#make(request);
      } catch (error) {
        if (!(error instanceof LinkLost)) throw error;
        if (error.reason !== 'silent') this.#rest(error);
        throw this.down(error);
      }
    });
  }

  /**
   * Makes a request that changes something, at most once.
   *
   * @throws LinkDown when nothing was sent, WriteUnanswered when the outcome is unknown
   */
  write<T>(request: LinkRequest<L, T>, { signal, requireTime, onSend }: SendOptions = {}): Promise<T> {
    const { promise: calledBack, reject: callBack } = Promise.withResolvers<never>();
    let sent = false;
    const onAbort = (): void => {
      if (!sent) callBack(this.down(new Error('the time for the write was over before its turn')));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const turn = this.#enqueue(async () => {
      const beforeSending = (): void => {
        if (signal?.aborted) throw this.down(new Error('the time for the write was over before its turn'));
        requireTime?.();
        sent = true;
        onSend?.();
      };
      try {
        return await this.#make(request, beforeSending);
      } catch (error) {
        if (!(error instanceof LinkLost)) throw error;
        if (sent) throw this.unanswered(error);
        if (error.reason !== 'closed' || this.#closing.signal.aborted) throw this.down(error);
      }
      // The connection had ended before anything was sent.
      try {
        return await this.#make(request, beforeSending);
      } catch (error) {
        if (!(error instanceof LinkLost)) throw error;
        throw sent ? this.unanswered(error) : this.down(error);
      }
    });
    // A write that is aborted behind others fails at once, not at its turn.
    return Promise.race([turn, calledBack]).finally(() => signal?.removeEventListener('abort', onAbort));
  }

  down(cause: unknown): LinkDown {
    return new LinkDown(`${this.name}: ${messageOf(cause)}`, { cause });
  }

  unanswered(cause: unknown): WriteUnanswered {
    const isDamaged = cause instanceof LinkLost && cause.reason === 'garbled';
    return new WriteUnanswered(`${this.name}: ${messageOf(cause)}`, {
      cause,
      kind: isDamaged ? 'damaged_answer' : 'no_answer',
      reason: reasonOf(cause),
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#link?.drop();
    await this.#tail;
    this.#dropLink();
    await this.#lineFree();
  }

  #enqueue<T>(turn: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(() => {
      if (this.#closing.signal.aborted) throw new LinkDown(`${this.name}: closed`);
      return turn();
    });
    this.#tail = result.catch(() => {});
    return result;
  }

  async #make<T>(request: LinkRequest<L, T>, beforeSending?: Gate): Promise<T> {
    const link = await this.#connected(beforeSending !== undefined);
    let sent = false;
    let sentAtMs = 0;
    const gate = (): void => {
      beforeSending?.();
      sent = true;
      sentAtMs = this.#clock.monotonic();
      this.traffic.requests += 1;
    };
    try {
      const answer = await request(link, gate);
      this.#answered(sentAtMs);
      return answer;
    } catch (error) {
      if (sent && !(error instanceof LinkLost)) this.#answered(sentAtMs);
      if (sent && error instanceof LinkLost && error.reason === 'silent') this.traffic.silent += 1;
      throw error;
    }
  }

  #answered(sentAtMs: number): void {
    this.traffic.answered += 1;
    const nowMs = this.#clock.monotonic();
    if (this.#answeredAtMs !== undefined) this.#peer.carriedAnother(nowMs - this.#answeredAtMs);
    this.#answeredAtMs = nowMs;
    this.#roundTripMs = nowMs - sentAtMs;
    this.#backoff.reset();
  }

  /** @throws LinkDown */
  async #connected(isWrite: boolean): Promise<L> {
    if (this.#link?.alive && this.#mayCarryAnother(isWrite)) return this.#link;
    if (this.#link?.alive === false) this.#peer.ended(this.#link.closedAfterAnswerMs);
    this.#dropLink();
    this.#answeredAtMs = undefined;
    if (this.#clock.monotonic() < this.#redialAtMs) throw new LinkDown(`${this.name}: ${this.#lastFailure}`);
    const isFree = await this.#lineFree(this.#closing.signal);
    try {
      this.#link = await this.#dial(this.#closing.signal, this.traffic);
    } catch (cause) {
      const error = isFree ? cause : new Error(`${messageOf(cause)}, as its former connection does not end`);
      this.#rest(error);
      throw this.down(error);
    }
    if (this.#closing.signal.aborted) this.#link.drop();
    return this.#link;
  }

  #dropLink(): void {
    if (this.#link === undefined) return;
    this.#link.drop();
    this.#released = this.#link.released;
    this.#link = undefined;
  }

  /**
   * A port is locked, and a gateway for one client is taken, until the former connection has ended. Its end is not awaited for
   * longer than `RELEASE_MS`: the driver of a port may never come back from closing it.
   *
   * @returns whether it has ended
   */
  async #lineFree(...signals: readonly AbortSignal[]): Promise<boolean> {
    const free = new AbortController();
    const released = this.#released.then(() => true);
    const expired = wait(RELEASE_MS, AbortSignal.any([free.signal, ...signals])).then(() => false);
    const isFree = await Promise.race([released, expired]);
    free.abort();
    return isFree;
  }

  /** A write takes no part in finding out whether the other side still closes. */
  #mayCarryAnother(isWrite: boolean): boolean {
    if (this.#answeredAtMs === undefined) return true;
    if (isWrite) return !this.#peer.closesAfterAnswers;
    return this.#peer.mayCarryAnother(this.#clock.monotonic() - this.#answeredAtMs);
  }

  #rest(cause: unknown): void {
    this.#lastFailure = messageOf(cause);
    this.#redialAtMs = this.#clock.monotonic() + this.#backoff.nextMs();
  }
}

const LOST: Readonly<Record<LinkLost['reason'], string>> = {
  closed: 'the connection ended before the answer',
  garbled: 'its answer was cut or damaged',
  silent: 'the hardware did not answer',
};

/** Why the outcome of a write is unknown, for users. */
function reasonOf(cause: unknown): string {
  return cause instanceof LinkLost ? LOST[cause.reason] : messageOf(cause);
}
