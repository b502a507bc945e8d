import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@heliograph/kit';
import type { ByteBus } from '../../bus/byte-bus.ts';
import { ACKNOWLEDGED, answerRule, frameOf, parseAnswer, REFUSED } from './frame.ts';
import type { Pi30Fields } from './map/fields.ts';
import type { Query } from './map/query.ts';

/** Pauses, timeouts and attempts of the line, in milliseconds. */
export interface Pace {
  /** Between an answer and the next command; some units miss one that comes at once. */
  readonly gapMs: number;
  /** After a command without an answer that can be trusted: until then the line may be opened anew. */
  readonly restMs: number;
  readonly answerTimeoutMs: number;
  /** Settings are stored in EEPROM before they are acknowledged. */
  readonly writeTimeoutMs: number;
  /** Attempts of reading back: some units take seconds until they report a new value. */
  readonly readBacks: number;
  readonly readBackPauseMs: number;
}

/** The longest answer takes half a second at 2400 baud. */
export const PACE: Pace = {
  gapMs: 100,
  restMs: 300,
  answerTimeoutMs: 2_000,
  writeTimeoutMs: 3_000,
  readBacks: 6,
  readBackPauseMs: 500,
};

/** The line to one inverter: one command at a time, and rests between them. */
export class Pi30Line {
  readonly pace: Pace;
  readonly #bus: ByteBus;
  readonly #clock: Clock;
  /** By command, in monotonic milliseconds. */
  readonly #answeredAt = new Map<string, number>();
  #tail: Promise<unknown> = Promise.resolve();
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(bus: ByteBus, pace: Pace, clock: Clock) {
    this.#bus = bus;
    this.pace = pace;
    this.#clock = clock;
  }

  /** When the query was answered last, in monotonic milliseconds. */
  answeredAt({ command }: Query): number | undefined {
    return this.#answeredAt.get(command);
  }

  /**
   * @returns undefined when the inverter refuses the query
   * @throws LinkDown when it does not answer, or not in a way that can be trusted
   */
  async read({ command, parse }: Query): Promise<Pi30Fields | undefined> {
    const accepts = (text: string): boolean => text === REFUSED || parse(text) !== undefined;
    const rule = answerRule(accepts, this.pace.answerTimeoutMs);
    const answer = textOf(await this.#inTurn(() => this.#bus.read(frameOf(command), rule)));
    this.#answeredAt.set(command, this.#clock.monotonic());
    return answer === REFUSED ? undefined : parse(answer);
  }

  /**
   * Sends a command that changes something, once.
   *
   * @returns whether the inverter acknowledged it
   * @throws LinkDown when it was not sent, WriteUnanswered when the outcome is unknown
   */
  async write(command: string, signal?: AbortSignal): Promise<boolean> {
    const rule = answerRule((text) => text === ACKNOWLEDGED || text === REFUSED, this.pace.writeTimeoutMs);
    return textOf(await this.#inTurn(() => this.#bus.write(frameOf(command), rule, signal))) === ACKNOWLEDGED;
  }

  #inTurn(send: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const result = this.#tail.then(async () => {
      const waitMs = this.#restsUntilMs - this.#clock.monotonic();
      if (waitMs > 0) await delay(waitMs);
      let restMs = this.pace.restMs;
      try {
        const frame = await send();
        restMs = this.pace.gapMs;
        return frame;
      } finally {
        this.#restsUntilMs = this.#clock.monotonic() + restMs;
      }
    });
    this.#tail = result.catch(() => {});
    return result;
  }
}

/** Of a frame that a rule has found. */
function textOf(frame: Uint8Array): string {
  const answer = parseAnswer(frame);
  return 'text' in answer ? answer.text : '';
}
