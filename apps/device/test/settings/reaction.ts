import type { LineFaults, RewriteAnswer } from '@heliograph/dev/serial';
import type { Clock } from '@heliograph/kit';
import type { BusTimes } from '../../src/bus/open-bus.ts';
import type { Hardware } from '../../src/drivers/driver.ts';
import { ANSWER_TIMEOUT_MS } from './settable-unit.ts';
import type { SettingState, WriteAnswer, WriteBehaviour } from './write-behaviours.ts';

/** An exchange that gets no answer for certain is over after this, in milliseconds. */
const SILENCE_MS = 30;

/** Answers that do not come while the device waits for them. */
const SILENT: readonly (WriteAnswer | undefined)[] = ['silent', 'late', 'late, on the next connection'];

/** When a late answer comes, in milliseconds after its write. */
const LATE_MS = 4_000;

export interface ReactionOptions {
  /** The time of the unit, and of the read-backs. */
  readonly clock: Clock;
  /** The line between unit and device. */
  readonly faults: LineFaults;
  /** A whole frame around a part of an answer. */
  readonly shorten?: RewriteAnswer;
}

/** Puts the setting that is written to a state; `new` is what the write holds. */
export type PutState = (state: SettingState) => void;

interface Due {
  readonly atMs: number;
  readonly is: 'state' | 'answer';
  readonly act: () => void;
}

/** Makes a simulated unit behave in a certain way at the next write. */
export class Reaction {
  readonly #options: ReactionOptions;
  #behaviour: WriteBehaviour | undefined;
  #isSilentBefore = false;
  /** Whether the request that is sent next is the write. */
  #isWriteNext = false;
  #due: readonly Due[] = [];
  #readsRefusedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: ReactionOptions) {
    this.#options = options;
  }

  /** Of the bus to the unit: it waits shortly for an answer that does not come. */
  get times(): BusTimes {
    const silenceMs = (): number => {
      const isSilent =
        this.#isSilentBefore || (this.#isWriteNext && SILENT.includes(this.#behaviour?.answer));
      return isSilent ? SILENCE_MS : ANSWER_TIMEOUT_MS;
    };
    return {
      answerTimeoutMs: ANSWER_TIMEOUT_MS,
      get silenceMs() {
        return silenceMs();
      },
    };
  }

  /** Forgets what is still to come of the behaviour before; without a behaviour also of settings that were written before. */
  prepare(behaviour: WriteBehaviour | undefined): void {
    this.#behaviour = behaviour;
    this.#isSilentBefore = behaviour?.silentBefore ?? false;
    this.#isWriteNext = false;
    this.#due = behaviour === undefined ? [] : this.#due.filter(({ is }) => is === 'state');
    this.#readsRefusedUntilMs = Number.NEGATIVE_INFINITY;
    this.#options.faults.behave('none');
  }

  /**
   * The same hardware, whose writes are noticed before they are sent: the bus waits shortly for their answers alone, however
   * many reads come before.
   */
  watch(hardware: Hardware): Hardware {
    const write = hardware.write.bind(hardware);
    return Object.assign(hardware, {
      write: (...[unit, name, value, signal, onSend]: Parameters<Hardware['write']>) =>
        write(unit, name, value, signal, (before) => {
          this.#isWriteNext = this.#behaviour !== undefined;
          onSend?.(before);
        }),
    });
  }

  /** To be called with each read, before it is answered. @returns the code of a refusal */
  beforeRead(): number | undefined {
    const { clock, faults } = this.#options;
    const nowMs = clock.monotonic();
    const due = this.#due.filter(({ atMs }) => atMs <= nowMs);
    this.#due = this.#due.filter((one) => !due.includes(one));
    for (const { act } of due) act();
    if (this.#isSilentBefore) faults.behave('silent', 1);
    this.#isSilentBefore = false;
    return nowMs < this.#readsRefusedUntilMs ? this.#behaviour?.readsRefused?.code : undefined;
  }

  /** To be called with each write, before it is answered. @returns the code of a refusal, or `refused` */
  onWrite(put: PutState): number | 'refused' | undefined {
    const { clock, faults } = this.#options;
    this.#isWriteNext = false;
    const { takes = [], answer = 'acknowledged', readsRefused } = this.#behaviour ?? {};
    const nowMs = clock.monotonic();
    if (readsRefused !== undefined) this.#readsRefusedUntilMs = nowMs + readsRefused.forMs;
    for (const [afterMs, state] of takes) {
      if (afterMs === 0) put(state);
      else this.#due = [...this.#due, { atMs: nowMs + afterMs, is: 'state', act: () => put(state) }];
    }
    switch (answer) {
      case 'acknowledged':
        return undefined;
      case 'late':
        this.#hold(() => faults.release());
        return undefined;
      case 'late, on the next connection':
        this.#hold(() => faults.releaseToNewest());
        return undefined;
      case 'short':
        faults.behave(this.#options.shorten ?? 'none', 1);
        return undefined;
      case 'echo first':
        faults.foreign = faults.requests.at(-1) ?? new Uint8Array();
        faults.behave('foreign', 1);
        return undefined;
      case 'silent':
      case 'cut':
      case 'corrupt':
      case 'truncate':
      case 'double':
        faults.behave(answer, 1);
        return undefined;
      default:
        return answer;
    }
  }

  #hold(release: () => void): void {
    const { clock, faults } = this.#options;
    faults.behave('hold', 1);
    this.#due = [...this.#due, { atMs: clock.monotonic() + LATE_MS, is: 'answer', act: release }];
  }
}
