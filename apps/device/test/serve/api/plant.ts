import { testMoment, Unprocessable } from '@heliograph/kit';
import { defineMetric, type MetricDefinition, type MetricValue, quantities } from '@heliograph/metrics';
import { type Sample, SnapshotPublisher } from '../../../src/poll/snapshot.ts';
import type { SettingWriter } from '../../../src/settings/setting-writer.ts';
import type { Author } from '../../../src/storage/write-log.ts';

const inverter = (quantity: Parameters<typeof defineMetric>[2]) => defineMetric('inverters', 0, quantity);

/** A small house: what a read lists, in this order. */
export const HOUSE: readonly MetricDefinition[] = [
  defineMetric('totals', null, quantities.power('PV power')),
  defineMetric('totals', null, quantities.power('Load power')),
  inverter(quantities.power('PV power')),
  inverter(quantities.state('Device mode')),
  inverter(quantities.numberSetting('Max charge current', 'A', { min: 0, max: 100, step: 1 })),
  inverter(quantities.selectSetting('Work mode', ['Selling first', 'Zero export'])),
  inverter({ name: 'Combine PV/AC supply', group: 'Settings', unit: 'Enabled' }),
  inverter({ name: 'Raw status word', group: 'Ignore', unit: '' }),
  defineMetric('batteries', 0, quantities.voltage('Voltage')),
  defineMetric('system', null, quantities.info('Site ID')),
  defineMetric('system', null, { ...quantities.temperature('CPU temperature'), decimals: 0 }),
];

/** When the first values were read. */
export const READ_AT = testMoment('2026-06-01T12:00:00Z');

/** Publishes snapshots as the poller does; each call changes the named values and keeps the others. */
export class Plant {
  readonly snapshots = new SnapshotPublisher();
  readonly #definitions: readonly MetricDefinition[];
  readonly #values = new Map<string, MetricValue>();
  #readAt = READ_AT;

  constructor(definitions: readonly MetricDefinition[] = HOUSE) {
    this.#definitions = definitions;
  }

  publish(changes: Readonly<Record<string, MetricValue>> = {}): void {
    for (const [topic, value] of Object.entries(changes)) this.#values.set(topic, value);
    const sequence = this.snapshots.current.sequence + 1;
    const samples = new Map<string, Sample>();
    for (const definition of this.#definitions) {
      const value = this.#values.get(definition.topic);
      if (value === undefined) continue;
      samples.set(definition.topic, { definition, value, readAt: this.#readAt, stale: false });
    }
    this.snapshots.publish({ sequence, takenAt: this.#readAt, samples });
    this.#readAt += 2_000;
  }
}

/** The values that {@link housePlant} starts with. */
export const HOUSE_VALUES: Readonly<Record<string, MetricValue>> = {
  'total/pv_power': 1240,
  'total/load_power': 800,
  'inverter_1/pv_power': 1240,
  'inverter_1/device_mode': 'Line mode',
  'inverter_1/max_charge_current': 25,
  'inverter_1/work_mode': 'Zero export',
  'inverter_1/combine_pv/ac_supply': true,
  'inverter_1/raw_status_word': '0x0042',
  'battery_1/voltage': null,
  'system/site_id': 7,
  'system/cpu_temperature': 48,
};

export function housePlant(): Plant {
  const plant = new Plant();
  plant.publish(HOUSE_VALUES);
  return plant;
}

/** Stands in for the hardware behind the writer; takes what the house's one number setting allows. */
export class RecordingWriter implements SettingWriter {
  readonly writes: { topic: string; value: string; author: Pick<Author, 'name' | 'via'> }[] = [];
  readonly #plant: Plant;
  /** Set to make every write fail with it. */
  failure: Error | undefined;

  constructor(plant: Plant) {
    this.#plant = plant;
  }

  async set(topic: string, value: string, author: Author): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    if (topic !== 'inverter_1/max_charge_current') throw new Unprocessable(`${topic} cannot be written`);
    if (!(Number(value) >= 0 && Number(value) <= 100)) {
      throw new Unprocessable(`${topic} must be from 0 to 100 A`);
    }
    this.writes.push({ topic, value, author: { name: author.name, via: author.via } });
    this.#plant.publish({ [topic]: Number(value) });
  }
}
