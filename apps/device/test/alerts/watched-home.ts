import type { Alert, AlertRuleEntry } from '@heliograph/contracts';
import { createLogger, ManualClock } from '@heliograph/kit';
import { defineMetric, type MetricDefinition, type MetricValue, quantities } from '@heliograph/metrics';
import { AlertStore } from '../../src/alerts/alert-store.ts';
import { AlertWatch, type AlertWatchOptions } from '../../src/alerts/alert-watch.ts';
import { presentAlert } from '../../src/alerts/present-alert.ts';
import type { HoursBetween } from '../../src/alerts/usual-production.ts';
import { AlertRules } from '../../src/config/alert-rules/alert-rules.ts';
import { type Sample, SnapshotPublisher } from '../../src/poll/snapshot.ts';
import { openTemporaryDatabase } from '../../src/storage/database.ts';
import { KeyValueStore } from '../../src/storage/key-value.ts';

export const NOON = Date.parse('2026-06-21T10:00:00Z');
export const MINUTE_MS = 60_000;
const POLL_MS = 2_000;

const battery = (quantity: Parameters<typeof defineMetric>[2]) => defineMetric('batteries', 0, quantity);
const inverter = (quantity: Parameters<typeof defineMetric>[2]) => defineMetric('inverters', 0, quantity);

const DEFINITIONS: readonly MetricDefinition[] = [
  defineMetric('totals', null, quantities.power('PV power')),
  battery(quantities.stateOfCharge('State of charge')),
  battery(quantities.temperature('Temperature')),
  battery(quantities.state('Alarms')),
  inverter(quantities.power('PV power')),
  inverter(quantities.power('Load power')),
  inverter(quantities.voltage('Grid voltage')),
  inverter(quantities.voltage('PV voltage')),
  inverter(quantities.state('Device mode')),
  inverter(quantities.state('Fault')),
  inverter(quantities.stateOfCharge('Battery state of charge')),
  battery({ ...quantities.percentage('Link quality'), group: 'Info' }),
  inverter(quantities.numberSetting('Max charge current', 'A', { min: 0, max: 100, step: 1 })),
  inverter({ ...quantities.percentage('Link quality'), group: 'Info' }),
  inverter({ name: 'Link withheld values', group: 'Info', unit: '', decimals: 0 }),
];

const WELL: Readonly<Record<string, MetricValue>> = {
  'total/pv_power': 2000,
  'battery_1/state_of_charge': 80,
  'battery_1/temperature': 25,
  'battery_1/alarms': 'None',
  'inverter_1/pv_power': 2000,
  'inverter_1/load_power': 500,
  'inverter_1/grid_voltage': 230,
  'inverter_1/pv_voltage': 380,
  'inverter_1/device_mode': 'Normal',
  'inverter_1/fault': 'OK',
  'inverter_1/max_charge_current': 50,
  'inverter_1/link_quality': 100,
  'inverter_1/link_withheld_values': 0,
};

interface HomeOptions {
  readonly configured?: readonly AlertRuleEntry[];
  readonly hours?: HoursBetween;
  readonly clockBehind?: () => boolean;
  readonly storeLoss?: AlertWatchOptions['storeLoss'];
  /** Other values than those of a home that is well, from the first poll on. */
  readonly values?: Readonly<Record<string, MetricValue>>;
  /** By unit. */
  readonly connections?: ReadonlyMap<string, string>;
}

/** Rules over a home whose values a test sets, and which is polled every two seconds. */
export class WatchedHome {
  readonly clock = new ManualClock(NOON);
  readonly db = openTemporaryDatabase();
  readonly store = new KeyValueStore(this.db);
  readonly alerts = new AlertStore(this.db);
  readonly snapshots = new SnapshotPublisher();
  readonly rules: AlertRules;
  readonly reported: Alert[] = [];
  /** The messages of the log. */
  readonly log: string[] = [];
  watch: AlertWatch;
  readonly #options: HomeOptions;
  #values: Record<string, MetricValue>;
  #stale = new Set<string>();

  constructor(options: HomeOptions = {}) {
    this.#options = options;
    this.#values = { ...WELL, ...options.values };
    this.rules = new AlertRules({ store: this.store, configured: options.configured ?? [] });
    this.watch = this.#start();
    this.poll();
  }

  #start(): AlertWatch {
    const { hours = () => new Map(), clockBehind = () => false, storeLoss = () => null } = this.#options;
    const { clock, store, alerts, rules, snapshots } = this;
    const watch = new AlertWatch({
      rules,
      alerts,
      store,
      snapshots,
      hours,
      storeLoss,
      clockBehind,
      clock,
      logger: createLogger('device', 'info', { write: (line) => this.log.push(JSON.parse(line).msg) }),
    });
    watch.subscribe((alert) => this.reported.push(presentAlert(alert)));
    watch.start();
    return watch;
  }

  /** As after a power cut: what was in memory is gone. */
  restart(): void {
    this.watch.stop();
    this.watch = this.#start();
  }

  close(): void {
    this.watch.stop();
    if (this.db.isOpen) this.db.close();
  }

  set(values: Readonly<Record<string, MetricValue>>, stale: readonly string[] = []): void {
    this.#values = { ...this.#values, ...values };
    this.#stale = new Set(stale);
    this.poll();
  }

  poll(): void {
    const samples = new Map<string, Sample>();
    for (const definition of DEFINITIONS) {
      const { topic } = definition;
      const value = this.#values[topic];
      if (value === undefined) continue;
      const isStale =
        [...this.#stale].some((prefix) => topic.startsWith(prefix)) && definition.group !== 'Info';
      samples.set(topic, {
        definition,
        value: isStale ? null : value,
        readAt: this.clock.now(),
        stale: isStale,
      });
    }
    this.snapshots.publish({
      sequence: this.snapshots.current.sequence + 1,
      takenAt: this.clock.now(),
      samples,
      ...(this.#options.connections === undefined ? {} : { connections: this.#options.connections }),
    });
  }

  /** Polls for so many minutes. */
  pass(minutes: number, everyMs = POLL_MS): void {
    for (let passedMs = 0; passedMs < minutes * MINUTE_MS; passedMs += everyMs) {
      this.clock.advance(everyMs);
      this.poll();
    }
  }

  /** Drops a topic, as when hardware is taken out of the configuration. */
  remove(prefix: string): void {
    this.#values = Object.fromEntries(
      Object.entries(this.#values).filter(([topic]) => !topic.startsWith(prefix)),
    );
  }

  get open(): readonly string[] {
    return this.alerts.open().map((alert) => presentAlert(alert).text);
  }

  get states(): readonly string[] {
    return this.reported.map(({ rule, state }) => `${rule} ${state}`);
  }
}
