import type { WriteOutcome } from '@heliograph/contracts';
import { Backoff, type Clock, type ManualClock, silentLogger } from '@heliograph/kit';
import { AlertStore, type StoredAlert } from '../src/alerts/alert-store.ts';
import { AlertWatch } from '../src/alerts/alert-watch.ts';
import { TrafficCounter } from '../src/bus/bus.ts';
import { momentsAhead, type PassedMoments } from '../src/common/check-clock.ts';
import { AlertRules } from '../src/config/alert-rules/alert-rules.ts';
import type { Hardware } from '../src/drivers/driver.ts';
import { EnergyHistory } from '../src/energy/energy-history.ts';
import { EnergyMeter } from '../src/energy/energy-meter.ts';
import { EnergyStore } from '../src/energy/energy-store.ts';
import { Collector } from '../src/poll/collector.ts';
import { ConnectionPoller } from '../src/poll/links/connection-poller.ts';
import { SnapshotPublisher } from '../src/poll/snapshot.ts';
import { SystemMetrics } from '../src/poll/system-metrics.ts';
import { UnknownTotals } from '../src/poll/totals/unknown-totals.ts';
import { KnownUnits } from '../src/poll/units/known-units.ts';
import { SameHardware } from '../src/poll/units/same-hardware.ts';
import { HardwareSettings } from '../src/settings/hardware-settings.ts';
import { WriteFollowUp } from '../src/settings/write-follow-up.ts';
import { openTemporaryDatabase } from '../src/storage/database.ts';
import { KeyValueStore } from '../src/storage/key-value.ts';
import { WriteLog } from '../src/storage/write-log.ts';

export type { StoredAlert } from '../src/alerts/alert-store.ts';
export { LinkDown } from '../src/bus/failures.ts';
export { type ModbusBus, ModbusException } from '../src/bus/modbus/modbus-bus.ts';
export {
  type Hardware,
  type OnSend,
  type Reading,
  RejectedByHardware,
  type Unit,
  type Withheld,
} from '../src/drivers/driver.ts';

export interface SteppedDeviceOptions {
  readonly open: () => Promise<Hardware>;
  readonly clock: ManualClock;
  readonly intervalMs: number;
  /** IANA name. */
  readonly timeZone: string;
  /** The clock of the device is compared with these. */
  readonly passed: PassedMoments;
  /** Free space of the disk now, in MB. */
  readonly freeStorageMb: () => number;
  /** The state of the history now, `Recording` where all is well. */
  readonly history: () => string;
  /** For a write, in milliseconds; that of the product when left out. */
  readonly deadlineMs?: number;
}

/** The disk of a device that is not there. */
class StatedSystem extends SystemMetrics {
  readonly #freeStorageMb: () => number;
  readonly #clock: Clock;

  constructor({ clock, freeStorageMb, history }: SteppedDeviceOptions) {
    super({ clock, dataFolder: '', siteId: () => null, softwareVersion: '', history });
    this.#freeStorageMb = freeStorageMb;
    this.#clock = clock;
  }

  override current() {
    const readAt = this.#clock.now();
    const readAtMonotonic = this.#clock.monotonic();
    return super
      .current()
      .map((row) =>
        row.definition.name === 'Free storage'
          ? { ...row, value: this.#freeStorageMb(), readAt, readAtMonotonic }
          : row,
      );
  }
}

/** Real polling, energy, settings and alerts of a device in memory, which polls once with each step of its clock. */
export class SteppedDevice {
  readonly settings: HardwareSettings;
  readonly writes: WriteLog;
  readonly alerts: AlertStore;
  readonly snapshots = new SnapshotPublisher();
  readonly #options: SteppedDeviceOptions;
  readonly #db = openTemporaryDatabase();
  readonly #collector: Collector;
  readonly #watch: AlertWatch;
  readonly #followUp: WriteFollowUp;
  #resume: () => void = () => undefined;
  #paused = Promise.withResolvers<void>();

  /** @param onAlert called with each change of an alert */
  constructor(options: SteppedDeviceOptions, onAlert: (alert: StoredAlert) => void) {
    this.#options = options;
    const { open, clock, intervalMs, timeZone, passed, deadlineMs } = options;
    const logger = silentLogger;
    const shared = { clock, intervalMs, logger };
    const store = new KeyValueStore(this.#db);
    const poller = new ConnectionPoller({
      ...shared,
      url: 'hardware',
      traffic: new TrafficCounter(),
      open,
      backoff: new Backoff({ minMs: 0, maxMs: 0 }),
      pause: () => this.#pause(),
    });
    const energyStore = new EnergyStore(this.#db);
    const energy = new EnergyMeter({ ...shared, store: energyStore, zone: timeZone, period: 'daily' });
    const energyHistory = new EnergyHistory({
      store: energyStore.hours,
      recent: () => energy.recentHours,
      zone: timeZone,
      clock,
    });
    this.#collector = new Collector({
      ...shared,
      pollers: [poller],
      units: new KnownUnits(store, [poller]),
      sameHardware: new SameHardware(logger),
      unknownTotals: new UnknownTotals(logger, clock),
      energy,
      system: new StatedSystem(options),
      publisher: this.snapshots,
    });
    this.alerts = new AlertStore(this.#db);
    this.#watch = new AlertWatch({
      rules: new AlertRules({ store, configured: [] }),
      alerts: this.alerts,
      store,
      snapshots: this.snapshots,
      hours: (fromMs, toMs) => energyHistory.hours(fromMs, toMs),
      storeLoss: () => null,
      clockBehind: () => momentsAhead(clock.now(), passed).length > 0,
      clock,
      logger,
    });
    this.writes = new WriteLog(this.#db);
    const writes = {
      snapshots: this.snapshots,
      log: this.writes,
      clock,
      logger,
      onOutcome: (topic: string, outcome: WriteOutcome, value: string) =>
        this.#watch.wrote(topic, outcome, value),
    };
    const onAbandoned = (topic: string): void => this.#watch.forgetWrite(topic);
    this.#followUp = new WriteFollowUp({ ...writes, onAbandoned });
    this.settings = new HardwareSettings({
      ...writes,
      followUp: this.#followUp,
      hardware: this.#collector,
      writesPerDay: () => 100,
      ...(deadlineMs !== undefined && { deadlineMs }),
    });
    this.#watch.subscribe(onAlert);
  }

  /** Resolves after the first poll. */
  async start(): Promise<void> {
    this.#followUp.start();
    this.#watch.start();
    this.#collector.start();
    await this.#paused.promise;
  }

  /** Moves the clock by the interval, and polls. */
  async step(): Promise<void> {
    this.#paused = Promise.withResolvers();
    this.#options.clock.advance(this.#options.intervalMs);
    this.#resume();
    await this.#paused.promise;
  }

  async stop(): Promise<void> {
    this.#watch.stop();
    this.#followUp.stop();
    const stopped = this.#collector.stop();
    this.#resume();
    await stopped;
    this.#db.close();
  }

  #pause(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#resume = () => resolve(true);
    this.#paused.resolve();
    return promise;
  }
}
