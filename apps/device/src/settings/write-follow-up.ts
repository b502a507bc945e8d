import type { WriteOutcome, WriteReason } from '@heliograph/contracts';
import { type Clock, type Logger, wallAt } from '@heliograph/kit';
import type { MetricValue } from '@heliograph/metrics';
import { FailureLog } from '../common/failure-log.ts';
import type { Sample, Snapshot, SnapshotSource } from '../poll/snapshot.ts';
import type { NewWrite, WriteLog, WriteLogEntry, WriteResult } from '../storage/write-log.ts';
import { ChangedAlong } from './changed-along.ts';
import { isInForce } from './in-force.ts';
import { secondAfter } from './second-after.ts';
import { unitSerialNumber } from './unit-serial-number.ts';

/** How long readings correct an outcome, in milliseconds after the first one that followed the write, or after a refused write. */
const SETTLES_AFTER_MS = 5 * 60_000;

/** A reading that comes later than this is of another time, in milliseconds after the write. */
const MAX_WAIT_MS = 24 * 60 * 60_000;

/** How long a value must be read that ends a write as not in force, in milliseconds: booting hardware reports zeros. */
const STEADY_MS = 60_000;

export interface WriteFollowUpOptions {
  readonly snapshots: SnapshotSource;
  readonly log: WriteLog;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with each outcome that is known later. @param value as it was sent */
  readonly onOutcome?: (topic: string, outcome: WriteOutcome, value: string) => void;
  /** Called with the topic of each open write whose outcome no reading will show: its unit was exchanged, or not read for a day. */
  readonly onAbandoned?: (topic: string) => void;
}

type BegunWrite = Pick<NewWrite, 'topic' | 'oldValue' | 'newValue' | 'serialNumber'> & {
  readonly id: number;
};

/** A write in the log whose outcome readings may still correct. */
interface OpenWrite {
  readonly id: number;
  readonly topic: string;
  /** Null: not known. */
  readonly oldValue: string | null;
  readonly newValue: string;
  readonly outcome: WriteOutcome;
  readonly reason: WriteReason | null;
  /** Only a reading of the next minutes that shows it in force corrects it, and none is awaited. */
  readonly isRefused: boolean;
  /** By the monotonic clock, in milliseconds. */
  readonly writtenAtMs: number;
  /** Of the unit; null: not known. */
  readonly serialNumber: string | null;
  /** The time of the last reading that is known; undefined before the first one. */
  readAt: number | undefined;
  /** When the first reading came that followed the write, by the monotonic clock. */
  followedAtMs: number | undefined;
  /** The last value that was read, and since when it is the same. */
  steady: { readonly value: MetricValue; readonly sinceMs: number } | undefined;
}

/**
 * Corrects the log of writes by later readings. A value that is read in force makes a write `ok` that was `unknown`,
 * `rejected` or `altered`, also one that the hardware refused and carried out all the same; one that is not in force after some minutes ends an `unknown` one. It
 * begins with the writes whose end the process before did not live to see.
 */
export class WriteFollowUp {
  readonly #options: WriteFollowUpOptions;
  readonly #failureLog: FailureLog;
  readonly #along: ChangedAlong;
  readonly #open = new Map<string, OpenWrite>();
  /** Ids of writes whose end is not known yet, by topic. */
  readonly #underWay = new Map<string, number>();
  #unsubscribe: (() => void) | undefined;

  constructor(options: WriteFollowUpOptions) {
    this.#options = options;
    const { clock, log, logger } = options;
    this.#failureLog = new FailureLog(
      logger,
      'the log of writes cannot be corrected',
      'the log of writes is corrected again',
    );
    this.#along = new ChangedAlong(clock, (id, changes) => {
      this.#store(() => log.setAlsoChanged(id, changes));
    });
  }

  start(): void {
    const { snapshots, log } = this.#options;
    this.#store(() => {
      log.closeFormer();
      for (const entry of log.open()) this.#recall(entry);
    });
    this.#unsubscribe = snapshots.subscribe((snapshot) => this.#evaluate(snapshot));
  }

  stop(): void {
    this.#unsubscribe?.();
  }

  /** Whether a write of the setting may still come into force. */
  isOpen(topic: string): boolean {
    return this.#open.get(topic)?.isRefused === false;
  }

  /**
   * Until when readings are expected to show how a write of the setting ended: minutes after the first one, or within the day
   * where none followed in time.
   *
   * @param id of the write; left out, the newest one of the setting
   * @returns ISO 8601, in whole seconds; null when none is awaited
   */
  settlesBy(topic: string, id = this.#underWay.get(topic) ?? this.#open.get(topic)?.id): string | null {
    const { clock } = this.#options;
    const nowMs = clock.monotonic();
    const open = this.#open.get(topic);
    const isOpen = open?.isRefused === false && open.id === id;
    const isUnderWay = id !== undefined && this.#underWay.get(topic) === id;
    if (!isUnderWay && !isOpen) return null;
    // The time of the write before is not that of the one under way.
    const write = isUnderWay ? undefined : open;
    const { writtenAtMs = nowMs, followedAtMs = writtenAtMs } = write ?? {};
    const usuallyMs = followedAtMs + SETTLES_AFTER_MS + STEADY_MS;
    const byMs = nowMs < usuallyMs ? usuallyMs : writtenAtMs + MAX_WAIT_MS;
    return secondAfter(wallAt(clock, byMs));
  }

  /** @param write that is about to be sent */
  begin({ id, topic }: BegunWrite): void {
    this.#underWay.set(topic, id);
    this.#along.begin(id, topic, this.#options.snapshots.current);
  }

  /** Readings of a setting that was sent from now on belong to this write, and not to the one before. */
  end(write: BegunWrite, result: WriteResult): void {
    const { outcome, reason, isSent, isOpen = false, isRefused = false } = result;
    const { snapshots, clock } = this.#options;
    const { id, topic, oldValue, newValue, serialNumber = null } = write;
    this.#underWay.delete(topic);
    this.#along.end(id, topic, isSent && (outcome === 'ok' || isOpen));
    if (!isSent) return;
    const former = this.#open.get(topic);
    if (former !== undefined) this.#close(former);
    if (!isOpen && !isRefused) return;
    this.#open.set(topic, {
      ...{ id, topic, oldValue, newValue, outcome, reason, isRefused, serialNumber },
      writtenAtMs: clock.monotonic(),
      readAt: snapshots.current.samples.get(topic)?.readAt,
      followedAtMs: undefined,
      steady: undefined,
    });
  }

  /** Takes up an entry of the process before. */
  #recall(entry: WriteLogEntry): void {
    const { clock } = this.#options;
    const { id, topic, oldValue, newValue, outcome, reason, serialNumber, at } = entry;
    // A clock that is not set yet is behind the time of the write.
    const ageMs = Math.max(0, clock.now() - at);
    this.#open.set(topic, {
      ...{ id, topic, oldValue, newValue, outcome, reason, isRefused: false, serialNumber },
      writtenAtMs: clock.monotonic() - ageMs,
      readAt: undefined,
      followedAtMs: undefined,
      steady: undefined,
    });
  }

  #evaluate(snapshot: Snapshot): void {
    const isExplained = (topic: string): boolean => this.isOpen(topic) || this.#underWay.has(topic);
    this.#along.compare(snapshot, isExplained);
    for (const write of this.#open.values())
      if (!this.#underWay.has(write.topic)) this.#follow(write, snapshot);
  }

  #follow(write: OpenWrite, snapshot: Snapshot): void {
    const nowMs = this.#options.clock.monotonic();
    const sample = snapshot.samples.get(write.topic);
    const serialNumber = unitSerialNumber(write.topic, snapshot);
    const isOther =
      write.serialNumber !== null && serialNumber != null && serialNumber !== write.serialNumber;
    const isExpired = nowMs - write.writtenAtMs > (write.isRefused ? SETTLES_AFTER_MS : MAX_WAIT_MS);
    if (isExpired || isOther) this.#abandon(write);
    // Until a serial number is read, the readings may be of another unit.
    else if (write.serialNumber !== null && serialNumber === null) return;
    else if (sample !== undefined && sample.value !== null && sample.readAt !== write.readAt)
      this.#compare(write, sample, nowMs);
  }

  /** @param sample a reading that is newer than the last one */
  #compare(write: OpenWrite, sample: Sample, nowMs: number): void {
    const { topic, oldValue, newValue, outcome, reason } = write;
    const { value } = sample;
    const isFirst = write.followedAtMs === undefined;
    write.readAt = sample.readAt;
    write.followedAtMs ??= nowMs;
    if (write.steady?.value !== value) write.steady = { value, sinceMs: nowMs };
    const isSteady = nowMs - write.steady.sinceMs >= STEADY_MS;
    const isDue = nowMs - write.followedAtMs >= SETTLES_AFTER_MS && isSteady;
    if (isInForce(sample.definition, newValue, value)) this.#settle(write, ['ok', null], sample);
    else if (!isDue) {
      // The process that sent it may have been killed before it reported this.
      if (isFirst && outcome === 'unknown') this.#options.onOutcome?.(topic, outcome, newValue);
    } else if (outcome === 'unknown') {
      const isOld = oldValue === null || String(value) === oldValue;
      this.#settle(write, isOld ? ['rejected', reason] : ['altered', 'altered'], sample);
    } else this.#close(write);
  }

  #settle(
    { id, topic, newValue }: OpenWrite,
    [outcome, reason]: readonly [WriteOutcome, WriteReason | null],
    { readAt }: Sample,
  ): void {
    const { log, logger, onOutcome } = this.#options;
    if (!this.#store(() => log.settle(id, { outcome, reason }, readAt))) return;
    this.#open.delete(topic);
    logger.info({ topic, value: newValue, outcome }, 'a later reading shows the outcome of a write');
    onOutcome?.(topic, outcome, newValue);
  }

  /** A refusal is certain: its alert stays. */
  #abandon(write: OpenWrite): void {
    this.#close(write);
    if (!write.isRefused) this.#options.onAbandoned?.(write.topic);
  }

  #close({ id, topic }: OpenWrite): void {
    this.#open.delete(topic);
    this.#store(() => this.#options.log.close(id));
  }

  /** @returns whether the log could be written */
  #store(work: () => void): boolean {
    try {
      work();
      this.#failureLog.succeeded();
      return true;
    } catch (error) {
      this.#failureLog.failed(error);
      return false;
    }
  }
}
