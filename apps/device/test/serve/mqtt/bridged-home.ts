import { type Logger, silentLogger } from '@heliograph/kit';
import { type MetricValue, type Quantity, quantities } from '@heliograph/metrics';
import { expect } from 'vitest';
import { AlertStore, type StoredAlert } from '../../../src/alerts/alert-store.ts';
import type { AlertListener } from '../../../src/alerts/alert-watch.ts';
import type { MqttConfig } from '../../../src/config/mqtt-config.ts';
import type { AlertSensor } from '../../../src/serve/mqtt/alert-sensors.ts';
import type { MqttStatus } from '../../../src/serve/mqtt/mqtt-bridge.ts';
import { type Mqtt, type MqttOptions, startMqtt } from '../../../src/serve/mqtt/start-mqtt.ts';
import { HardwareSettings } from '../../../src/settings/hardware-settings.ts';
import { WriteFollowUp } from '../../../src/settings/write-follow-up.ts';
import { FakeHardware } from '../../poll/fake-hardware.ts';
import { FakeHome } from '../../poll/fake-home.ts';
import { until } from './watcher.ts';

const UID = 'abcdefghij0123456789';

const GRID_CHARGE: Quantity = {
  name: 'Grid charge',
  group: 'Settings',
  unit: 'Enabled',
  setting: { kind: 'switch', on: 'Enabled', off: 'Disabled' },
};

/** A hybrid inverter and a battery, and what they report at first. */
const INVERTER: { quantities: readonly Quantity[]; values: Record<string, MetricValue> } = {
  quantities: [
    quantities.power('PV power'),
    quantities.voltage('PV voltage'),
    quantities.state('Device mode'),
    quantities.numberSetting('Max charge current', 'A', { min: 0, max: 100, step: 1 }),
    quantities.selectSetting('Work mode', ['Selling first', 'Zero export to load']),
    GRID_CHARGE,
    { name: 'Combine PV/AC supply', group: 'Settings', unit: 'Enabled' },
    { name: 'Status raw', group: 'Ignore', unit: '' },
  ],
  values: {
    'PV power': 1240,
    'PV voltage': 312,
    'Device mode': 'Solar/Battery',
    'Max charge current': 25,
    'Work mode': 'Selling first',
    'Grid charge': 'Disabled',
    'Combine PV/AC supply': true,
    'Status raw': '0x42',
  },
};

const CONFIG: Omit<MqttConfig, 'url'> = {
  allowWrites: true,
  homeAssistant: true,
  topicPrefix: 'solar_assistant',
  discoveryPrefix: 'homeassistant',
};

const TIMES = {
  changesMs: 5,
  statesMs: 15_000,
  everythingMs: 300_000,
  retryMinMs: 5,
  retryMaxMs: 20,
  formerRetryMaxMs: 20,
  stableMs: 1_000,
  quietMs: 50,
  readBackMs: 60_000,
};

export interface BridgedHomeOptions extends Omit<Partial<MqttConfig>, 'url'> {
  /** Undefined without a broker. */
  readonly url: string | undefined;
  readonly uid?: string;
  readonly logger?: Logger;
  readonly alerts?: () => readonly AlertSensor[];
  /** How long a broker is silent once it has sent all that it holds, in milliseconds. */
  readonly quietMs?: number;
  /** A connection that lasted this long is a good one, in milliseconds. */
  readonly stableMs?: number;
  /** After this time reading back is given up, in milliseconds. */
  readonly readBackMs?: number;
  /** After this time a subscription is not waited for, in milliseconds. */
  readonly answerMs?: number;
  /** The data folder of a home that was there before. */
  readonly folder?: string;
}

/** A home with fake hardware and the real writer, bridged to a broker. */
export class BridgedHome {
  readonly hardware = new FakeHardware({
    kind: 'inverters',
    model: 'Axpert Max',
    quantities: INVERTER.quantities,
    values: { ...INVERTER.values },
  });
  readonly battery = new FakeHardware({
    kind: 'batteries',
    model: null,
    quantities: [
      quantities.stateOfCharge('State of charge'),
      quantities.cellVoltage('Cell voltage - Highest'),
    ],
    values: { 'State of charge': 96, 'Cell voltage - Highest': 3.33 },
  });
  readonly home: FakeHome;
  /** Why writing over the broker is suspended. */
  suspension: string | undefined;
  readonly alerts: AlertStore;
  readonly #listeners = new Set<AlertListener>();
  readonly #options: MqttOptions;
  #mqtt: Mqtt | undefined;

  constructor(options: BridgedHomeOptions) {
    const {
      logger = silentLogger,
      folder,
      alerts = () => [],
      uid = UID,
      url,
      quietMs,
      stableMs,
      readBackMs,
      answerMs,
      ...config
    } = options;
    this.home = new FakeHome([async () => this.hardware, async () => this.battery], folder);
    const { snapshots, collector, clock, log, store } = this.home;
    this.alerts = new AlertStore(this.home.db);
    this.#options = {
      config: url === undefined ? undefined : { ...CONFIG, ...config, url },
      uid,
      units: () => [
        { kind: 'inverters', number: 0, model: 'Axpert Max' },
        { kind: 'batteries', number: 0, model: null },
      ],
      alerts,
      alertChanges: {
        alerts: this.alerts,
        watch: {
          subscribe: (listener) => {
            this.#listeners.add(listener);
            return () => this.#listeners.delete(listener);
          },
        },
      },
      snapshots,
      settings: new HardwareSettings({
        snapshots,
        hardware: collector,
        log,
        followUp: new WriteFollowUp({ snapshots, log, clock, logger: silentLogger }),
        clock,
        logger: silentLogger,
        writesPerDay: () => 100,
      }),
      delegation: { author: () => undefined, suspended: () => this.suspension },
      store,
      clock,
      logger,
      times: {
        ...TIMES,
        quietMs: quietMs ?? TIMES.quietMs,
        stableMs: stableMs ?? TIMES.stableMs,
        readBackMs: readBackMs ?? TIMES.readBackMs,
        answerMs,
      },
    };
  }

  /** Reports a change of an alert, as the watch does. */
  report(alert: StoredAlert): void {
    for (const listener of this.#listeners) listener(alert);
  }

  /** Starts the polling, and once everything was read the bridge. */
  async start(): Promise<this> {
    this.home.start();
    await until(() => {
      expect(this.home.value('battery_1/state_of_charge')).toBe(96);
      expect(this.home.value('inverter_1/pv_power')).toBe(1240);
    });
    return this.bridge();
  }

  /** Starts the polling and the bridge, whatever was read. */
  startUnread(): this {
    this.home.start();
    return this.bridge();
  }

  bridge(): this {
    this.#mqtt = startMqtt(this.#options);
    return this;
  }

  get status(): MqttStatus | undefined {
    return this.#mqtt?.bridge?.status;
  }

  async stopBridge(): Promise<void> {
    await this.#mqtt?.stop();
    this.#mqtt = undefined;
  }

  /** @param keep leaves the data folder for a home after this one */
  async stop({ keep = false } = {}): Promise<void> {
    await this.stopBridge();
    await this.home.stop({ keep });
  }
}
