import type { Alert, AlertRuleEntry, ConditionKind } from '@heliograph/contracts';
import { ManualClock, silentLogger } from '@heliograph/kit';
import { defineMetric, type MetricDefinition, type MetricValue, quantities } from '@heliograph/metrics';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { AlertRules } from '../alert-rules/alert-rules.ts';
import { type Sample, SnapshotPublisher } from '../poll/snapshot.ts';
import { openTemporaryDatabase } from '../storage/database.ts';
import { KeyValueStore } from '../storage/key-value.ts';
import { AlertStore } from './alert-store.ts';
import { AlertWatch } from './alert-watch.ts';
import { presentAlert } from './present-alert.ts';
import type { HoursBetween } from './usual-production.ts';

const NOON = Date.parse('2026-06-21T10:00:00Z');
const MINUTE_MS = 60_000;
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
  readonly storeDamaged?: () => boolean;
  /** Other values than those of a home that is well, from the first poll on. */
  readonly values?: Readonly<Record<string, MetricValue>>;
  /** By unit. */
  readonly connections?: ReadonlyMap<string, string>;
}

/** Rules over a home whose values a test sets, and which is polled every two seconds. */
class WatchedHome {
  readonly clock = new ManualClock(NOON);
  readonly db = openTemporaryDatabase();
  readonly store = new KeyValueStore(this.db);
  readonly alerts = new AlertStore(this.db);
  readonly snapshots = new SnapshotPublisher();
  readonly rules: AlertRules;
  readonly reported: Alert[] = [];
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
    const { hours = () => new Map(), clockBehind = () => false, storeDamaged = () => false } = this.#options;
    const { clock, store, alerts, rules, snapshots } = this;
    const watch = new AlertWatch({
      rules,
      alerts,
      store,
      snapshots,
      hours,
      storeDamaged,
      clockBehind,
      clock,
      logger: silentLogger,
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

let home: WatchedHome;
afterEach(() => home.close());

it('an alert of a newer release, which ran here before, is shown by the name of its metric', () => {
  home = new WatchedHome();
  const at = home.clock.now();
  const facts = {
    topic: 'inverter_1/arc',
    name: 'Arc on string 2',
    detail: null,
    value: null,
    limit: null,
    unit: '',
  };
  const times = { since: at, raisedAt: at, lastAt: at };
  const alert = home.alerts.insert({
    ...{ ...facts, ...times, rule: 'arc', severity: 'critical' },
    // SQLite holds what that release wrote.
    kind: 'arc' as ConditionKind,
  });
  expect(presentAlert(alert).text).toBe('Arc on string 2');
});

describe('a limit', () => {
  it('an alert is raised when the value stays beyond the limit long enough, and it has the time when that began', () => {
    home = new WatchedHome();
    home.set({ 'battery_1/state_of_charge': 4 });
    home.pass(9.9);
    expect(home.open).toEqual([]);
    home.pass(0.2);
    expect(home.open).toEqual(['Battery 1: State of charge is 4 %, below 5 %']);
    expect(home.reported[0]).toMatchObject({
      state: 'raised',
      severity: 'warning',
      since: '2026-06-21T10:00:00.000Z',
      raised_at: '2026-06-21T10:10:00.000Z',
    });
  });

  it('an alert is stored with whole milliseconds when the condition was met at a fraction of one', () => {
    home = new WatchedHome();
    home.clock.advance(0.456789);
    home.set({ 'battery_1/state_of_charge': 4 });
    home.pass(10, 2_000.137);
    expect(home.alerts.open()[0]?.since).toBe(NOON);
  });

  /** Of the state of charge, for the rule that raises below 5 and clears from 8 on. */
  const charge = (percent: number | null, minutes = 0): void => {
    home.set({ 'battery_1/state_of_charge': percent });
    home.pass(minutes);
  };

  it.each([
    ['well', 8],
    ['just within the limit', 5],
    ['unknown', null],
  ])('a value that returns beyond the limit after it was %s has the whole time again', (_how, percent) => {
    home = new WatchedHome();
    charge(4, 9.9);
    charge(percent);
    charge(4, 9.9);
    expect(home.reported).toEqual([]);
    home.pass(0.2);
    expect(home.open).toHaveLength(1);
  });

  it.each([
    ['beyond the limit', 4],
    ['just within the limit', 7],
    ['unknown', null],
  ])('an alert whose value returns to well after it was %s has the five minutes again', (_how, percent) => {
    home = new WatchedHome();
    charge(4, 11);
    charge(8, 4.9);
    charge(percent);
    charge(8, 4.9);
    expect(home.states).toEqual(['battery_low raised']);
    home.pass(0.2);
    expect(home.states).toEqual(['battery_low raised', 'battery_low cleared']);
  });

  it('an alert clears five minutes after the value is well again, not when it is just within the limit', () => {
    home = new WatchedHome();
    home.set({ 'battery_1/state_of_charge': 4 });
    home.pass(11);
    home.set({ 'battery_1/state_of_charge': 7 });
    home.pass(60);
    expect(home.states).toEqual(['battery_low raised']);
    home.set({ 'battery_1/state_of_charge': 8 });
    home.pass(4.9);
    expect(home.states).toEqual(['battery_low raised']);
    home.pass(0.2);
    expect(home.states).toEqual(['battery_low raised', 'battery_low cleared']);
    expect(home.open).toEqual([]);
  });

  it('a value that is unknown neither raises nor clears', () => {
    home = new WatchedHome();
    home.set({ 'battery_1/state_of_charge': null });
    home.pass(30);
    expect(home.reported).toEqual([]);
    home.set({ 'battery_1/state_of_charge': 3 });
    home.pass(11);
    home.set({ 'battery_1/state_of_charge': null });
    home.pass(30);
    expect(home.open).toHaveLength(1);
  });

  it('a grid that was never there is not missed, and one that was is, also after a restart', () => {
    home = new WatchedHome({ values: { 'inverter_1/grid_voltage': 0 } });
    home.pass(30, 10_000);
    expect(home.reported).toEqual([]);
    home.set({ 'inverter_1/grid_voltage': 230 });
    home.set({ 'inverter_1/grid_voltage': 0 });
    home.pass(2);
    expect(home.open).toEqual(['Inverter 1: Grid voltage is 0 V, below 60 V']);
    home.set({ 'inverter_1/grid_voltage': 230 });
    home.pass(6);
    home.restart();
    expect(home.open).toEqual([]);
    home.set({ 'inverter_1/grid_voltage': 0 });
    home.pass(2);
    expect(home.open).toHaveLength(1);
  });
});

it('a value that flaps for an hour gives at most two messages', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 4, maxLength: 30 }), (lengths) => {
      home = new WatchedHome();
      let left = 60;
      for (const [i, minutes] of lengths.entries()) {
        if (left <= 0) break;
        home.set({ 'inverter_1/fault': i % 2 === 0 ? 'Fan locked' : 'OK' });
        home.pass(Math.min(minutes, left), 30_000);
        left -= minutes;
      }
      const ids = new Set(home.reported.map(({ id }) => id));
      // A message goes out when an alert is raised for the first time, and when it clears for the first time.
      const messages = new Set(home.reported.map(({ id, state }) => `${id} ${state}`));
      expect(ids.size).toBeLessThanOrEqual(1);
      expect(messages.size).toBeLessThanOrEqual(2);
      home.close();
    }),
    { numRuns: 30 },
  );
});

describe('faults that the hardware names', () => {
  it('each fault is an alert of its own, and clears by itself', () => {
    home = new WatchedHome();
    home.set({ 'inverter_1/fault': 'Fan locked, Over temperature' });
    home.pass(1);
    expect(home.open.toSorted()).toEqual([
      'Inverter 1 reports: Fan locked',
      'Inverter 1 reports: Over temperature',
    ]);
    home.set({ 'inverter_1/fault': 'Over temperature' });
    home.pass(6);
    expect(home.open).toEqual(['Inverter 1 reports: Over temperature']);
    home.set({ 'inverter_1/fault': 'OK' });
    home.pass(6);
    expect(home.open).toEqual([]);
  });

  it('a warning of a battery is less grave than a fault', () => {
    home = new WatchedHome();
    home.set({ 'battery_1/alarms': 'Cell over voltage' });
    home.pass(3);
    expect(home.reported).toMatchObject([{ rule: 'hardware_warning', severity: 'warning' }]);
  });

  it('a fault that returns within an hour is the same alert, and a later one is another', () => {
    home = new WatchedHome();
    const fault = (minutes: number): void => {
      home.set({ 'inverter_1/fault': 'Fan locked' });
      home.pass(minutes);
      home.set({ 'inverter_1/fault': 'OK' });
    };
    fault(1);
    home.pass(20);
    fault(1);
    home.pass(20);
    expect(home.alerts.recent(10)).toMatchObject([{ id: 1, times: 2 }]);
    home.pass(60);
    fault(1);
    expect(home.alerts.recent(10)).toMatchObject([{ id: 2, times: 1 }, { id: 1 }]);
  });
});

describe('hardware', () => {
  it('a unit that does not answer is silent, and no value of it raises anything else', () => {
    home = new WatchedHome();
    home.set({}, ['inverter_1/']);
    home.pass(11);
    expect(home.open).toEqual(['Inverter 1 does not answer']);
  });

  it('a connection that is silent is one alert, and no weak link; a unit that stays silent has its own', () => {
    const connections = new Map([
      ['inverter_1', 'gateway'],
      ['battery_1', 'gateway'],
    ]);
    home = new WatchedHome({ connections });
    const links = (quality: number) => ({
      'inverter_1/link_quality': quality,
      'battery_1/link_quality': quality,
    });
    home.set(links(0), ['inverter_1/', 'battery_1/']);
    home.pass(40, 10_000);
    expect(home.open).toEqual(['Battery 1 does not answer']);
    home.set(links(50), ['inverter_1/']);
    home.pass(40, 10_000);
    expect(home.open.toSorted()).toEqual([
      'Battery 1: Link quality is 50 %, below 70 %',
      'Inverter 1 does not answer',
    ]);
    home.set(links(100));
    home.pass(6, 10_000);
    expect(home.open).toEqual([]);
  });

  it('a battery that only its inverter reports is watched, and one that both report is one alert', () => {
    home = new WatchedHome();
    home.remove('battery_1/');
    home.set({ 'inverter_1/battery_state_of_charge': 50 });
    home.set({ 'inverter_1/battery_state_of_charge': 3 });
    home.pass(11, 10_000);
    expect(home.open).toEqual(['Inverter 1: Battery state of charge is 3 %, below 5 %']);
    home.set({ 'inverter_1/battery_state_of_charge': 50 });
    home.pass(6, 10_000);
    home.set({ 'inverter_1/battery_state_of_charge': 3, 'battery_1/state_of_charge': 3 });
    home.pass(11, 10_000);
    expect(home.open).toEqual(['Battery 1: State of charge is 3 %, below 5 %']);
  });

  it('a silent unit hides no weak link of the others behind its connection', () => {
    const connections = new Map([
      ['inverter_1', 'gateway'],
      ['battery_1', 'gateway'],
    ]);
    home = new WatchedHome({ connections });
    const links = { 'inverter_1/link_quality': 50, 'battery_1/link_quality': 50 };
    for (const silent of ['inverter_1/', 'battery_1/']) {
      home.set(links, [silent]);
      home.pass(40, 10_000);
      expect(home.open.filter((text) => text.includes('Link quality'))).toHaveLength(1);
      home.set({ 'inverter_1/link_quality': 100, 'battery_1/link_quality': 100 });
      home.pass(6, 10_000);
      expect(home.open).toEqual([]);
    }
  });

  it('an inverter that never had a battery, and reports 0 %, has no empty one', () => {
    home = new WatchedHome();
    home.remove('battery_1/');
    home.set({ 'inverter_1/battery_state_of_charge': 0 });
    home.pass(30, 10_000);
    expect(home.open).toEqual([]);
  });

  it('an inverter watches its battery while the battery itself is silent', () => {
    home = new WatchedHome();
    for (const charge of [50, 3]) home.set({ 'inverter_1/battery_state_of_charge': charge }, ['battery_1/']);
    home.pass(11, 10_000);
    expect(home.open).toContain('Inverter 1: Battery state of charge is 3 %, below 5 %');
  });

  it('alerts of hardware that was taken away clear', () => {
    home = new WatchedHome();
    home.set({ 'battery_1/temperature': 60 });
    home.pass(11);
    expect(home.open).toEqual(['Battery 1: Temperature is 60 °C, above 50 °C']);
    home.remove('battery_1/');
    home.pass(1);
    expect(home.open).toEqual([]);
  });

  it('a power that does not move while others do is a stuck one; at night all rest', () => {
    home = new WatchedHome();
    for (let i = 0; i < 740; i++) {
      home.set({ 'inverter_1/load_power': 500 + (i % 7), 'inverter_1/pv_voltage': 380 + (i % 3) });
      home.pass(1, MINUTE_MS);
    }
    expect(home.open).toEqual(['Inverter 1: PV power stays at 2000 W while other values move']);
    home.set({ 'inverter_1/pv_power': 0 });
    home.pass(300, MINUTE_MS);
    expect(home.open).toEqual([]);
  });

  it('many withheld values within an hour raise an alert, and the same many over days do not', () => {
    home = new WatchedHome();
    for (let i = 1; i <= 120; i++) {
      home.set({ 'inverter_1/link_withheld_values': i });
      home.pass(20, MINUTE_MS);
    }
    expect(home.reported).toEqual([]);
    home.set({ 'inverter_1/link_withheld_values': 230 });
    expect(home.open).toEqual(['Inverter 1: Link withheld values has risen to 230']);
    home.pass(70, MINUTE_MS);
    expect(home.open).toEqual([]);
  });
});

describe('writes', () => {
  it('a write that was refused raises an alert, which the next good one clears', () => {
    home = new WatchedHome();
    home.watch.wrote('inverter_1/max_charge_current', 'rejected', '70');
    home.poll();
    expect(home.open).toEqual(['Inverter 1: the hardware refused 70 A for Max charge current']);
    home.restart();
    home.poll();
    expect(home.open).toHaveLength(1);
    home.watch.wrote('inverter_1/max_charge_current', 'ok', '60');
    home.poll();
    expect(home.states).toEqual(['write_failed raised', 'write_failed cleared']);
  });

  it('a failed write of a setting stays an alert until that setting is written, and can fail again', () => {
    home = new WatchedHome();
    const wrote = (topic: string, outcome: string): void => {
      home.watch.wrote(topic, outcome, '70');
      home.poll();
    };
    const [TOPIC, OTHER] = ['inverter_1/max_charge_current', 'inverter_1/device_mode'];
    wrote(TOPIC, 'not sent');
    expect(home.states).toEqual([]);
    wrote(TOPIC, 'unknown');
    const raised = ['write_failed raised'];
    for (const [topic, outcome] of [
      [TOPIC, 'not sent'],
      [OTHER, 'ok'],
      [TOPIC, 'unknown'],
    ] as const) {
      wrote(topic, outcome);
      expect(home.states).toEqual(raised);
    }
    wrote(TOPIC, 'ok');
    expect(home.states).toEqual([...raised, 'write_failed cleared']);
    wrote(TOPIC, 'unknown');
    expect(home.states).toEqual([...raised, 'write_failed cleared', ...raised]);
    expect(home.alerts.recent(10)).toMatchObject([{ id: 1, times: 2, clearedAt: null }]);
  });
});

describe('a clock', () => {
  it('a wall clock that jumps raises and clears nothing', () => {
    home = new WatchedHome();
    home.set({ 'battery_1/state_of_charge': 4 });
    for (const to of ['2031-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-06-21T10:00:30Z']) {
      home.clock.jump(Date.parse(to));
      home.poll();
    }
    expect(home.reported).toEqual([]);
    home.pass(10);
    expect(home.open).toHaveLength(1);
    home.set({ 'battery_1/state_of_charge': 90 });
    home.clock.jump(Date.parse('2031-01-01T00:00:00Z'));
    home.poll();
    expect(home.open).toHaveLength(1);
  });

  it('a fault that returns after the clock was set back is an alert of its own', () => {
    home = new WatchedHome();
    home.set({ 'inverter_1/fault': 'Fan locked' });
    home.pass(1);
    home.set({ 'inverter_1/fault': 'OK' });
    home.pass(6, 10_000);
    home.clock.jump(NOON - 24 * 60 * MINUTE_MS);
    home.set({ 'inverter_1/fault': 'Fan locked' });
    home.pass(1);
    expect(home.alerts.recent(10)).toMatchObject([
      { id: 2, times: 1 },
      { id: 1, times: 1 },
    ]);
  });

  it('a clock that is behind is noticed', () => {
    let isBehind = true;
    home = new WatchedHome({ clockBehind: () => isBehind });
    home.pass(6);
    expect(home.open).toEqual(['The clock of the device is behind: energy is counted for the wrong hours']);
    isBehind = false;
    home.pass(6);
    expect(home.open).toEqual([]);
  });
});

it('a loss of data soon after one that was acknowledged is another alert, not acknowledged', () => {
  let isDamaged = true;
  home = new WatchedHome({ storeDamaged: () => isDamaged });
  home.watch.acknowledge(1, true, 'owner');
  isDamaged = false;
  home.pass(1);
  isDamaged = true;
  home.pass(1);
  expect(home.alerts.recent(10)).toMatchObject([
    { id: 2, times: 1, acknowledgedAt: null, clearedAt: null },
    { id: 1, acknowledgedBy: 'owner' },
  ]);
});

describe('a power cut', () => {
  it('an open alert is still open after it, and clears like any other', () => {
    home = new WatchedHome();
    home.set({ 'inverter_1/fault': 'Fan locked' });
    home.pass(1);
    home.restart();
    home.pass(1);
    expect(home.states).toEqual(['fault raised']);
    home.set({ 'inverter_1/fault': 'OK' });
    home.pass(6);
    expect(home.states).toEqual(['fault raised', 'fault cleared']);
  });
});

describe('a full disk', () => {
  it('an alert that cannot be stored keeps no other rule from its own, and is raised once it can be', () => {
    home = new WatchedHome();
    home.db.exec(`
      CREATE TEMP TRIGGER full BEFORE INSERT ON alerts WHEN NEW.detail = 'Fan locked'
      BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
    home.set({ 'inverter_1/fault': 'Fan locked', 'battery_1/alarms': 'Cell too hot' });
    home.pass(3);
    expect(home.open).toEqual(['Battery 1 reports: Cell too hot']);
    home.db.exec('DROP TRIGGER full');
    home.pass(1);
    expect(home.open).toEqual(['Inverter 1 reports: Fan locked', 'Battery 1 reports: Cell too hot']);
    expect(home.alerts.open()[0]?.since).toBe(NOON);
  });
});

describe('rules of the owner', () => {
  const rule: AlertRuleEntry = {
    id: 'much_load',
    name: 'Much load',
    enabled: true,
    severity: 'information',
    condition: {
      kind: 'above',
      topics: ['inverter_*/load_power'],
      limit: 3000,
      clear_limit: 2500,
      for_s: 60,
    },
  };

  it('a rule takes effect at once, and its alerts end with it', () => {
    home = new WatchedHome();
    home.rules.set({ rules: [rule] });
    home.set({ 'inverter_1/load_power': 3500 });
    home.pass(2);
    expect(home.open).toEqual(['Inverter 1: Much load is 3500 W, above 3000 W']);
    home.rules.set({ rules: [] });
    home.poll();
    expect(home.open).toEqual([]);
  });

  it('a built-in rule that is switched off raises nothing, and its open alerts clear', () => {
    home = new WatchedHome();
    home.set({ 'battery_1/state_of_charge': 4 });
    home.pass(11);
    const low = home.rules.all.find(({ id }) => id === 'battery_low');
    const { source: _, ...entry } = low as NonNullable<typeof low>;
    home.rules.set({ rules: [{ ...entry, enabled: false }] });
    home.pass(20);
    expect(home.states).toEqual(['battery_low raised', 'battery_low cleared']);
  });

  it('a rule of the configuration file counts before any other', () => {
    const low: AlertRuleEntry = {
      id: 'battery_low',
      name: null,
      enabled: true,
      severity: 'critical',
      condition: {
        kind: 'below',
        topics: ['battery_*/state_of_charge'],
        limit: 30,
        clear_limit: 35,
        only_after: 8,
        for_s: 60,
      },
    };
    home = new WatchedHome({ configured: [low] });
    home.set({ 'battery_1/state_of_charge': 25 });
    home.pass(2);
    expect(home.reported).toMatchObject([{ rule: 'battery_low', severity: 'critical', limit: 30 }]);
    expect(() => home.rules.set({ rules: [{ ...low, enabled: false }] })).toThrow(
      expect.objectContaining({ errors: { 'rules.0.id': ['battery_low is set in the configuration file'] } }),
    );
  });
});

describe('the store', () => {
  const FAULT = {
    rule: 'fault',
    kind: 'complaint',
    severity: 'critical',
    topic: 'inverter_1/fault',
    name: 'Fault',
    detail: 'Fan locked',
    value: 'Fan locked',
    limit: null,
    unit: '',
    since: NOON,
    raisedAt: NOON,
    lastAt: NOON,
  } as const;

  it('a year of alerts takes less than a megabyte, and open ones are never forgotten', () => {
    home = new WatchedHome();
    home.set({ 'battery_1/state_of_charge': 4 });
    home.pass(11);
    const before = home.db.serialize().length;
    for (let i = 0; i < 5_000; i++) {
      const detail = `A fault with a long name, number ${i}`;
      const { id } = home.alerts.insert({ ...FAULT, detail, value: detail });
      home.alerts.update(id, { clearedAt: NOON + i });
    }
    expect(home.db.serialize().length - before).toBeLessThan(1_000_000);
    expect(home.alerts.recent(10_000)).toHaveLength(2_001);
    expect(home.open).toEqual(['Battery 1: State of charge is 4 %, below 5 %']);
  });

  it('the latest alert of a subject is the newest one of its rule, topic and detail', () => {
    home = new WatchedHome();
    const { alerts } = home;
    const none = { ...FAULT, topic: null, detail: null };
    const ids = [FAULT, FAULT, none].map((alert) => alerts.insert(alert).id);
    for (const other of [
      { rule: 'other' },
      { topic: 'inverter_2/fault' },
      { detail: 'Fan' },
      { topic: null },
    ])
      alerts.insert({ ...FAULT, ...other });
    expect(alerts.latest('fault', FAULT.topic, FAULT.detail)?.id).toBe(ids[1]);
    expect(alerts.latest('fault', null, null)?.id).toBe(ids[2]);
    expect(alerts.latest('fault', FAULT.topic, null)).toBeUndefined();
  });

  it('changes are read in their order after a revision, also of alerts raised before it', () => {
    home = new WatchedHome();
    const { alerts } = home;
    const [first, second] = [alerts.insert(FAULT), alerts.insert({ ...FAULT, detail: 'Over temperature' })];
    const { newestRevision } = alerts;
    const third = alerts.insert({ ...FAULT, detail: 'Overload' });
    alerts.update(first.id, { acknowledgedAt: NOON, acknowledgedBy: 'local' });
    const changed = (revision: number, limit = 10) =>
      alerts.changesSince(revision, limit).map(({ id }) => id);
    expect(changed(0)).toEqual([second.id, third.id, first.id]);
    expect(changed(newestRevision)).toEqual([third.id, first.id]);
    expect(changed(newestRevision, 1)).toEqual([third.id]);
    expect(changed(alerts.newestRevision)).toEqual([]);
    expect(alerts.get(first.id)).toMatchObject({
      acknowledgedBy: 'local',
      clearedAt: null,
      value: 'Fan locked',
    });
    alerts.update(third.id, { clearedAt: NOON });
    expect(alerts.recent(10, { open: true, before: third.id + 1 }).map(({ id }) => id)).toEqual([
      second.id,
      first.id,
    ]);
    expect(alerts.recent(10, { before: second.id }).map(({ id }) => id)).toEqual([first.id]);
  });
});
