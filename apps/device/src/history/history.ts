import type { DatabaseSync } from 'node:sqlite';
import type { CounterSet, HistoryAnswer } from '@heliograph/contracts';
import { AppError, BadRequest, type Clock, type Logger } from '@heliograph/kit';
import { FailureLog } from '../common/failure-log.ts';
import type { SnapshotSource } from '../poll/snapshot.ts';
import { DamagedDatabase } from '../storage/database.ts';
import { isDamage, isDiskFull, isReadError, publicReasonOf, reasonOf } from '../storage/failures.ts';
import type { Batch } from './columns/batch.ts';
import { DamagedColumn } from './columns/byte-column.ts';
import { DAMAGED_FILE, hasHistory, openHistoryDatabase, setHistoryAside } from './files/history-database.ts';
import { HistoryStore } from './files/history-store.ts';
import {
  type HistoryLoss,
  placeSalvagedHistory,
  requireNewHistory,
  salvageHistory,
} from './files/salvage-history.ts';
import { CurveBuilder } from './reading/curve.ts';
import { addWaiting, type StoredSeries } from './reading/history-reader.ts';
import { type HistoryPlan, type HistoryRequest, MAX_POINTS, planOf } from './reading/plan.ts';
import { ReadScheduler } from './reading/read-scheduler.ts';
import { Recorder } from './recorder.ts';

/** Readings farther apart than so many polls have nothing between them, as for energy. */
const GAP_POLLS = 3;

const BYTES_PER_MB = 1_000_000;

const RECORDING = 'Recording';

const SALVAGING = 'Waiting: the file is damaged, and is copied as far as it can be read';

const SALVAGING_UNREADABLE =
  'Waiting: the disk or card cannot read a part of the file, which is copied as far as it can be read';

const CLOCK_NOT_SET = "Waiting: the device's clock is not set";

export interface HistoryOptions {
  /** The folder of the file; exists. */
  readonly folder: string;
  /** The most that it may take on the disk, in megabytes of 1,000,000 bytes. */
  readonly maxSizeMb: number;
  readonly pollIntervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** When a counter was set, in a time in milliseconds since the epoch. */
  readonly setsOf?: (topic: string, fromMs: number, toMs: number) => readonly CounterSet[];
  /** Called once a damaged file is replaced. */
  readonly onLoss?: (loss: HistoryLoss, cause: 'damaged' | 'unreadable') => void;
  /** Opens the file; a test may hold on to what it opens. */
  readonly open?: typeof openHistoryDatabase;
}

/**
 * The history of every topic. Its failures never reach the publisher of snapshots. Until it is started it makes and writes no
 * file: one beside an empty store is taken for that of a device whose store was lost.
 */
export class History implements HistorySource, Disposable {
  readonly #options: HistoryOptions;
  readonly #recorder: Recorder;
  readonly #failureLog: FailureLog;
  readonly #turns = new ReadScheduler();
  #store: HistoryStore | undefined;
  #isStarted = false;
  #interrupted = true;
  #state = RECORDING;
  #written = 0;
  #failures = 0;
  #salvaging: Promise<void> | undefined;
  /** False once a damaged file could not even be set aside. */
  #canBeReplaced = true;
  /** False from a replacement until a write succeeds: on a disk that fails as a whole one would follow the other without end. */
  #isProven = true;
  readonly #stopping = new AbortController();
  #unsubscribe: () => void = () => undefined;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#recorder = new Recorder(options.clock);
    this.#failureLog = new FailureLog(options.logger, 'history cannot be kept', 'history is kept again');
  }

  /** Whether it is kept, or why not, in plain words. */
  get state(): string {
    return this.#recorder.clockIsSet ? this.#state : CLOCK_NOT_SET;
  }

  get isRecording(): boolean {
    return this.state === RECORDING;
  }

  /** Snapshots that were written, and writes that failed, since the device was started. */
  get counts(): { readonly written: number; readonly failures: number } {
    return { written: this.#written, failures: this.#failures };
  }

  /** Records every snapshot from now on. */
  start(snapshots: SnapshotSource): void {
    this.#isStarted = true;
    this.#flush();
    this.#unsubscribe = snapshots.subscribe((snapshot) => {
      if (this.#recorder.record(snapshot)) this.#flush();
    });
  }

  /** Writes what waits, and lets go of the file. */
  [Symbol.dispose](): void {
    this.#unsubscribe();
    this.#stopping.abort();
    if (this.#isStarted) this.#flush();
    this.#close();
  }

  async read(request: HistoryRequest): Promise<HistoryAnswer> {
    try {
      return await this.#turns.run(() => this.#answer(request));
    } catch (error) {
      throw this.#readingFailure(error);
    }
  }

  since(): number | undefined {
    try {
      return this.#openStore().reader.since() ?? this.#recorder.waiting.find(isBegun)?.start;
    } catch (error) {
      throw this.#readingFailure(error);
    }
  }

  /** Ends once no damaged file is being copied. */
  async settled(): Promise<void> {
    await this.#salvaging;
  }

  /** When the newest reading until a moment was taken, in milliseconds since the epoch, to the minute; undefined where that is unknown. */
  newest(untilMs: number): number | undefined {
    try {
      return this.#openStore().reader.newest(untilMs);
    } catch (error) {
      this.#salvageIfDamaged(error);
      return undefined;
    }
  }

  async #answer(request: HistoryRequest): Promise<HistoryAnswer> {
    const store = this.#openStore();
    const wanted = this.#series(store).filter(({ topic }) => request.matches(topic));
    const now = this.#options.clock.now();
    const plan = planOf(request, wanted.length, now, (source) => store.retention.completeSince(source));
    const answer: HistoryAnswer = {
      from: seconds(plan.fromMs),
      to: seconds(plan.toMs),
      step: seconds(plan.stepMs),
      series: [],
      states: [],
    };
    let points = 0;
    for (const series of wanted) {
      // The client has gone.
      if (request.signal?.aborted) break;
      const { topic, name, unit } = series;
      const curve = await this.#curve(series, plan);
      if (curve !== undefined)
        answer.series.push({ topic, name, unit, ...curve, ...this.#sets(topic, plan) });
      points += curve?.times.length ?? 0;
      const states = this.#states(store, series, plan, Math.max(1, MAX_POINTS + 1 - points));
      if (states.times.length > 0) answer.states.push({ topic, name, ...states });
      points += states.times.length;
      if (points > MAX_POINTS) throw tooManyChanges(topic);
    }
    return answer;
  }

  #sets(topic: string, { fromMs, toMs }: HistoryPlan): { readonly sets?: CounterSet[] } {
    const sets = this.#options.setsOf?.(topic, fromMs, toMs) ?? [];
    return sets.length === 0 ? {} : { sets: [...sets] };
  }

  async #curve({ id, topic }: StoredSeries, plan: HistoryPlan) {
    const builder = new CurveBuilder(plan);
    if (id !== undefined) {
      const rows = this.#openStore().reader.addTo(builder, id, plan.fromMs, plan.toMs, plan.source);
      for (const _rows of rows) await this.#turns.next();
    }
    addWaiting(builder, topic, this.#recorder.waiting);
    return builder.build(GAP_POLLS * this.#options.pollIntervalMs);
  }

  /** @param most as many of what is stored; the first */
  #states(store: HistoryStore, { id, topic }: StoredSeries, { fromMs, toMs }: HistoryPlan, most: number) {
    const stored = id === undefined ? [] : store.reader.states(id, fromMs, toMs, most);
    const waiting = this.#recorder.waiting
      .flatMap(({ changes }) => changes)
      .filter(({ definition, at }) => definition.topic === topic && at < toMs);
    const states = [...stored, ...waiting];
    const begun = states.findLastIndex(({ at }) => at <= fromMs);
    const seen = states.slice(Math.max(0, begun));
    return {
      times: seen.map(({ at }) => seconds(Math.max(at, fromMs))),
      last: seen.map(({ value }) => value),
    };
  }

  /** Stored series first, then those known only since the last write. */
  #series(store: HistoryStore): readonly StoredSeries[] {
    const stored = store.reader.series();
    const topics = new Set(stored.map(({ topic }) => topic));
    const fresh = new Map<string, StoredSeries>();
    for (const { columns, changes } of this.#recorder.waiting) {
      for (const { definition } of [...columns.values(), ...changes]) {
        const { topic, name, unit } = definition;
        if (!topics.has(topic)) fresh.set(topic, { id: undefined, topic, name, unit });
      }
    }
    return [...stored, ...fresh.values()];
  }

  #readingFailure(error: unknown): AppError {
    this.#salvageIfDamaged(error);
    return error instanceof AppError ? error : new HistoryUnavailable(reasonOf(error), error);
  }

  #flush(): void {
    if (this.#salvaging !== undefined) {
      if (this.#recorder.postponed()) this.#interrupted = true;
      return;
    }
    try {
      const store = this.#openStore();
      if (this.#interrupted) store.writer.endStates(this.#options.clock.now());
      this.#interrupted = false;
      const waiting = this.#recorder.waiting;
      store.writer.write(waiting);
      this.#written += waiting.reduce((sum, { times }) => sum + times.length, 0);
      this.#isProven = true;
      this.#recorder.written();
      store.retention.enforce(this.#options.clock.now());
      this.#state = RECORDING;
      this.#failureLog.succeeded();
    } catch (error) {
      this.#failures++;
      if (this.#recorder.postponed()) this.#interrupted = true;
      this.#state = `Stopped: the file ${publicReasonOf(error)}`;
      this.#failureLog.failed(error);
      // A full disk can still be read. Anything else may be mended by another file, which opening will find.
      if (!isDiskFull(error)) this.#close();
      this.#salvageIfDamaged(error);
    }
  }

  #openStore(): HistoryStore {
    if (!this.#isStarted && !hasHistory(this.#options.folder))
      throw new HistoryUnavailable('does not exist yet', undefined);
    this.#store ??= new HistoryStore(this.#open(), this.#options.maxSizeMb * BYTES_PER_MB);
    return this.#store;
  }

  #open(): DatabaseSync {
    const { folder, open = openHistoryDatabase } = this.#options;
    placeSalvagedHistory(folder);
    return open(folder);
  }

  /** Copies a damaged file while readings wait in memory; what can be read of it is read meanwhile. */
  #salvageIfDamaged(error: unknown): void {
    const isDamaged = isDamage(error) || error instanceof DamagedDatabase || error instanceof DamagedColumn;
    if (!isDamaged || !this.#isStarted) return;
    if (this.#salvaging !== undefined || this.#stopping.signal.aborted) return;
    if (!this.#canBeReplaced || !this.#isProven) return;
    this.#isProven = false;
    const isUnreadable = isReadError(error);
    this.#options.logger.error(
      { reason: reasonOf(error) },
      isUnreadable
        ? 'the disk cannot read a part of the history: it is copied as far as it can be read'
        : 'the history is damaged: it is copied as far as it can be read',
    );
    this.#state = isUnreadable ? SALVAGING_UNREADABLE : SALVAGING;
    this.#salvaging = this.#replaceDamaged(isUnreadable ? 'unreadable' : 'damaged').finally(() => {
      this.#salvaging = undefined;
      if (!this.#stopping.signal.aborted) this.#flush();
    });
  }

  async #replaceDamaged(cause: 'damaged' | 'unreadable'): Promise<void> {
    const { folder, logger, onLoss } = this.#options;
    const { signal } = this.#stopping;
    try {
      const loss = await salvageHistory(folder, signal, (lost) => onLoss?.(lost, cause));
      this.#close();
      placeSalvagedHistory(folder);
      logger.error(
        { ...loss, file: DAMAGED_FILE },
        'the damaged history is set aside, and all of it that can be read is kept',
      );
    } catch (error) {
      if (signal.aborted) return;
      this.#beginAgain(error, cause);
    }
  }

  /** @param reason why the damaged file cannot be copied */
  #beginAgain(reason: unknown, cause: 'damaged' | 'unreadable'): void {
    const { folder, logger, onLoss } = this.#options;
    try {
      this.#close();
      requireNewHistory(folder);
      setHistoryAside(folder);
      logger.error(
        { reason: reasonOf(reason), file: DAMAGED_FILE },
        'the damaged history is set aside, and begins again',
      );
      onLoss?.({ fromMs: null, untilMs: null }, cause);
    } catch (error) {
      this.#canBeReplaced = false;
      logger.error({ reason: reasonOf(error) }, 'the damaged history cannot be set aside');
    }
  }

  #close(): void {
    const store = this.#store;
    this.#store = undefined;
    store?.close();
  }
}

/** A readable history. */
export interface HistorySource {
  /** @throws BadRequest about the request, HistoryUnavailable about the file */
  read(request: HistoryRequest): Promise<HistoryAnswer>;
  /**
   * Since when anything is known, in milliseconds since the epoch; undefined while nothing is.
   *
   * @throws HistoryUnavailable
   */
  since(): number | undefined;
}

function isBegun({ times }: Batch): boolean {
  return times.length > 0;
}

function tooManyChanges(topic: string): BadRequest {
  return new BadRequest(
    `with the changes of ${topic} it would be more than ${MAX_POINTS} points: ask for a shorter time or fewer topics`,
  );
}

class HistoryUnavailable extends AppError {
  constructor(reason: string, cause: unknown) {
    super(`The history cannot be read: the file ${reason}`, {
      code: 'history_unavailable',
      status: 503,
      expose: true,
      cause,
    });
  }
}

function seconds(ms: number): number {
  return ms / 1000;
}
