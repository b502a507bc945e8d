import { Backoff, type Clock, messageOf } from '@heliograph/kit';
import { TrafficCounter } from './bus.ts';
import { LinkDown, WriteUnanswered } from './failures.ts';
import { type ModbusBus, ModbusException, type WriteOptions } from './modbus-bus.ts';
import { LinkLost, type ModbusLink } from './modbus-link.ts';

/**
 * Waits between attempts to connect to a bus that cannot be reached; requests in between fail at once. Short,
 * because whoever polls waits longer and longer of its own accord.
 */
const REDIAL_MIN_MS = 100;
const REDIAL_MAX_MS = 2_000;

/** Exception codes by which a gateway or a slow unit says something other than "refused". */
const ACKNOWLEDGED = 5;
const NO_PATH = 10;
const NO_ANSWER_BEHIND_GATEWAY = 11;

/** Opens a new connection. @throws anything when it cannot, or when the signal aborts */
export type Dial = (signal: AbortSignal) => Promise<ModbusLink>;

/**
 * A bus that makes its requests one after the other over one connection, which it opens when it is needed and
 * opens anew when it was lost.
 */
export class QueuedBus implements ModbusBus {
  readonly name: string;
  readonly traffic = new TrafficCounter();
  readonly #dial: Dial;
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  readonly #closing = new AbortController();
  #link: ModbusLink | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #redialAtMs = Number.NEGATIVE_INFINITY;
  #lastFailure = '';

  constructor(name: string, dial: Dial, clock: Clock) {
    this.name = name;
    this.#dial = dial;
    this.#clock = clock;
    this.#backoff = new Backoff({ minMs: REDIAL_MIN_MS, maxMs: REDIAL_MAX_MS });
  }

  read(unitId: number, address: number, count: number): Promise<readonly number[]> {
    return this.#enqueue(async () => {
      try {
        return await this.#readOnce(unitId, address, count);
      } catch (error) {
        if (!(error instanceof LinkLost)) throw error;
        if (error.reason === 'silent') throw this.#down(error);
      }
      try {
        return await this.#readOnce(unitId, address, count);
      } catch (error) {
        if (!(error instanceof LinkLost)) throw error;
        if (error.reason !== 'silent') this.#rest(error);
        throw this.#down(error);
      }
    });
  }

  write(
    unitId: number,
    address: number,
    values: readonly number[],
    { signal, alwaysMultiple = false }: WriteOptions = {},
  ): Promise<void> {
    return this.#enqueue(async () => {
      const link = await this.#connected();
      if (signal?.aborted)
        throw new LinkDown(`${this.name}: the time for the write was over before its turn`);
      try {
        await this.#counted(() => link.write(unitId, address, values, alwaysMultiple || values.length > 1));
        this.#backoff.reset();
      } catch (error) {
        throw this.#writeFailure(error);
      }
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#link?.drop();
    await this.#tail;
  }

  #enqueue<T>(request: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(() => {
      if (this.#closing.signal.aborted) throw new LinkDown(`${this.name}: closed`);
      return request();
    });
    this.#tail = result.catch(() => {});
    return result;
  }

  async #readOnce(unitId: number, address: number, count: number): Promise<readonly number[]> {
    const link = await this.#connected();
    try {
      const values = await this.#counted(() => link.read(unitId, address, count));
      this.#backoff.reset();
      return values;
    } catch (error) {
      if (!(error instanceof ModbusException)) throw error;
      this.#backoff.reset();
      const unreachable = error.code === NO_PATH || error.code === NO_ANSWER_BEHIND_GATEWAY;
      throw unreachable ? this.#down(error) : error;
    }
  }

  async #counted<T>(request: () => Promise<T>): Promise<T> {
    this.traffic.asked += 1;
    try {
      const answer = await request();
      this.traffic.answered += 1;
      return answer;
    } catch (error) {
      if (error instanceof ModbusException) this.traffic.answered += 1;
      else if (error instanceof LinkLost && error.reason === 'silent') this.traffic.silent += 1;
      else if (error instanceof LinkLost && error.reason === 'garbled') this.traffic.dropped += 1;
      throw error;
    }
  }

  /** @throws LinkDown */
  async #connected(): Promise<ModbusLink> {
    if (this.#link?.alive) return this.#link;
    this.#link = undefined;
    if (this.#clock.monotonic() < this.#redialAtMs) throw new LinkDown(`${this.name}: ${this.#lastFailure}`);
    try {
      this.#link = await this.#dial(this.#closing.signal);
    } catch (error) {
      this.#rest(error);
      throw this.#down(error);
    }
    return this.#link;
  }

  #rest(cause: unknown): void {
    this.#lastFailure = messageOf(cause);
    this.#redialAtMs = this.#clock.monotonic() + this.#backoff.nextMs();
  }

  #down(cause: unknown): LinkDown {
    return new LinkDown(`${this.name}: ${messageOf(cause)}`, { cause });
  }

  #writeFailure(error: unknown): unknown {
    if (error instanceof LinkLost) {
      return new WriteUnanswered(`${this.name}: ${error.message}`, { cause: error });
    }
    if (!(error instanceof ModbusException)) return error;
    this.#backoff.reset();
    if (error.code === NO_PATH) return this.#down(error);
    if (error.code === NO_ANSWER_BEHIND_GATEWAY || error.code === ACKNOWLEDGED) {
      return new WriteUnanswered(`${this.name}: ${error.message}`, { cause: error });
    }
    return error;
  }
}
