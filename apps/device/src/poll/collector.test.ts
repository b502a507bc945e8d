import { type Quantity, quantities } from '@heliograph/metrics';
import { afterEach, describe, expect, it } from 'vitest';
import { FakeHardware } from '../../test/poll/fake-hardware.ts';
import { FakeHome, INTERVAL_MS } from '../../test/poll/fake-home.ts';
import { LinkDown } from '../bus/failures.ts';

const { info, power, stateOfCharge, voltage, numberSetting } = quantities;

const LIMIT = numberSetting('Max charge current', 'A', { min: 0, max: 100, step: 1 });
const HYBRID: readonly Quantity[] = [
  ...['PV power', 'Load power', 'Grid power', 'Battery power'].map(power),
  LIMIT,
];

const hybrid = () =>
  new FakeHardware(
    {
      kind: 'inverters',
      model: 'Hybrid',
      quantities: HYBRID,
      values: {
        'PV power': 3000.4,
        'Load power': 999.6,
        'Grid power': -500.4,
        'Battery power': 1500.4,
        'Max charge current': 10,
      },
    },
    {
      kind: 'batteries',
      model: null,
      quantities: [stateOfCharge('State of charge'), voltage('Voltage')],
      values: { 'State of charge': 80, Voltage: 52.3456 },
    },
  );

const stringInverter = (pvW: number) =>
  new FakeHardware({
    kind: 'inverters',
    model: 'String',
    quantities: [power('PV power')],
    values: { 'PV power': pvW },
  });

const gridMeter = (watts: number) =>
  new FakeHardware({
    kind: 'meters',
    model: 'Meter',
    quantities: [power('Power')],
    values: { Power: watts },
  });

const unreachable = async (): Promise<never> => {
  throw new LinkDown('no route');
};

let home: FakeHome;
afterEach(() => home.stop());

const begin = (...connections: ConstructorParameters<typeof FakeHome>[0]): FakeHome => {
  home = new FakeHome(connections).start();
  return home;
};

const batteryAt = (charge: number, volts: number) => ({
  kind: 'batteries' as const,
  model: null,
  quantities: [stateOfCharge('State of charge'), voltage('Voltage'), power('Power')],
  values: { 'State of charge': charge, Voltage: volts, Power: 100 },
});

describe('Collector', () => {
  it('totals leave out a battery that is gone, from the poll on that shows it, and count it when it is back', async () => {
    const pack = new FakeHardware(batteryAt(87, 53.5), batteryAt(55, 52.1));
    begin(async () => pack);
    const totals = () =>
      ['state_of_charge', 'voltage', 'power'].map((name) => home.value(`total/battery_${name}`));
    await expect.poll(totals).toEqual([71, 52.8, 200]);
    const seen = new Set<string>();
    const unsubscribe = home.snapshots.subscribe(() => seen.add(JSON.stringify(totals())));
    pack.gone.add(1);
    await expect.poll(totals).toEqual([87, 53.5, 100]);
    expect(home.value('battery_2/voltage')).toBeNull();
    pack.gone.clear();
    await expect.poll(totals).toEqual([71, 52.8, 200]);
    pack.gone.add(0).add(1);
    await expect.poll(totals, { message: 'no battery is left' }).toEqual([null, null, null]);
    unsubscribe();
    expect([...seen].sort()).toEqual(['[71,52.8,200]', '[87,53.5,100]', '[null,null,null]']);
  });

  it('a snapshot lists totals, energy, inverters, batteries and the device, rounded and balanced', async () => {
    begin(async () => hybrid());
    await expect.poll(() => home.value('inverter_1/pv_power')).toBe(3000);
    const rows = [...home.snapshots.current.samples].map(([topic, { value }]) => [topic, value]);
    expect(rows).toEqual([
      ['total/pv_power', 3000],
      ['total/load_power', 1000],
      ['total/grid_power', -500],
      ['total/battery_power', 1500],
      ['total/battery_state_of_charge', 80],
      ['total/battery_voltage', 52.3],
      ['total/pv_energy', null],
      ['total/load_energy', null],
      ['total/battery_energy_in', null],
      ['total/battery_energy_out', null],
      ['total/grid_energy_in', null],
      ['total/grid_energy_out', null],
      ['inverter_1/pv_power', 3000],
      ['inverter_1/load_power', 1000],
      ['inverter_1/grid_power', -500],
      ['inverter_1/battery_power', 1500],
      ['inverter_1/max_charge_current', 10],
      ['inverter_1/link_quality', 100],
      ['inverter_1/link_unanswered_requests', 0],
      ['inverter_1/link_dropped_frames', 0],
      ['inverter_1/link_withheld_values', 0],
      ['battery_1/state_of_charge', 80],
      ['battery_1/voltage', 52.3],
      ['battery_1/link_quality', 100],
      ['battery_1/link_unanswered_requests', 0],
      ['battery_1/link_dropped_frames', 0],
      ['battery_1/link_withheld_values', 0],
      ['system/site_id', 7],
      ['system/software_version', '2026-07-15'],
      ['system/cpu_temperature', null],
      ['system/free_storage', null],
      ['system/history', 'Recording'],
    ]);
  });

  it('an inverter that is connected twice counts once, also while one of its connections is down', async () => {
    const twice = (pvW: number, serial: string) => {
      const names = [power('PV power'), info('Serial number')];
      const values = { 'PV power': pvW, 'Serial number': serial };
      return new FakeHardware({ kind: 'inverters', model: 'String', quantities: names, values });
    };
    const [first, again, other, placeholder] = [
      twice(1000, '2301606000'),
      twice(1000, '2301606000'),
      twice(300, '2301606001'),
      twice(20, '0000000000'),
    ];
    begin(
      async () => first,
      async () => again,
      async () => other,
      async () => placeholder,
      async () => twice(4, '0000000000'),
    );
    await expect.poll(() => home.value('total/pv_power')).toBe(1324);
    const topics = [...home.snapshots.current.samples.keys()];
    expect(topics.filter((topic) => topic.endsWith('/pv_power'))).toEqual([
      'total/pv_power',
      'inverter_1/pv_power',
      'inverter_3/pv_power',
      'inverter_4/pv_power',
      'inverter_5/pv_power',
    ]);
    first.failure = new LinkDown('unplugged');
    home.clock.advance(60_000);
    await expect.poll(() => home.value('inverter_1/pv_power')).toBeNull();
    expect(home.value('inverter_2/pv_power')).toBeUndefined();
  });

  it('a snapshot exists before the first poll, and counts polls from then on', async () => {
    begin(unreachable);
    expect(home.snapshots.current.sequence).toBe(0);
    expect(home.value('system/site_id')).toBe(7);
    await expect.poll(() => home.snapshots.current.sequence).toBeGreaterThan(2);
  });

  it('metrics of the device itself are current, however long it runs', async () => {
    begin(unreachable);
    home.clock.advance(3_600_000);
    const readAt = (topic: string) => home.snapshots.current.samples.get(topic)?.readAt;
    await expect.poll(() => readAt('system/site_id')).toBe(home.clock.now());
    expect(readAt('system/software_version')).toBe(home.clock.now());
  });

  it('a snapshot holds all connections, numbered in their order, though the second answered first', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<FakeHardware>();
    const second = stringInverter(222);
    begin(
      () => opened,
      async () => second,
    );
    await expect.poll(() => second.polls).toBeGreaterThan(2);
    expect(home.value('inverter_1/pv_power')).toBeUndefined();
    open(stringInverter(111));
    await expect.poll(() => home.value('inverter_1/pv_power')).toBe(111);
    expect([home.value('inverter_2/pv_power'), home.value('total/pv_power')]).toEqual([222, 333]);
  });

  it('snapshots go on without a connection that is dead from the start', async () => {
    begin(unreachable, async () => stringInverter(222));
    await expect.poll(() => home.value('inverter_1/pv_power')).toBe(222);
  });

  it('hardware that is asleep when the device starts keeps its topics and numbers', async () => {
    begin(
      async () => stringInverter(111),
      async () => stringInverter(222),
    );
    await expect.poll(() => home.value('total/pv_power')).toBe(333);
    await home.stop({ keep: true });
    home = new FakeHome([unreachable, async () => stringInverter(222)], home.folder).start();
    await expect.poll(() => home.value('inverter_2/pv_power')).toBe(222);
    expect(home.sample('inverter_1/pv_power')).toMatchObject({ value: null, readAt: 0 });
    expect(home.value('total/pv_power')).toBeNull();
  });
});

describe('a meter at the grid', () => {
  it('the grid of the home is what its meter reads, and an inverter that sees it keeps its own value', async () => {
    const meter = gridMeter(1_000);
    begin(async () => hybrid(), { role: 'grid', open: async () => meter });
    await expect.poll(() => home.value('total/grid_power')).toBe(1_000);
    expect(['inverter_1/grid_power', 'meter_1/power'].map((topic) => home.value(topic))).toEqual([
      -500, 1_000,
    ]);
    expect(home.value('total/load_power')).toBe(2_500);
  });

  it('a meter that is connected twice counts in its role, whichever connection comes first', async () => {
    const meter = () =>
      new FakeHardware({
        kind: 'meters',
        model: 'Meter',
        quantities: [power('Power'), info('Serial number')],
        values: { Power: 1_000, 'Serial number': '2301606000' },
      });
    begin(
      async () => hybrid(),
      async () => meter(),
      { role: 'grid', open: async () => meter() },
    );
    await expect.poll(() => home.value('total/grid_power')).toBe(1_000);
    await expect.poll(() => home.value('meter_1/power')).toBeUndefined();
    expect([home.value('meter_2/power'), home.value('total/grid_power')]).toEqual([1_000, 1_000]);
  });

  it('a grid meter that was never reached leaves the grid unknown, though an inverter sees it', async () => {
    begin(async () => hybrid(), { role: 'grid', open: unreachable });
    await expect.poll(() => home.value('inverter_1/grid_power')).toBe(-500);
    expect(home.sample('total/grid_power')).toMatchObject({ value: null, stale: true });
    expect(home.value('total/load_power')).toBeNull();
  });

  it('a grid meter that falls silent leaves the grid unknown, though an inverter sees it', async () => {
    const meter = gridMeter(1_000);
    begin(async () => hybrid(), { role: 'grid', open: async () => meter });
    await expect.poll(() => home.value('total/grid_power')).toBe(1_000);
    meter.failure = new LinkDown('cable pulled');
    home.clock.advance(3 * INTERVAL_MS + 1);
    await expect.poll(() => home.sample('total/grid_power')).toMatchObject({ value: null, stale: true });
    await expect.poll(() => home.value('inverter_1/grid_power')).toBe(-500);
    expect([home.value('total/grid_power'), home.value('total/load_power')]).toEqual([null, null]);
    meter.failure = undefined;
    await expect.poll(() => home.value('total/grid_power')).toBe(1_000);
  });
});

describe('the link to a unit', () => {
  it('the link’s health is known while nothing else is', async () => {
    const fake = stringInverter(111);
    begin(async () => fake);
    await expect.poll(() => home.value('inverter_1/link_quality')).toBe(100);
    fake.failure = new LinkDown('cable pulled');
    home.clock.advance(60_000);
    await expect.poll(() => home.value('inverter_1/link_quality')).toBe(0);
    expect(home.sample('inverter_1/pv_power')).toMatchObject({ value: null, stale: true });
    expect(home.sample('inverter_1/link_quality')).toMatchObject({ readAt: home.clock.now(), stale: false });
    expect(home.value('inverter_1/link_dropped_frames')).toBe(0);
  });
});

describe('a link that is lost', () => {
  it('a lost link leaves its last values for three polls, then unknown ones with their time', async () => {
    const fake = stringInverter(111);
    begin(
      async () => fake,
      async () => stringInverter(222),
    );
    await expect.poll(() => home.value('total/pv_power')).toBe(333);
    const lastRead = home.clock.now();
    fake.failure = new LinkDown('cable pulled');

    home.clock.advance(3 * INTERVAL_MS - 1);
    const { sequence } = home.snapshots.current;
    await expect.poll(() => home.snapshots.current.sequence).toBeGreaterThan(sequence + 2);
    expect([home.value('inverter_1/pv_power'), home.value('total/pv_power')]).toEqual([111, 333]);

    home.clock.advance(2);
    await expect.poll(() => home.value('inverter_1/pv_power')).toBeNull();
    const silent = { readAt: lastRead, stale: true, lastValue: 111 };
    expect(home.sample('inverter_1/pv_power')).toMatchObject(silent);
    await expect.poll(() => home.value('inverter_2/pv_power')).toBe(222);
    expect(home.sample('total/pv_power')).toMatchObject({ value: null, stale: true, lastValue: 333 });
    home.clock.advance(60_000);
    const { sequence: before } = home.snapshots.current;
    await expect.poll(() => home.snapshots.current.sequence).toBeGreaterThan(before + 2);
    expect(home.sample('inverter_1/pv_power')).toMatchObject(silent);

    fake.failure = undefined;
    await expect.poll(() => home.value('total/pv_power')).toBe(333);
    expect(home.sample('inverter_1/pv_power')).not.toHaveProperty('lastValue');
  });

  it('repeated values go stale with a lost link, while those of a link that works stay', async () => {
    const fake = stringInverter(111);
    begin(async () => fake);
    const readAt = home.clock.now();
    fake.readBefore['PV power'] = home.clock.monotonic();
    home.clock.advance(60_000);
    await expect.poll(() => home.sample('inverter_1/link_quality')?.readAt).toBe(readAt + 60_000);
    const { polls } = fake;
    await expect.poll(() => fake.polls).toBeGreaterThan(polls + 1);
    expect(home.sample('inverter_1/pv_power')).toMatchObject({ value: 111, readAt, stale: false });

    fake.failure = new LinkDown('cable pulled');
    const { sequence } = home.snapshots.current;
    await expect.poll(() => home.snapshots.current.sequence).toBeGreaterThan(sequence + 2);
    home.clock.advance(3 * INTERVAL_MS + 1);
    await expect.poll(() => home.value('inverter_1/pv_power')).toBeNull();
    expect(home.sample('inverter_1/pv_power')).toMatchObject({ readAt, stale: true });
  });

  it('a link goes stale on time also when its poll hangs', async () => {
    const fake = stringInverter(111);
    begin(async () => fake);
    await expect.poll(() => home.value('inverter_1/pv_power')).toBe(111);
    const { promise: hangs, resolve: release } = Promise.withResolvers<void>();
    fake.duringPoll = () => hangs;
    home.clock.advance(3 * INTERVAL_MS + 1);
    await expect.poll(() => home.value('inverter_1/pv_power')).toBeNull();
    release();
  });
});

describe('the energy of a home', () => {
  it('imported and exported energy follow the grid meter, not an inverter that sees the grid', async () => {
    begin(async () => hybrid(), { role: 'grid', open: async () => gridMeter(3_600_000) });
    await expect.poll(() => home.value('total/grid_power')).toBe(3_600_000);
    for (let step = 0; step < 20; step++) {
      const readAt = home.sample('total/grid_power')?.readAt ?? 0;
      home.clock.advance(50);
      await expect.poll(() => home.sample('total/grid_power')?.readAt, { interval: 2 }).toBe(readAt + 50);
    }
    expect([home.value('total/grid_energy_in'), home.value('total/grid_energy_out')]).toEqual([1, 0]);
  });

  it('energy follows the totals, and goes on after a restart', async () => {
    const fake = stringInverter(3_600_000);
    begin(async () => fake);
    await expect.poll(() => home.value('total/pv_power')).toBe(3_600_000);
    for (let kwh = 1; kwh <= 3; kwh++) {
      for (let step = 0; step < 20; step++) {
        const readAt = home.sample('total/pv_power')?.readAt ?? 0;
        home.clock.advance(50);
        await expect
          .poll(() => home.sample('total/pv_power')?.readAt, {
            interval: 2,
          })
          .toBe(readAt + 50);
      }
      expect(home.value('total/pv_energy')).toBe(kwh);
    }
    expect(home.value('total/load_energy')).toBeUndefined();
    await home.stop({ keep: true });
    home = new FakeHome([unreachable], home.folder).start();
    expect(home.value('total/pv_energy')).toBe(3);
  });
});

describe('a write', () => {
  it('a write is in the current snapshot when it is done', async () => {
    const fake = hybrid();
    begin(async () => fake);
    await expect.poll(() => home.value('inverter_1/max_charge_current')).toBe(10);
    const definition = home.sample('inverter_1/max_charge_current')?.definition;
    if (definition === undefined) throw new Error('there is no setting');
    await home.collector.write(definition, 25);
    expect(home.value('inverter_1/max_charge_current')).toBe(25);
    expect(fake.writes).toEqual([{ unit: 0, name: 'Max charge current', value: 25 }]);
  });

  it('a written setting is as new as the reading behind it', async () => {
    const fake = hybrid();
    fake.readBefore['Max charge current'] = 0;
    begin(async () => fake);
    await expect.poll(() => home.value('inverter_1/max_charge_current')).toBe(10);
    const definition = home.sample('inverter_1/max_charge_current')?.definition;
    if (definition === undefined) throw new Error('there is no setting');
    home.clock.advance(40);
    fake.duringWrite = async () => {
      fake.readBefore['Max charge current'] = home.clock.monotonic();
    };
    await home.collector.write(definition, 25);
    const readAt = home.clock.now();
    expect(home.sample('inverter_1/max_charge_current')).toMatchObject({ value: 25, readAt });
    home.clock.advance(60_000);
    const { polls } = fake;
    await expect.poll(() => fake.polls).toBeGreaterThan(polls + 1);
    expect(home.sample('inverter_1/max_charge_current')).toMatchObject({ value: 25, readAt, stale: false });
  });
});
