import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@heliograph/kit';
import type { SendOptions } from '../../bus/bus.ts';
import type { ByteBus, FrameRule } from '../../bus/byte-bus.ts';
import { LinkDown } from '../../bus/failures.ts';
import type { ReadBackTime } from '../write-verified.ts';
import type { AnswerFields } from './fields.ts';
import type { FrameFormat } from './frame-format.ts';
import type { Query } from './query.ts';

/** Pauses, timeouts and attempts of the line, in milliseconds. */
export interface Pace {
  /** Between an answer and the next command; some units miss one that comes at once. */
  readonly gapMs: number;
  /** After a command without an answer that can be trusted: until then the line may be opened again. */
  readonly restMs: number;
  readonly answerTimeoutMs: number;
  /** Settings are stored in EEPROM before they are acknowledged. */
  readonly writeTimeoutMs: number;
}

/** The longest answer takes half a second at 2400 baud. */
export const PACE: Pace = {
  gapMs: 100,
  restMs: 300,
  answerTimeoutMs: 2_000,
  writeTimeoutMs: 3_000,
};

export interface VoltronicLineOptions {
  readonly bus: ByteBus;
  readonly format: FrameFormat;
  readonly pace: Pace;
  readonly clock: Clock;
  /** The system's when left out. */
  readonly readBackTime?: ReadBackTime | undefined;
}

/** The line to one inverter: one command at a time, and rests between them. */
export class VoltronicLine {
  readonly pace: Pace;
  readonly readBackTime: ReadBackTime | undefined;
  readonly #bus: ByteBus;
  readonly #format: FrameFormat;
  readonly #clock: Clock;
  /** By command, in monotonic milliseconds. */
  readonly #answeredAt = new Map<string, number>();
  #tail: Promise<unknown> = Promise.resolve();
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  constructor({ bus, format, pace, clock, readBackTime }: VoltronicLineOptions) {
    this.#bus = bus;
    this.#format = format;
    this.pace = pace;
    this.readBackTime = readBackTime;
    this.#clock = clock;
  }

  /** How long a command takes until the next can be sent, in milliseconds; null before the first. */
  get roundTripMs(): number | null {
    const { roundTripMs } = this.#bus;
    return roundTripMs === null ? null : roundTripMs + this.pace.gapMs;
  }

  /** When the query was answered last, in monotonic milliseconds. */
  answeredAt({ command }: Query): number | undefined {
    return this.#answeredAt.get(command);
  }

  /**
   * @returns undefined when the inverter refuses the query
   * @throws LinkDown when it does not answer, or not in a way that can be trusted
   */
  async read(query: Query): Promise<AnswerFields | undefined> {
    const hasAnsweredBefore = this.#answeredAt.has(query.command);
    const fields = await this.#answerTo(query);
    // A late refusal of an earlier command looks the same, and the inverter knows this query.
    if (fields === undefined && hasAnsweredBefore) return this.#answerTo(query);
    return fields;
  }

  async #answerTo({ command, parse }: Query): Promise<AnswerFields | undefined> {
    const { queryFrame, refused } = this.#format;
    const rule = this.#ruleFor(
      (text) => text === refused || parse(text) !== undefined,
      this.pace.answerTimeoutMs,
    );
    const answer = this.#textOf(await this.#inTurn(() => this.#bus.read(queryFrame(command), rule)));
    if (answer === refused) return undefined;
    this.#answeredAt.set(command, this.#clock.monotonic());
    return parse(answer);
  }

  /**
   * The same, without a difference between a refusal and silence: some models are silent where others refuse. A
   * silent query is repeated once.
   */
  async readIfAnswered(query: Query): Promise<AnswerFields | undefined> {
    for (let attempt = 1; attempt <= 2; attempt++) {
      try {
        return await this.read(query);
      } catch (error) {
        if (!(error instanceof LinkDown)) throw error;
      }
    }
    return undefined;
  }

  /**
   * Sends a command that changes something, once.
   *
   * @returns whether the inverter acknowledged it
   * @throws LinkDown when it was not sent, WriteUnanswered when the outcome is unknown
   */
  async write(command: string, options?: SendOptions): Promise<boolean> {
    const { setFrame, acknowledged, refused } = this.#format;
    const rule = this.#ruleFor((text) => text === acknowledged || text === refused, this.pace.writeTimeoutMs);
    const frame = await this.#inTurn(() => this.#bus.write(setFrame(command), rule, options));
    return this.#textOf(frame) === acknowledged;
  }

  #ruleFor(accepts: (text: string) => boolean, timeoutMs: number): FrameRule {
    return { timeoutMs, find: (bytes) => this.#format.findAnswer(bytes, accepts) };
  }

  /** Of a frame that a rule has found. */
  #textOf(frame: Uint8Array): string {
    const answer = this.#format.parseAnswer(frame);
    return 'text' in answer ? answer.text : '';
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
