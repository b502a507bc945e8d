import { setTimeout as delay } from 'node:timers/promises';
import type { WriteOutcome } from '@heliograph/contracts';
import { type Clock, type Logger, messageOf, Unprocessable } from '@heliograph/kit';
import type { MetricDefinition, MetricValue } from '@heliograph/metrics';
import { LinkDown, type UnansweredKind, WriteUnanswered, WriteWithheld } from '../bus/failures.ts';
import { KeptByHardware, type OnSend, RejectedByHardware } from '../drivers/driver.ts';
import type { WriteSignal } from '../drivers/write-verified.ts';
import type { SnapshotSource } from '../poll/snapshot.ts';
import { reasonOf } from '../storage/failures.ts';
import type { Author, NewWrite, WriteLog, WriteResult } from '../storage/write-log.ts';
import { isInForce } from './in-force.ts';
import { parseValue } from './parse-value.ts';
import { secondAfter } from './second-after.ts';
import type { SettingWriter } from './setting-writer.ts';
import { unitSerialNumber } from './unit-serial-number.ts';
import { UnitTurns } from './unit-turns.ts';
import { NotSent, WriteFailure } from './write-failure.ts';
import type { WriteFollowUp } from './write-follow-up.ts';

/** A write is answered within this time, the wait for its turn included, in milliseconds. */
const DEADLINE_MS = 10_000;

/** Time for the last read-back of a write whose time is over, in milliseconds. */
const CALL_BACK_MS = 400;

/** The part of the deadline left for the answer to reach the client, in milliseconds. */
const ON_THE_WAY_MS = 100;

/** How long the answer to a write may take to leave the house, in milliseconds. */
const ANSWER_MS = 100;

const DAY_MS = 24 * 60 * 60 * 1000;

/** One in so many of a day's writes is not for programs. */
const KEPT_PART = 5;

/** Takes a value to the hardware that has the setting. */
export interface HardwareWriter {
  /**
   * Resolves to what the hardware then reports, once a snapshot shows it.
   *
   * @param signal aborts when the write's time is over: a request not sent by then is never sent
   * @param onSend called right before the first byte of the write leaves; not for a value in force already
   * @throws RejectedByHardware, LinkDown, WriteUnanswered
   */
  write(
    definition: MetricDefinition,
    value: number | string,
    signal: WriteSignal,
    onSend: OnSend,
  ): Promise<MetricValue>;
}

export interface HardwareSettingsOptions {
  readonly snapshots: SnapshotSource;
  readonly hardware: HardwareWriter;
  readonly log: WriteLog;
  /** Compares later readings with what was written. */
  readonly followUp: WriteFollowUp;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly deadlineMs?: number;
  /**
   * How often one setting may be sent to the hardware in 24 hours. Settings live in EEPROM or flash that wears out,
   * after 100,000 writes where a maker gives a figure: a rule that went wild must not get there within weeks.
   */
  readonly writesPerDay: () => number;
  /** Why the settings of a unit may not be written now; undefined when they may. */
  readonly refusal?: (definition: MetricDefinition) => string | undefined;
  /** Called with the outcome of each write that was to be sent. @param value as it was sent */
  readonly onOutcome?: (topic: string, outcome: WriteOutcome, value: string) => void;
}

type BegunWrite = NewWrite & { readonly id: number };

/** Changes settings of inverters and batteries: one write at a time per unit, each sent at most once. */
export class HardwareSettings implements SettingWriter {
  readonly #options: HardwareSettingsOptions;
  #finishing = false;
  /** Each settles within the deadline. */
  readonly #underWay = new Set<Promise<void>>();
  readonly #turns = new UnitTurns();

  constructor(options: HardwareSettingsOptions) {
    this.#options = options;
  }

  async set(topic: string, text: string, author: Author): Promise<void> {
    if (this.#finishing) throw finishing(topic);
    const write = this.#set(topic, text, author);
    this.#underWay.add(write);
    await write.finally(() => this.#underWay.delete(write));
  }

  /** Takes no more writes, and resolves when those under way have ended and their clients were answered. */
  async finish(): Promise<void> {
    this.#finishing = true;
    if (this.#underWay.size === 0) return;
    await Promise.allSettled(this.#underWay);
    await delay(ANSWER_MS);
  }

  async #set(topic: string, text: string, author: Author): Promise<void> {
    const { snapshots, clock, deadlineMs = DEADLINE_MS } = this.#options;
    const sample = snapshots.current.samples.get(topic);
    if (sample === undefined) throw new Unprocessable(`${topic} is not a topic of this device`);
    const { definition } = sample;
    if (definition.setting === undefined) throw notWritable(definition);
    requireAllowed(definition, this.#options);
    const value = parseOrRefuse(definition, definition.setting, text);

    const late = new AbortController();
    const callBackMs = deadlineMs - CALL_BACK_MS - ON_THE_WAY_MS;
    const abortsAtMs = clock.monotonic() + callBackMs;
    let state: 'waiting' | 'begun' | 'expired' = 'waiting';
    const expired = (): NotSent =>
      new NotSent(`${topic} was not written: earlier writes to the same unit take too long`, 'busy');
    const write = this.#turns.run({ unit: unitOf(definition), topic }, (neededMs) => {
      if (state === 'expired') throw expired();
      state = 'begun';
      const isContested = this.#options.followUp.isOpen(topic);
      const signal = Object.assign(late.signal, { abortsAtMs, neededMs, isContested });
      return this.#write(definition, { value, author, signal });
    });
    const { promise: deadline, reject: end } = Promise.withResolvers<never>();
    let timer = setTimeout(() => {
      if (state === 'waiting') end(expired());
      state = 'expired';
      // A request that was not sent by now is never sent; the outcome of any other is unknown.
      late.abort();
      const unknown = outcomeUnknown(topic, `no answer within ${deadlineMs / 1000} s`, 'not_in_time');
      timer = setTimeout(() => end(this.#pending(unknown, topic)), CALL_BACK_MS);
    }, callBackMs);
    await Promise.race([write, deadline]).finally(() => clearTimeout(timer));
  }

  /**
   * Programs leave a fifth of the day's writes to people, and to setting back what the setting was before.
   *
   * @throws NotSent when the setting was written often enough for a day
   */
  #protectMemory(topic: string, value: string, { isPerson = false }: Author): void {
    const { log, clock } = this.#options;
    const writesPerDay = this.#options.writesPerDay();
    const now = clock.now();
    // A clock that was set back a little still knows today's writes; one that is not set counts none of its future.
    const sent = log.sentBetween(topic, now - DAY_MS, now + DAY_MS);
    const givesBack = sent[0]?.oldValue === value && sent.at(-1)?.newValue !== value;
    const all = isPerson || givesBack;
    const most = all ? writesPerDay : writesPerDay - Math.floor(writesPerDay / KEPT_PART);
    if (sent.length < most) return;
    const again = secondAfter((sent.at(-most)?.at ?? 0) + DAY_MS);
    const kept = most === writesPerDay ? '' : `, and programs leave the rest of ${writesPerDay} to people`;
    throw new NotSent(
      `${topic} was not written: ${most} writes in 24 hours are enough for the hardware's memory${kept}; ` +
        `the next one is possible at ${again}`,
      'too_often',
      { againAt: again },
    );
  }

  /** The attempt is stored before it is sent, so that a power cut midway leaves a trace of it. */
  async #write(
    definition: MetricDefinition,
    { value, author, signal }: { value: number | string; author: Author; signal: WriteSignal },
  ): Promise<void> {
    const { snapshots, clock, hardware, followUp } = this.#options;
    // Again, as earlier writes take time.
    requireAllowed(definition, this.#options);
    this.#protectMemory(definition.topic, String(value), author);
    // Read now: the write before this one may have changed it.
    const before = snapshots.current.samples.get(definition.topic)?.value ?? null;
    const { topic } = definition;
    const attempt: NewWrite = {
      at: clock.now(),
      author: author.name,
      via: author.via,
      topic,
      oldValue: textOf(before),
      newValue: String(value),
      serialNumber: unitSerialNumber(topic, snapshots.current) ?? null,
    };
    let begun = { ...attempt, id: this.#begin(attempt) };
    followUp.begin(begun);
    let sentAtMs: number | undefined;
    const finish = (result: WriteResult): void => {
      // Quick refusals do not show how long a value takes to be in force.
      if (sentAtMs !== undefined && (result.outcome === 'ok' || result.isOpen === true))
        this.#turns.took({ unit: unitOf(definition), topic }, clock.monotonic() - sentAtMs, {
          isInForce: result.outcome === 'ok',
        });
      this.#finish(begun, result);
    };
    const failed = (error: unknown): unknown => {
      const failure = failureOf(topic, error, { isSent: sentAtMs !== undefined, isLate: signal.aborted });
      const { outcome, reason } = failure?.fields ?? { outcome: 'unknown', reason: null };
      const isSent = outcome !== 'not sent';
      const isRefused = isSent && isRefusal(error);
      const isOpen = isSent && !isRefused;
      finish({ outcome, reason, isSent, isOpen, isRefused });
      if (failure === undefined) return error;
      return isOpen ? this.#pending(failure, topic) : failure;
    };
    let now: MetricValue;
    try {
      const written = hardware.write(definition, value, signal, (read) => {
        sentAtMs ??= clock.monotonic();
        begun = this.#correctOldValue(begun, read);
      });
      now = await Promise.race([written, abortedUnsent(signal, () => sentAtMs !== undefined)]);
    } catch (error) {
      throw failed(error);
    }
    if (!isInForce(definition, String(value), now)) throw failed(new AlteredByHardware(now, value));
    // A value in force already was read just now.
    if (sentAtMs === undefined) begun = this.#correctOldValue(begun, now);
    finish({ outcome: 'ok', reason: null, isSent: sentAtMs !== undefined, isOpen: false });
  }

  #pending(failure: WriteFailure, topic: string): WriteFailure {
    const settlesBy = this.#options.followUp.settlesBy(topic);
    return settlesBy === null ? failure : failure.settledBy(settlesBy);
  }

  /** Another master may have changed the setting since the last poll. @param read what it was right before the write */
  #correctOldValue(begun: BegunWrite, read: MetricValue): BegunWrite {
    const { log, logger } = this.#options;
    const oldValue = textOf(read);
    if (oldValue === begun.oldValue) return begun;
    try {
      log.setOldValue(begun.id, oldValue);
    } catch (error) {
      logger.error({ reason: messageOf(error) }, 'value before a write not stored');
    }
    return { ...begun, oldValue };
  }

  /** @throws NotSent: what would leave no trace is not sent */
  #begin(attempt: NewWrite): number {
    try {
      return this.#options.log.begin(attempt);
    } catch (error) {
      this.#options.logger.error({ reason: messageOf(error) }, 'a write was refused: it cannot be logged');
      throw new NotSent(
        `${attempt.topic} was not written: the device's log of writes ${reasonOf(error)}`,
        'not_logged',
        { cause: error },
      );
    }
  }

  /** A log that cannot be finished does not make the write undone: the entry stays `unknown`. */
  #finish(begun: BegunWrite, result: WriteResult): void {
    const { log, followUp, logger, onOutcome } = this.#options;
    const { outcome } = result;
    onOutcome?.(begun.topic, outcome, begun.newValue);
    try {
      log.finish(begun.id, result);
    } catch (error) {
      logger.error({ reason: messageOf(error), outcome }, 'outcome of a write not stored');
    }
    followUp.end(begun, result);
  }
}

function textOf(value: MetricValue): string | null {
  return value === null ? null : String(value);
}

function unitOf({ device, number }: MetricDefinition): string {
  return `${device} ${number}`;
}

/** @throws NotSent */
function requireAllowed(definition: MetricDefinition, { refusal }: HardwareSettingsOptions): void {
  const reason = refusal?.(definition);
  if (reason !== undefined) throw new NotSent(`${definition.topic} was not written: ${reason}`, 'suspended');
}

/** @throws NotSent naming the topic and what it allows */
function parseOrRefuse(...setting: Parameters<typeof parseValue>): number | string {
  try {
    return parseValue(...setting);
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error;
    throw new NotSent(error.message, 'invalid_value', { cause: error });
  }
}

/** @throws WriteWithheld when the time of a write is over before it was sent */
function abortedUnsent(signal: AbortSignal, isSent: () => boolean): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => {
    if (!isSent()) reject(new WriteWithheld('busy', 'its turn on the line did not come in time'));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return promise;
}

/** The device stops, or starts again with another configuration. */
function finishing(topic: string): NotSent {
  const message = `${topic} was not written: the device is just stopping, or starting again`;
  return new NotSent(message, 'stopping', { status: 503 });
}

/** Whether the hardware reported that it did nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof RejectedByHardware && !(error instanceof KeptByHardware);
}

/** The hardware took a value of its own. */
class AlteredByHardware extends Error {
  readonly value: MetricValue;

  constructor(value: MetricValue, requested: number | string) {
    super(`the hardware took ${value} instead of ${requested}`);
    this.value = value;
  }
}

interface SendState {
  /** Whether the request that writes went to the line. */
  readonly isSent: boolean;
  /** Whether the write's time was over: the hardware may well be there then. */
  readonly isLate: boolean;
}

/** Undefined for a fault of the program. */
function failureOf(topic: string, error: unknown, { isSent, isLate }: SendState): WriteFailure | undefined {
  const message = `${topic}: ${messageOf(error)}`;
  if (error instanceof AlteredByHardware)
    return new WriteFailure(message, 'altered', 'altered', { value: error.value });
  if (error instanceof RejectedByHardware)
    return new WriteFailure(message, isSent ? 'rejected' : 'not sent', error.reason, { cause: error });
  if (error instanceof WriteWithheld)
    return new NotSent(`${topic} was not written: ${error.reason}`, error.kind, { cause: error });
  if (error instanceof LinkDown) {
    const [reason, sentence] = isLate
      ? (['busy', 'its turn on the line did not come in time'] as const)
      : (['unreachable', 'the hardware cannot be reached'] as const);
    return new NotSent(`${topic} was not written: ${sentence}`, reason, { cause: error });
  }
  return error instanceof WriteUnanswered
    ? outcomeUnknown(topic, error.reason, error.kind, error)
    : undefined;
}

function notWritable({ topic, readOnlyReason }: MetricDefinition): NotSent {
  const because = readOnlyReason === undefined ? '' : `: ${readOnlyReason}`;
  return new NotSent(`${topic} cannot be written${because}`, 'read_only');
}

function outcomeUnknown(
  topic: string,
  sentence: string,
  kind: UnansweredKind,
  cause?: unknown,
): WriteFailure {
  const message =
    `${topic}: ${sentence}, so whether it was written is unknown; it was not sent a second time, ` +
    'and the next readings show its value';
  return new WriteFailure(message, 'unknown', kind, { cause });
}
