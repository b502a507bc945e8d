import { defineMetric, type MetricDefinition, type MetricValue, quantities } from '@heliograph/metrics';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  MODE,
  PV_ENERGY,
  RecordedHome,
} from '../../../../test/history/recorded-home.ts';
import { caller } from '../../../../test/serve/mcp/valid-output.ts';
import type { Totals } from '../../../energy/energy-meter.ts';
import type { EnergyPeriod } from '../../../energy/period.ts';
import { SnapshotPublisher } from '../../../poll/snapshot.ts';
import { statusTool } from './status-tool.ts';

const NOW = '2026-06-24T12:30:00Z';
const READ_AT = Date.parse('2026-06-24T12:29:58Z');
const { power, stateOfCharge, voltage, temperature, state, info, periodEnergy, percentage } = quantities;
const total = (quantity: Parameters<typeof defineMetric>[2]) => defineMetric('totals', null, quantity);
const inverter = (quantity: Parameters<typeof defineMetric>[2]) => defineMetric('inverters', 0, quantity);
const battery = (quantity: Parameters<typeof defineMetric>[2]) => defineMetric('batteries', 0, quantity);

const DEFINITIONS: readonly MetricDefinition[] = [
  ...['PV power', 'Load power', 'Grid power', 'Battery power'].map((name) => total(power(name))),
  total(stateOfCharge('Battery state of charge')),
  total(temperature('Battery temperature')),
  total(periodEnergy('PV energy')),
  inverter(info('Model name')),
  inverter(state('Device mode')),
  inverter(power('PV power')),
  inverter(state('Fault')),
  inverter({ ...percentage('Link quality'), group: 'Info' }),
  battery(stateOfCharge('State of charge')),
  battery(voltage('Voltage')),
  battery(state('Alarms')),
  defineMetric('meters', 0, power('Power')),
  defineMetric('chargers', 0, power('PV power')),
  defineMetric('chargers', 0, power('Charge power')),
  defineMetric('generators', 0, power('Power')),
  defineMetric('system', null, info('Site ID')),
  defineMetric('system', null, state('History')),
];
const byTopic = new Map(DEFINITIONS.map((definition) => [definition.topic, definition]));

const empty = new RecordedHome(NOW);
afterAll(() => empty[Symbol.dispose]());

/** Asks a device whose last poll brought these values; those in `stale` are too old. */
const statusOf = (values: Readonly<Record<string, MetricValue>>, stale: readonly string[] = []) => {
  const snapshots = new SnapshotPublisher();
  const samples = Object.entries(values).flatMap(([topic, value]) => {
    const definition = byTopic.get(topic);
    const isStale = stale.includes(topic);
    return definition === undefined
      ? []
      : [[topic, { definition, value: isStale ? null : value, readAt: READ_AT, stale: isStale }] as const];
  });
  snapshots.publish({ sequence: 1, takenAt: READ_AT, samples: new Map(samples) });
  const calendar = { timeZone: 'Europe/Berlin', energyPeriod: 'daily' as const };
  const { history, clock } = empty;
  const energyToday = () => new Map();
  const startedAtMonotonicMs = clock.monotonic() - 90_000;
  return caller(statusTool({ snapshots, history, clock, calendar, energyToday, startedAtMonotonicMs }))({});
};

const WELL: Readonly<Record<string, MetricValue>> = {
  'total/pv_power': 3200,
  'total/load_power': 700,
  'total/grid_power': -1500,
  'total/battery_power': 1000,
  'total/battery_state_of_charge': 64,
  'total/battery_temperature': 21.5,
  'total/pv_energy': 12.34,
  'inverter_1/model_name': 'Sun 5K',
  'inverter_1/device_mode': 'Normal',
  'inverter_1/pv_power': 3200,
  'inverter_1/fault': 'OK',
  'inverter_1/link_quality': 100,
  'battery_1/state_of_charge': 64,
  'battery_1/voltage': 52.1,
  'battery_1/alarms': 'None',
  'system/site_id': 7,
  'system/history': 'Recording',
};

describe('get_status of a site without problems', () => {
  it('the whole site is in one answer', async () => {
    const counted = { pv_kwh: 12.34, load_kwh: null, battery_in_kwh: null, battery_out_kwh: null };
    const energy = { since: '2026-06-24T00:00:00+02:00', ...counted, grid_in_kwh: null, grid_out_kwh: null };
    expect(await statusOf(WELL)).toEqual({
      site_id: 7,
      time: '2026-06-24T14:30:00+02:00',
      time_zone: 'Europe/Berlin',
      running_since: '2026-06-24T14:28:30+02:00',
      read_at: '2026-06-24T14:29:58+02:00',
      flows: {
        pv_w: 3200,
        load_w: 700,
        grid_w: -1500,
        grid: 'exporting',
        battery_w: 1000,
        generator_w: null,
      },
      battery: {
        state_of_charge_percent: 64,
        state: 'charging',
        power_w: 1000,
        voltage_v: null,
        temperature_c: 21.5,
      },
      energy: { today: energy, period: { name: 'daily', ...energy } },
      inverters: [
        {
          device: 'inverter_1',
          model: 'Sun 5K',
          temperature_c: null,
          read_at: '2026-06-24T14:29:58+02:00',
          stale: false,
          mode: 'Normal',
          pv_w: 3200,
          load_w: null,
          grid_w: null,
          battery_w: null,
        },
      ],
      batteries: [
        {
          device: 'battery_1',
          model: null,
          temperature_c: null,
          read_at: '2026-06-24T14:29:58+02:00',
          stale: false,
          state_of_charge_percent: 64,
          power_w: null,
          voltage_v: 52.1,
        },
      ],
      others: [],
      units_left_out: 0,
      problems: [],
    });
  });

  it('meters, chargers and generators are listed with their powers, and their problems', async () => {
    const status = await statusOf(
      {
        ...WELL,
        'meter_1/power': -412,
        'charger_1/pv_power': 820,
        'charger_1/charge_power': 800,
        'generator_1/power': null,
      },
      ['generator_1/power'],
    );
    expect(status).toMatchObject({
      others: [
        { device: 'meter_1', power_w: -412, stale: false },
        { device: 'charger_1', power_w: 800, stale: false },
        { device: 'generator_1', power_w: null, stale: true },
      ],
      problems: [{ device: 'generator_1', kind: 'stale' }],
    });
  });

  it('a site without a battery has null, not 0', async () => {
    const without = Object.fromEntries(Object.entries(WELL).filter(([topic]) => !topic.includes('battery')));
    const { battery: none, batteries, flows } = await statusOf(without);
    expect([none, batteries, flows.battery_w]).toEqual([null, [], null]);
  });
});

describe('problems of get_status', () => {
  it.each<[string, Readonly<Record<string, MetricValue>>, object]>([
    ['a fault', { 'inverter_1/fault': 'F64 Heat sink temperature' }, { kind: 'fault', device: 'inverter_1' }],
    ['an alarm', { 'battery_1/alarms': 'Cell under voltage' }, { kind: 'fault', device: 'battery_1' }],
    [
      'a mode that is a fault',
      { 'inverter_1/device_mode': 'Fault' },
      { kind: 'fault', device: 'inverter_1' },
    ],
    [
      'a sick link',
      { 'inverter_1/link_quality': 60 },
      { kind: 'link', text: expect.stringContaining('60 %') },
    ],
    ['a full disk', { 'system/history': 'Stopped: the file is full' }, { kind: 'history', since: null }],
  ])('a problem is reported of %s', async (_what, values, problem) => {
    const { problems } = await statusOf({ ...WELL, ...values });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject(problem);
  });

  it('hardware that does not answer is one problem with its start, and its values are unknown', async () => {
    const silent = Object.keys(WELL).filter(
      (topic) => /^(?:inverter|battery_1)/.test(topic) && !topic.endsWith('quality'),
    );
    const { inverters, problems } = await statusOf({ ...WELL, 'inverter_1/link_quality': 0 }, silent);
    expect(inverters[0]).toMatchObject({ stale: true, pv_w: null, mode: null });
    expect(problems).toEqual([
      {
        device: 'inverter_1',
        kind: 'stale',
        since: '2026-06-24T14:29:58+02:00',
        text: 'inverter_1 does not answer: 4 of 5 values are too old to be true and shown as unknown.',
        topics: [
          'inverter_1/model_name',
          'inverter_1/device_mode',
          'inverter_1/pv_power',
          'inverter_1/fault',
        ],
      },
      expect.objectContaining({ device: 'battery_1', kind: 'stale' }),
    ]);
  });

  it('a device without hardware is a problem', async () => {
    expect((await statusOf({ 'system/site_id': null })).problems).toMatchObject([{ kind: 'missing' }]);
  });

  it('a fault has its start where the history has it', async () => {
    using home = new RecordedHome('2026-06-24T10:00:00Z', { pollIntervalMs: 10 * MINUTE_MS });
    home.polls(HOUR_MS, () => ({ [MODE]: 'Line' })).polls(HOUR_MS, () => ({ [MODE]: 'Fault' }));
    expect((await statusBy(home, 'daily')).problems).toMatchObject([{ since: '2026-06-24T13:00:00+02:00' }]);
  });
});

const statusBy = (
  { publisher: snapshots, history, clock }: RecordedHome,
  energyPeriod: EnergyPeriod,
  today: Totals = new Map(),
) => {
  const calendar = { timeZone: 'Europe/Berlin', energyPeriod };
  const energyToday = () => today;
  const startedAtMonotonicMs = clock.monotonic() - 90_000;
  return caller(statusTool({ snapshots, history, clock, calendar, energyToday, startedAtMonotonicMs }))({});
};

it('energy today is that of the current day, while the counters are those of a week', async () => {
  using home = new RecordedHome('2026-06-22T22:00:00Z', { pollIntervalMs: HOUR_MS });
  home.polls(DAY_MS + 6 * HOUR_MS, () => ({ [PV_ENERGY]: 18 }));
  const today = new Map([
    ['PV energy', 3.000_000_1],
    ['Load energy', null],
  ]);
  const { energy } = await statusBy(home, 'weekly', today);
  expect(energy.today).toMatchObject({ since: '2026-06-24T00:00:00+02:00', pv_kwh: 3, load_kwh: null });
  expect(energy.period).toMatchObject({ name: 'weekly', since: '2026-06-23T00:00:00+02:00', pv_kwh: 18 });
});

it.each(['daily', 'weekly'] as const)(
  'a device that is new today counts since its first reading, %s',
  async (name) => {
    using home = new RecordedHome('2026-06-24T10:00:00Z', { pollIntervalMs: HOUR_MS });
    home.polls(2 * HOUR_MS, () => ({ [PV_ENERGY]: 1 }));
    const since = '2026-06-24T12:00:00+02:00';
    expect((await statusBy(home, name)).energy).toMatchObject({ today: { since }, period: { since } });
  },
);

it('current values are answered while the history cannot be read', async () => {
  const broken = () => {
    throw new Error('disk I/O error');
  };
  using home = new RecordedHome(NOW, { open: broken });
  home.poll({ [PV_ENERGY]: 5 });
  const { energy, problems } = await statusBy(home, 'weekly');
  expect([energy.today.pv_kwh, energy.period.pv_kwh]).toEqual([null, 5]);
  expect(problems).toContainEqual(expect.objectContaining({ kind: 'history' }));
});

it('the answer fits its schema, whatever the hardware reports', async () => {
  const value = fc.oneof(
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string(),
    fc.boolean(),
  );
  const values = fc.dictionary(fc.constantFrom(...byTopic.keys()), value);
  const stale = fc.subarray([...byTopic.keys()]);
  await fc.assert(
    fc.asyncProperty(values, stale, async (read, old) => {
      const { flows, battery: bank } = await statusOf({ ...read, 'system/site_id': 7 }, old);
      if (flows.grid_w !== null && flows.grid_w >= 10) expect(flows.grid).toBe('importing');
      if (bank !== null && bank.power_w === null) expect(bank.state).toBeNull();
    }),
    { numRuns: 100 },
  );
});
