import { Backoff, type Clock, type Logger, wait, wallAt } from '@heliograph/kit';
import type { MeterRole, MetricValue } from '@heliograph/metrics';
import type { Traffic } from '../../bus/bus.ts';
import { LinkDown } from '../../bus/failures.ts';
import { FailureLog } from '../../common/failure-log.ts';
import type { Hardware, OnSend, Reading, Unit } from '../../drivers/driver.ts';
import { type Doubtful, PlausibilityFilter } from '../counters/plausibility-filter.ts';
import type { SeenCounters } from '../counters/seen-counters.ts';
import { type LatestValue, NEVER_READ, STALE_AFTER_POLLS } from '../totals/measured.ts';
import { type UnitKey, unitKeys } from '../units/unit-key.ts';
import { LinkHealth } from './link-health.ts';
import type { LinkState } from './link-metrics.ts';

/** How soon, and how late at most, a connection that failed is opened again, in milliseconds. */
const REOPEN_MS = { minMs: 500, maxMs: 30_000 };

/** The shortest time after which hardware that has more to offer than when it was opened is opened again, in milliseconds. */
const REOPEN_INTERVAL_MS = 5 * 60 * 1000;

/** Hardware is opened again, without what is gone, once something has been gone for so long, in milliseconds. */
const GONE_MS = 5 * 60 * 1000;

/**
 * A value confirmed again keeps the time that was shown, though the wall clock is slewed meanwhile; a clock that was set, by at
 * least this, in milliseconds, makes another time of it.
 */
const CLOCK_STEP_MS = 1_000;

/** How a connection does. */
export interface ConnectionStatus {
  /** `waiting`: it was not tried yet; `failing`: the last attempt failed. */
  readonly state: 'waiting' | 'connected' | 'failing';
  /** Since when, in milliseconds since the epoch. */
  readonly since: number;
  /** The error of the last attempt; undefined unless it failed. */
  readonly error?: unknown;
}

export interface ConnectionPollerOptions {
  /** The connection as configured, for the log. */
  readonly url: string;
  /** The part of the home that a meter there measures for the totals. */
  readonly role?: MeterRole | undefined;
  /** Counts of the connection so far. */
  readonly traffic: Traffic;
  /** Finds the hardware; called again after every failure. */
  readonly open: () => Promise<Hardware>;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly backoff?: Backoff;
  /** The lifetime counters of its units; without them nothing is known of the time before a restart. */
  readonly counters?: SeenCounters;
  /** Waits between polls; default {@link wait}. */
  readonly pause?: typeof wait;
}

/**
 * Polls what stands behind one connection, on its own: nothing here waits for another connection.
 *
 * Polls begin at whole multiples of the interval, the same for all connections, so that their values are of
 * about the same moment. A poll that takes longer than the interval skips the ones it ran into.
 */
export class ConnectionPoller {
  readonly #options: ConnectionPollerOptions;
  readonly #stop = new AbortController();
  readonly #backoff: Backoff;
  readonly #failureLog: FailureLog;
  readonly #values = new Map<UnitKey, Map<string, LatestValue>>();
  /** By unit and quantity, the last poll that had begun when it was written: it, too, may have read the old value. */
  readonly #written = new Map<string, number>();
  #hardware: Hardware | undefined;
  #openedAt = Number.NEGATIVE_INFINITY;
  #units: readonly Unit[] | undefined;
  #tick = 0;
  #pollsBegun = 0;
  #polling = false;
  #attempted = false;
  #status: ConnectionStatus;
  #answered = 0;
  #failures = 0;
  #lastReadAt: number | null = null;
  readonly #health: LinkHealth;
  readonly #plausibility: PlausibilityFilter;
  /** The units that the last poll showed to be no longer there. */
  readonly #gone = new Set<UnitKey>();
  /** Since when each poll has shown less than when it was opened, by the monotonic clock. */
  #shrunkSince: number | undefined;
  #onPolled: () => void = () => {};
  #running: Promise<void> = Promise.resolve();

  constructor(options: ConnectionPollerOptions) {
    this.#options = options;
    this.#status = { state: 'waiting', since: options.clock.now() };
    this.#health = new LinkHealth(options.clock, options.intervalMs);
    const { intervalMs, counters } = options;
    this.#plausibility = new PlausibilityFilter(
      options.clock,
      counters === undefined ? { intervalMs } : { intervalMs, counters },
    );
    this.#backoff = options.backoff ?? new Backoff(REOPEN_MS);
    const logger = options.logger.child({ connection: options.url });
    this.#failureLog = new FailureLog(logger, 'connection lost', 'connection restored');
  }

  get url(): string {
    return this.#options.url;
  }

  get role(): MeterRole | undefined {
    return this.#options.role;
  }

  /** The units behind the connection; undefined until it was opened once. The same array until reopened. */
  get units(): readonly Unit[] | undefined {
    return this.#units;
  }

  /** Whether it has been tried, with whatever result. */
  get attempted(): boolean {
    return this.#attempted;
  }

  /** Whether a poll is under way. */
  get polling(): boolean {
    return this.#polling;
  }

  /** How far apart its readings are: the interval, or what a slow link really takes, in milliseconds. */
  get cadenceMs(): number {
    return this.#health.cadenceMs;
  }

  get link(): LinkState {
    return {
      quality: this.#health.quality(),
      isStarting: this.isStarting,
      traffic: this.#options.traffic,
      withheldValues: this.#plausibility.withheldValues,
    };
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  /** Polls since the device was started; attempts to open the connection that failed are among the failures. */
  get polls(): { readonly answered: number; readonly failed: number } {
    return { answered: this.#answered, failed: this.#failures };
  }

  /** Whether it has not been polled often enough since the start for a value that was not read to be unknown. */
  get isNew(): boolean {
    return this.#answered + this.#failures < STALE_AFTER_POLLS;
  }

  /** Whether it has neither answered nor failed so often. */
  get isStarting(): boolean {
    return this.isNew && this.#answered === 0;
  }

  /** The values of the last poll that are not believed. */
  get doubtful(): readonly Doubtful[] {
    return this.#plausibility.doubtful;
  }

  /** How long the last poll took, in milliseconds; null before the first. */
  get pollMs(): number | null {
    return this.#health.pollMs;
  }

  /** When the last poll was answered, in milliseconds since the epoch; null before the first. */
  get lastReadAt(): number | null {
    return this.#lastReadAt;
  }

  /** Whether the last poll showed that the unit is no longer there: no total counts it. */
  isGone(key: UnitKey): boolean {
    return this.#gone.has(key);
  }

  value(key: UnitKey, name: string): LatestValue {
    return this.#values.get(key)?.get(name) ?? NEVER_READ;
  }

  /** @param onPolled called after every poll and every failed attempt at one */
  start(onPolled: () => void): void {
    this.#onPolled = onPolled;
    this.#running = this.#run();
  }

  /** Ends after the request under way; close the bus to end that too. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /**
   * Writes one setting and keeps the value that the hardware reports back, so that the next look sees it.
   *
   * @param signal aborts when the caller no longer waits: what was not sent by then is never sent
   * @param onSend called right before the first byte of the write leaves; not for a value in force already
   * @returns that value
   * @throws RejectedByHardware, LinkDown, WriteUnanswered as the hardware does
   */
  async write(
    key: UnitKey,
    name: string,
    value: number | string,
    signal?: AbortSignal,
    onSend?: OnSend,
  ): Promise<MetricValue> {
    const hardware = this.#hardware;
    const index = hardware === undefined ? -1 : unitKeys(hardware.units).indexOf(key);
    if (hardware === undefined || index < 0) throw new LinkDown(`${this.url} is not connected`);
    const now = await hardware.write(index, name, value, signal, onSend);
    this.#written.set(`${key} ${name}`, this.#pollsBegun);
    this.#store(key, name, now, hardware.readAt?.(index, name));
    return now;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const { pause = wait } = this.#options;
    while (!signal.aborted) {
      const ok = await this.#attempt();
      if (signal.aborted) return;
      this.#attempted = true;
      this.#onPolled();
      await pause(ok ? this.#untilNextTickMs() : this.#backoff.nextMs(), signal);
    }
  }

  async #attempt(): Promise<boolean> {
    const { clock } = this.#options;
    this.#health.attempted();
    try {
      const hardware = await this.#opened();
      const startedAt = clock.monotonic();
      this.#polling = true;
      const poll = ++this.#pollsBegun;
      const readings = await hardware.poll();
      this.#storeReadings(hardware, readings, poll);
      const mayReopen = hardware.hasShrunk === true && !isAnyBehindAGoneOne(hardware);
      this.#shrunkSince = mayReopen ? (this.#shrunkSince ?? clock.monotonic()) : undefined;
      this.#health.answered(clock.monotonic() - startedAt);
      this.#backoff.reset();
      this.#lastReadAt = clock.now();
      this.#succeeded();
      return true;
    } catch (error) {
      this.#hardware = undefined;
      if (!this.#stop.signal.aborted) this.#failed(error);
      return false;
    } finally {
      this.#polling = false;
    }
  }

  #succeeded(): void {
    this.#answered++;
    this.#failureLog.succeeded();
    if (this.#status.state !== 'connected')
      this.#status = { state: 'connected', since: this.#options.clock.now() };
  }

  #failed(error: unknown): void {
    this.#failures++;
    this.#failureLog.failed(error);
    const since = this.#status.state === 'failing' ? this.#status.since : this.#options.clock.now();
    this.#status = { state: 'failing', since, error };
  }

  async #opened(): Promise<Hardware> {
    const { open, clock } = this.#options;
    const now = clock.monotonic();
    const hasGrown = this.#hardware?.needsReopen === true && now - this.#openedAt >= REOPEN_INTERVAL_MS;
    const isGone = this.#shrunkSince !== undefined && now - this.#shrunkSince >= GONE_MS;
    if (this.#hardware !== undefined && !hasGrown && !isGone) return this.#hardware;
    const hardware = await open();
    // A unit that comes back is found without delay: it takes minutes to go again.
    this.#openedAt = isGone ? Number.NEGATIVE_INFINITY : clock.monotonic();
    this.#shrunkSince = undefined;
    this.#hardware = hardware;
    this.#units = [...hardware.units];
    this.#gone.clear();
    return hardware;
  }

  #storeReadings(hardware: Hardware, readings: readonly Reading[], poll: number): void {
    for (const [index, key] of unitKeys(hardware.units).entries()) {
      const unit = hardware.units[index];
      const isGone = hardware.isGone?.(index) === true;
      const reading = isGone ? nothingOf(unit) : readings[index];
      if (unit === undefined || reading === undefined) continue;
      if (isGone) this.#gone.add(key);
      else this.#gone.delete(key);
      const believed = this.#plausibility.filter(key, unit, reading, hardware.withheldIn?.(index));
      for (const [name, value] of believed) {
        const id = `${key} ${name}`;
        if ((this.#written.get(id) ?? 0) >= poll) continue;
        this.#written.delete(id);
        this.#store(key, name, value, hardware.readAt?.(index, name));
      }
    }
  }

  /** @param readBefore when it was read, by the monotonic clock, if that was not just now */
  #store(key: UnitKey, name: string, value: MetricValue, readBefore?: number): void {
    const { clock } = this.#options;
    const values = this.#values.get(key) ?? new Map<string, LatestValue>();
    const confirmedAtMs = clock.monotonic();
    const readAtMonotonic = readBefore ?? confirmedAtMs;
    const readAt = wallAt(clock, readAtMonotonic);
    const known = values.get(name);
    const shown =
      known?.readAtMonotonic === readAtMonotonic && Math.abs(known.readAt - readAt) < CLOCK_STEP_MS;
    values.set(name, { value, readAt: shown ? known.readAt : readAt, readAtMonotonic, confirmedAtMs });
    this.#values.set(key, values);
  }

  #untilNextTickMs(): number {
    const { clock, intervalMs } = this.#options;
    const now = clock.monotonic();
    this.#tick = Math.max(this.#tick + 1, Math.ceil(now / intervalMs));
    return Math.min(intervalMs, Math.max(0, this.#tick * intervalMs - now));
  }
}

function nothingOf(unit: Unit | undefined): Reading {
  return new Map(unit?.quantities.map(({ name }) => [name, null]));
}

/** Whether a unit that is there comes after one of its kind that is gone: opened again, it would take that one's number. */
function isAnyBehindAGoneOne(hardware: Hardware): boolean {
  const isGone = (unit: number): boolean => hardware.isGone?.(unit) === true;
  return hardware.units.some(
    ({ kind }, unit) =>
      isGone(unit) && hardware.units.some((later, at) => at > unit && later.kind === kind && !isGone(at)),
  );
}
