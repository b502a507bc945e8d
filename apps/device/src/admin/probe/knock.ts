import type { Clock } from '@heliograph/kit';
import type { BusAddress } from '../../bus/address.ts';
import type { Bus } from '../../bus/bus.ts';
import type { ByteBus, FrameMatch } from '../../bus/byte-bus.ts';
import { LinkDown } from '../../bus/failures.ts';
import type { ModbusBus } from '../../bus/modbus/modbus-bus.ts';
import { type BusTimes, openByteBus, openModbusBus } from '../../bus/open-bus.ts';
import type { ModbusFamily, Target } from '../../drivers/driver.ts';
import { type Attempt, lineOf } from './attempts.ts';

/** In milliseconds. */
export interface KnockTimes {
  /** How long the line may be silent after a request. An answer that begins later is noticed while others are asked. */
  readonly silenceMs: number;
  /** How long an answer that has begun may take. */
  readonly answerMs: number;
  /** How late an answer may begin that is still noticed. */
  readonly lateMs: number;
  /** Within how long hardware that sends by itself sends something. */
  readonly unaskedMs: number;
}

/**
 * - `answered`: by a frame of the family's protocol, also by a refusal.
 * - `noise`: bytes came in that are none, such as a late answer to an earlier request.
 * - `unreachable`: the port or the host is not there.
 */
export type Knock =
  | { readonly is: 'answered' | 'silent' | 'noise' }
  | { readonly is: 'unreachable'; readonly reason: string };

export interface KnockOptions {
  /** How long the line may be silent this time, in milliseconds. */
  readonly silenceMs?: number;
  /** Ends it at once when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks in a hurry whether anything answers a family, one family at a time. The Modbus units of a line are asked over one
 * connection, on which late answers are noticed.
 */
export class Knocker {
  readonly #clock: Clock;
  readonly #times: KnockTimes;
  #silenceMs: number;
  #kept: { readonly line: string; readonly bus: ModbusBus } | undefined;

  constructor(clock: Clock, times: KnockTimes) {
    this.#clock = clock;
    this.#times = times;
    this.#silenceMs = times.silenceMs;
  }

  async knock(attempt: Attempt, target: Target, { silenceMs, signal }: KnockOptions = {}): Promise<Knock> {
    const { family, address } = attempt;
    if (family.speaks === 'json') return { is: 'answered' };
    this.#silenceMs = silenceMs ?? this.#times.silenceMs;
    if (family.speaks === 'modbus') {
      const bus = await this.#keptBus(family, address);
      return this.#outcome(bus, () => family.open(untilAnswered(bus), target), signal);
    }
    await this.release();
    const bus = openByteBus(address, family.line, this.#clock, this.#busTimes());
    const outcome = await this.#outcome(bus, () => family.open(bytesUntilAnswered(bus), target), signal);
    await bus.close();
    return outcome;
  }

  /** Whether bytes come in long after the last request, on a line whose frames do not mark where they begin. */
  async receivesUnasked({ family, address }: Attempt, signal?: AbortSignal): Promise<boolean> {
    const line = asBytes(address);
    if (family.speaks === 'json' || line === undefined) return false;
    await this.release();
    const bus = openByteBus(line, family.line, this.#clock, { maxFailures: Number.POSITIVE_INFINITY });
    const end = (): void => void bus.close();
    signal?.addEventListener('abort', end, { once: true });
    const receives = (timeoutMs: number): Promise<boolean> =>
      bus.listen({ timeoutMs, find: anything }).then(
        () => true,
        () => false,
      );
    const { lateMs, unaskedMs } = this.#times;
    const beganAtMs = this.#clock.monotonic();
    for (;;) {
      const restMs = beganAtMs + lateMs - this.#clock.monotonic();
      if (restMs <= 0 || !(await receives(restMs))) break;
    }
    const isUnasked = await receives(unaskedMs);
    signal?.removeEventListener('abort', end);
    await bus.close();
    return isUnasked;
  }

  /** Leaves the line to others. */
  async release(): Promise<void> {
    const kept = this.#kept;
    this.#kept = undefined;
    await kept?.bus.close();
  }

  async #keptBus(family: ModbusFamily, address: Attempt['address']): Promise<ModbusBus> {
    const line = lineOf(address);
    if (this.#kept?.line !== line) await this.release();
    this.#kept ??= { line, bus: openModbusBus(address, family.line, this.#clock, this.#busTimes()) };
    return this.#kept.bus;
  }

  #busTimes(): BusTimes {
    const silenceMs = (): number => this.#silenceMs;
    return {
      answerTimeoutMs: this.#times.answerMs,
      maxFailures: Number.POSITIVE_INFINITY,
      get silenceMs() {
        return silenceMs();
      },
    };
  }

  async #outcome(
    bus: ModbusBus | ByteBus,
    open: () => Promise<unknown>,
    signal: AbortSignal | undefined,
  ): Promise<Knock> {
    const before = { ...bus.traffic };
    const end = (): void => void bus.close();
    signal?.addEventListener('abort', end, { once: true });
    try {
      await open();
      return { is: 'answered' };
    } catch (error) {
      if (!(error instanceof LinkDown) && !(error instanceof Noise)) return { is: 'answered' };
      const { requests, answered, silent, dropped } = bus.traffic;
      if (requests === 0 && dropped === 0) return { is: 'unreachable', reason: error.message };
      // A gateway may have answered that there is no such unit; else the connection was lost.
      if (answered === before.answered && silent === before.silent) await this.release();
      return { is: dropped > before.dropped ? 'noise' : 'silent' };
    } finally {
      signal?.removeEventListener('abort', end);
    }
  }
}

function anything(bytes: Uint8Array): FrameMatch {
  return bytes.length === 0 ? { is: 'more' } : { is: 'frame', frame: bytes, end: bytes.length };
}

/** The line under the frames; undefined where these mark where they begin. */
function asBytes(address: BusAddress): BusAddress | undefined {
  switch (address.transport) {
    case 'modbus-rtu':
      return { ...address, transport: 'serial' };
    case 'modbus-rtu-tcp':
      return { ...address, transport: 'serial-tcp' };
    case 'serial':
    case 'serial-tcp':
    case 'hid':
      return address;
    default:
      return undefined;
  }
}

/** Hardware that sends by itself sends everything within as many milliseconds. */
const LISTENING_MS = 5_000;

/** A frame came in, and more is not asked for. */
class Answered extends Error {
  override readonly name = 'Answered';
}

/** Bytes came in that are no answer, and more requests of this family would not make sense of them. */
class Noise extends Error {
  override readonly name = 'Noise';
}

/** @throws Answered in place of an answer or a refusal, Noise, LinkDown after silence */
async function orAnswered({ traffic }: Bus, request: () => Promise<unknown>): Promise<never> {
  const { dropped } = traffic;
  try {
    await request();
  } catch (error) {
    if (!(error instanceof LinkDown)) throw new Answered();
    throw traffic.dropped > dropped ? new Noise(error.message) : error;
  }
  throw new Answered();
}

function untilAnswered(bus: ModbusBus): ModbusBus {
  return {
    ...busOf(bus),
    read: (...request) => orAnswered(bus, () => bus.read(...request)),
    write: refuseWrite,
  };
}

function bytesUntilAnswered(bus: ByteBus): ByteBus {
  return {
    ...busOf(bus),
    read: (...request) => orAnswered(bus, () => bus.read(...request)),
    listen: (frame) => {
      const timeoutMs = Math.min(frame.timeoutMs, LISTENING_MS);
      return orAnswered(bus, () => bus.listen({ ...frame, timeoutMs }));
    },
    write: refuseWrite,
  };
}

function busOf({ name, traffic, roundTripMs, closesAfterAnswers }: Bus) {
  return { name, traffic, roundTripMs, closesAfterAnswers, close: () => Promise.resolve() };
}

function refuseWrite(): never {
  throw new Error('a probe writes nothing');
}
