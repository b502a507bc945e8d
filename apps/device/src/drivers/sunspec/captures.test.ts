import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildChain,
  mergeRecordings,
  type Recording,
  readRecording,
  recordedBank,
  startRegisterServer,
} from '@heliograph/dev/modbus';
import { defineMetric, type MetricValue, roundTo } from '@heliograph/metrics';
import { afterEach, describe, expect, it } from 'vitest';
import { modbusTcpBus } from '../../../test/bus/modbus-tcp-bus.ts';
import type { ModbusBus } from '../../bus/modbus/modbus-bus.ts';
import type { Hardware } from '../driver.ts';
import { walkChain } from './chain.ts';
import { sunspec } from './family.ts';
import { decodeModel, type ModelValues, type Values } from './model-registers.ts';
import { modelById } from './models/index.ts';

interface Capture {
  readonly model?: number;
  readonly expected: Readonly<Record<string, MetricValue | Values>>;
  readonly expected_topics?: Readonly<Record<string, MetricValue>>;
}

const fileOf = (id: string): string => join(import.meta.dirname, 'captures', `sunspec_${id}.json`);
const capture = (id: string): Capture => JSON.parse(readFileSync(fileOf(id), 'utf8')) as Capture;

/** The address of each recording's model header, and the first register when the file does not hold it. */
const PLACES = {
  der701_wire: { header: 40_070 },
  der702_wire: { header: 40_225 },
  fronius_gen24_mppt3: { header: 40_263 },
  solaredge_inverter_103: { header: 40_069 },
  solaredge_meter_203: { header: 40_188 },
  solaredge_meter_common: { header: 40_121, first: 40_123 },
  solaredge_meter_import: { header: 40_188 },
} as const;
type Recorded = keyof typeof PLACES;

const record = (id: Recorded): Recording => {
  const place = PLACES[id];
  return readRecording(fileOf(id), 'first' in place ? place.first : undefined);
};

/** The recorded registers of one model, as they stand behind its header; what was not recorded reads 0. */
function decodeRecorded(id: Recorded, modelId: number): ModelValues {
  const { registers } = record(id);
  const { header } = PLACES[id];
  const last = Math.max(...registers.keys());
  const all = Array.from({ length: last - header + 1 }, (_, index) => registers.get(header + index) ?? 0);
  return decodeModel(modelById(modelId), all);
}

describe('decode of bytes from real SunSpec devices', () => {
  it.each(Object.keys(PLACES) as Recorded[])('%s', (id) => {
    const { model = 0, expected } = capture(id);
    const { points, groups } = decodeRecorded(id, model);
    for (const [name, value] of Object.entries(expected)) {
      if (name === 'ID' || name === 'L') continue;
      const group = /^module_(\d+)$/.exec(name)?.[1];
      if (group === undefined) expect(points, name).toHaveProperty(name, value);
      else expect(groups[Number(group) - 1]).toEqual(value);
    }
  });
});

describe('real SunSpec devices replayed over Modbus TCP', () => {
  const running: { stop(): Promise<void> }[] = [];

  afterEach(async () => {
    for (const one of running.splice(0).reverse()) await one.stop();
  });

  async function replay(recording: Recording): Promise<ModbusBus> {
    const server = await startRegisterServer({ host: '127.0.0.1', port: 0, ...recordedBank(recording) });
    const bus = modbusTcpBus(server);
    running.push(server, { stop: () => bus.close() });
    return bus;
  }

  const FRONIUS = { Mn: 'Fronius', Md: 'Symo GEN24 10.0 Plus', SN: '34119102' };
  const SOLAREDGE = { Mn: 'SolarEdge', Md: 'SE10K', SN: '7E123456' };

  it.each([
    {
      device: 'a SolarEdge inverter with its meter exporting 5 W',
      recordings: ['solaredge_inverter_103', 'solaredge_meter_common', 'solaredge_meter_203'] as const,
      chain: [
        { id: 1, values: SOLAREDGE, length: 65 },
        { id: 103 },
        { id: 1, values: SOLAREDGE, length: 65 },
        { id: 203 },
      ],
      more: {
        'inverter_1/load_power': 1113,
        'inverter_1/grid_voltage': 231.8,
        'inverter_1/grid_voltage_3': 233.1,
        'inverter_1/grid_power_2': -265,
        'inverter_1/device_mode': 'MPPT',
        'inverter_1/total_pv_energy': 32457.8,
        'inverter_1/total_grid_energy_in': 24109.9,
        'inverter_1/total_grid_energy_out': 16240.4,
        'inverter_1/model_name': 'SE10K',
      },
    },
    {
      device: 'a SolarEdge meter importing 91 W',
      recordings: ['solaredge_meter_common', 'solaredge_meter_import'] as const,
      chain: [
        { id: 1, values: SOLAREDGE, length: 65, at: 40_002 },
        { id: 1, values: SOLAREDGE, length: 65, at: 40_121 },
        { id: 203 },
      ],
      more: {},
    },
    {
      device: 'a Fronius GEN24 charging its battery',
      recordings: ['fronius_gen24_mppt3'] as const,
      chain: [
        { id: 1, values: FRONIUS },
        {
          id: 160,
          at: 40_263,
          values: { DCA_SF: -4, DCV_SF: -2, DCW_SF: -1, DCWH_SF: -2 },
          groups: [
            { ID: 1, IDStr: 'MPPT 1', DCW: 3100.4, DCV: 401.2 },
            { ID: 2, IDStr: 'MPPT 2', DCW: 1200.3, DCV: 388.1 },
            {},
            { ID: 4, IDStr: 'StDisCha 4', DCW: 0 },
          ],
        },
      ],
      more: {
        'inverter_1/pv_power': 4301,
        'inverter_1/pv_power_2': 1200,
        'inverter_1/pv_voltage_1': 401.2,
        'inverter_1/serial_number': '34119102',
      },
    },
    {
      device: 'an IEEE 1547 inverter',
      recordings: ['der701_wire', 'der702_wire'] as const,
      chain: [{ id: 1, values: { Mn: 'Test', Md: 'DER' } }, { id: 701 }, { id: 702 }],
      more: {
        'inverter_1/ac_output_power': 9800,
        'inverter_1/pv_power': 9800,
        'inverter_1/grid_frequency': 60.01,
        'inverter_1/grid_voltage': 240,
        'inverter_1/temperature': 55,
        'inverter_1/total_pv_energy': 150,
        'inverter_1/device_mode': 'Unknown (2)',
      },
    },
  ])('$device', async ({ recordings, chain, more }) => {
    const bus = await replay(mergeRecordings(buildChain(chain), ...recordings.map(record)));
    const topics = await readTopics(await sunspec.open(bus, { unit: 1, options: {} }));
    const recorded = Object.assign({}, ...recordings.map((id) => capture(id).expected_topics ?? {}));
    expect(topics).toMatchObject(rounded({ ...recorded, ...more }, topics));
  });

  it('a meter alone is a meter where its connection gives it a role, and an inverter otherwise', async () => {
    const merged = mergeRecordings(
      buildChain([
        { id: 1, values: SOLAREDGE, length: 65, at: 40_002 },
        { id: 1, values: SOLAREDGE, length: 65, at: 40_121 },
        { id: 203 },
      ]),
      record('solaredge_meter_common'),
      record('solaredge_meter_import'),
    );
    const bus = await replay(merged);
    const asInverter = await readTopics(await sunspec.open(bus, { unit: 1, options: {} }));
    const asMeter = await readTopics(await sunspec.open(bus, { unit: 1, options: {}, role: 'grid' }));
    expect(asMeter).toMatchObject({
      'meter_1/power': asInverter['inverter_1/grid_power'],
      'meter_1/power_l1': asInverter['inverter_1/grid_power_1'],
      'meter_1/voltage': asInverter['inverter_1/grid_voltage'],
      'meter_1/frequency': asInverter['inverter_1/grid_frequency'],
      'meter_1/import_energy': asInverter['inverter_1/total_grid_energy_in'],
    });
    expect(Object.keys(asMeter)).toHaveLength(Object.keys(asInverter).length);
  });

  it('an inverter stays one, whatever the role of its connection', async () => {
    const bus = await replay(
      mergeRecordings(
        buildChain([{ id: 1, values: SOLAREDGE, length: 65 }, { id: 103 }]),
        record('solaredge_inverter_103'),
      ),
    );
    const hardware = await sunspec.open(bus, { unit: 1, options: {}, role: 'grid' });
    expect(hardware.units).toMatchObject([{ kind: 'inverters' }]);
  });

  it('a KOSTAL meter with unit id 71 is walked as recorded', async () => {
    const id = 'kostal_ksem_discovery';
    const { expected } = capture(id);
    const bus = await replay(readRecording(fileOf(id)));

    const chain = await walkChain(bus, 71);
    expect(
      chain.map((header) => ({ id: header.id, length: header.length, header_at: header.address })),
    ).toEqual(expected.models);
    const common = await bus.read(71, 40_002, 67);
    expect(decodeModel(modelById(1), common).points).toMatchObject(Object(expected.common));

    const hardware = await sunspec.open(bus, { unit: 71, options: {} });
    expect(hardware.units[0]?.model).toBe('KOSTAL Smart Energy Meter');
    expect(await readTopics(hardware)).toEqual({
      'inverter_1/manufacturer': 'KOSTAL',
      'inverter_1/model_name': 'KOSTAL Smart Energy Meter',
      'inverter_1/serial_number': '74891362',
      'inverter_1/firmware_version': '2.4.1',
    });
  });
});

async function readTopics(hardware: Hardware): Promise<Record<string, MetricValue>> {
  const topics: Record<string, MetricValue> = {};
  for (const [index, reading] of (await hardware.poll()).entries()) {
    const unit = hardware.units[index];
    for (const quantity of unit?.quantities ?? []) {
      const value = reading.get(quantity.name);
      if (unit !== undefined && value !== undefined) {
        topics[defineMetric(unit.kind, 0, quantity).topic] = value;
      }
    }
  }
  return topics;
}

/** Captures hold what the registers say; readings are rounded to what each quantity promises. */
function rounded(
  expected: Readonly<Record<string, MetricValue>>,
  topics: Readonly<Record<string, MetricValue>>,
): Record<string, MetricValue> {
  return Object.fromEntries(
    Object.entries(expected).map(([topic, value]) => {
      const decimals = String(topics[topic]).split('.')[1]?.length ?? 0;
      return [topic, roundTo({ name: topic, group: 'Status', unit: '', decimals }, value)];
    }),
  );
}
