import type { AlertRuleEntry } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE_MS, NOON, WatchedHome } from '../../test/alerts/watched-home.ts';
import type { Rule } from '../config/alert-rules/alert-rules.ts';

let home: WatchedHome;
afterEach(() => home.close());

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

/** A rule of the home, as an owner sends it. */
function entryOf(id: string): AlertRuleEntry {
  const { source: _, ...entry } = home.rules.all.find((rule) => rule.id === id) as Rule;
  return entry;
}

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

  it('a unit of which some values are known is not silent, and totals are no unit', () => {
    home = new WatchedHome();
    const rule = entryOf('hardware_silent');
    home.rules.set({ rules: [{ ...rule, condition: { ...rule.condition, topics: ['*'] } }] });
    home.set({}, ['inverter_1/grid', 'inverter_1/pv', 'battery_1/state', 'total/']);
    home.pass(20, 10_000);
    expect(home.open).toEqual([]);
    home.set({}, ['inverter_1/', 'total/']);
    home.pass(11, 10_000);
    expect(home.open).toEqual(['Inverter 1 does not answer']);
  });

  it.each([
    ['behind one connection are one alert', ['gateway', 'gateway'], 1],
    ['behind two connections are two', ['gateway', 'dongle'], 2],
    ['whose connections are unknown are two', [], 2],
  ])('weak links %s', (_where, [ofInverter, ofBattery], count) => {
    const connections = Object.entries({ inverter_1: ofInverter, battery_1: ofBattery }).flatMap(
      ([unit, connection]) => (connection === undefined ? [] : [[unit, connection] as const]),
    );
    home = new WatchedHome({ connections: new Map(connections) });
    home.set({ 'inverter_1/link_quality': 50, 'battery_1/link_quality': 50 });
    home.pass(31, 10_000);
    expect(home.open).toHaveLength(count);
  });

  it('a battery that both report is one alert also by the limit of the configuration file', () => {
    home = new WatchedHome();
    const low = entryOf('battery_low');
    home.close();
    home = new WatchedHome({ configured: [{ ...low, condition: { ...low.condition, limit: 10 } }] });
    for (const charge of [50, 9])
      home.set({ 'inverter_1/battery_state_of_charge': charge, 'battery_1/state_of_charge': charge });
    home.pass(11, 10_000);
    expect(home.open).toEqual(['Battery 1: State of charge is 9 %, below 10 %']);
  });

  it('an open alert of an inverter about its battery clears also once the battery reports itself', () => {
    home = new WatchedHome();
    home.remove('battery_1/');
    for (const charge of [50, 3]) home.set({ 'inverter_1/battery_state_of_charge': charge });
    home.pass(11, 10_000);
    home.set({ 'inverter_1/battery_state_of_charge': 50, 'battery_1/state_of_charge': 50 });
    expect(home.states).toEqual(['battery_low raised']);
    home.pass(6, 10_000);
    expect(home.states).toEqual(['battery_low raised', 'battery_low cleared']);
  });

  it('alerts of hardware that was taken away before a start clear ten minutes after it', () => {
    home = new WatchedHome();
    home.set({ 'battery_1/temperature': 60 });
    home.pass(3);
    home.restart();
    home.remove('battery_1/');
    const lastAt = home.alerts.open()[0]?.lastAt;
    home.pass(9.9);
    expect(home.open).toHaveLength(1);
    home.pass(0.2);
    expect(home.open).toEqual([]);
    expect(home.alerts.recent(1)).toMatchObject([{ lastAt }]);
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
    expect(home.open).toEqual(['Inverter 1: the hardware did not take 70 A for Max charge current']);
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

  it.each([
    ['the same alert', 60 * MINUTE_MS - 1, { id: 1, times: 2, since: NOON }],
    ['another alert', 60 * MINUTE_MS, { id: 2, times: 1, since: NOON + 60 * MINUTE_MS }],
  ])(
    'a write that fails again is %s %i ms after that cleared, with the facts of now',
    (_which, ms, alert) => {
      home = new WatchedHome();
      const wrote = (outcome: string, value: string): void => {
        home.watch.wrote('inverter_1/max_charge_current', outcome, value);
        home.poll();
      };
      wrote('rejected', '70');
      wrote('ok', '60');
      home.rules.set({ rules: [{ ...entryOf('write_failed'), severity: 'critical' }] });
      home.clock.advance(ms);
      wrote('rejected', '80');
      const now = { value: '80', severity: 'critical', lastAt: home.clock.now(), clearedAt: null };
      expect(home.alerts.recent(1)).toMatchObject([{ ...alert, ...now }]);
    },
  );

  it('a write that fails otherwise than before is another alert in place of that one', () => {
    home = new WatchedHome();
    for (const outcome of ['rejected', 'altered']) {
      home.watch.wrote('inverter_1/max_charge_current', outcome, '70');
      home.poll();
    }
    expect(home.open).toHaveLength(1);
    expect(home.alerts.recent(10)).toMatchObject([
      { detail: 'altered', clearedAt: null, unit: 'A' },
      { detail: 'rejected', clearedAt: home.clock.now() },
    ]);
  });

  it('a failed write of a setting that is not there any more is an alert about its topic', () => {
    home = new WatchedHome();
    home.watch.wrote('inverter_2/max_charge_current', 'unknown', '70');
    home.poll();
    expect(home.reported).toMatchObject([{ topic: 'inverter_2/max_charge_current', name: null, unit: '' }]);
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

it.each([
  ['damaged', 'Stored data of the device was damaged: its pages have what was lost'],
  ['unreadable', 'The disk of the device could not read all stored data: its pages have what was lost'],
  ['replaced', 'Stored data of the device was damaged: its pages have what was lost'],
] as const)('a loss of data is an alert that names its cause: %s', (cause, text) => {
  home = new WatchedHome({ storeLoss: () => cause });
  home.pass(1);
  expect(home.open).toEqual([text]);
});

it('a loss of data soon after one that was acknowledged is another alert, not acknowledged', () => {
  let isDamaged = true;
  home = new WatchedHome({ storeLoss: () => (isDamaged ? 'damaged' : null) });
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
  it('a loss of data after an acknowledgement and a power cut is another alert, not acknowledged', () => {
    home = new WatchedHome({ storeLoss: () => 'damaged' });
    home.watch.acknowledge(1, true, 'owner');
    home.restart();
    home.pass(1);
    expect(home.alerts.recent(10)).toMatchObject([
      { id: 2, acknowledgedAt: null, clearedAt: null },
      { id: 1, acknowledgedBy: 'owner', clearedAt: expect.any(Number) },
    ]);
  });

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
  const FULL = "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END";

  it('an alert that cannot be stored keeps no other rule from its own, and is raised once it can be', () => {
    home = new WatchedHome();
    home.db.exec(`CREATE TEMP TRIGGER full BEFORE INSERT ON alerts WHEN NEW.detail = 'Fan locked' ${FULL}`);
    home.set({ 'inverter_1/fault': 'Fan locked', 'battery_1/alarms': 'Cell too hot' });
    home.pass(3);
    expect(home.open).toEqual(['Battery 1 reports: Cell too hot']);
    home.db.exec('DROP TRIGGER full');
    home.pass(1);
    expect(home.open).toEqual(['Inverter 1 reports: Fan locked', 'Battery 1 reports: Cell too hot']);
    expect(home.alerts.open()[0]?.since).toBe(NOON);
    expect(home.log.filter((message) => message.startsWith('alerts '))).toEqual([
      'alerts cannot be stored',
      'alerts are stored again',
    ]);
  });

  it('a value that was reached once is not stored again with each poll', () => {
    home = new WatchedHome({ values: { 'inverter_1/grid_voltage': 0 } });
    home.db.exec(
      `CREATE TEMP TRIGGER full BEFORE INSERT ON settings WHEN NEW.key = 'alert_values_reached' ${FULL}`,
    );
    home.pass(1);
    expect(home.log).toEqual([]);
    // Another one is, once it can be.
    home.set({ 'inverter_1/grid_voltage': 230 });
    expect(home.log).toEqual(['alerts cannot be stored']);
    home.db.exec('DROP TRIGGER full');
    home.poll();
    expect(home.log.at(-1)).toBe('alerts are stored again');
  });

  it('an alert for which an old one cannot make room is stored once it can', () => {
    home = new WatchedHome();
    const [old, newest] = ['old', 'newest'].map((mode) => {
      home.watch.wrote('inverter_1/device_mode', mode, '1');
      home.poll();
      return home.alerts.recent(1)[0];
    });
    home.watch.wrote('inverter_1/device_mode', 'ok', '1');
    home.poll();
    home.db.exec(`UPDATE alerts SET id = 3000 WHERE id = ${newest?.id}`);
    home.db.exec(`CREATE TEMP TRIGGER full BEFORE DELETE ON alerts ${FULL}`);
    home.set({ 'inverter_1/fault': 'Fan locked' });
    home.pass(1);
    expect(home.open).toEqual([]);
    home.db.exec('DROP TRIGGER full');
    home.poll();
    expect(home.alerts.open()).toMatchObject([{ detail: 'Fan locked', times: 1 }]);
    expect(home.alerts.get(old?.id ?? 0)).toBeUndefined();
  });

  it.each<[string, () => void]>([
    ['whose value is well', () => home.set({ 'inverter_1/fault': 'OK' })],
    ['whose hardware was taken away', () => home.remove('inverter_1/')],
    [
      'whose rule was switched off',
      () => home.rules.set({ rules: [{ ...entryOf('fault'), enabled: false }] }),
    ],
  ])('an alert %s clears once that can be stored', (_what, end) => {
    home = new WatchedHome();
    home.set({ 'inverter_1/fault': 'Fan locked' });
    home.pass(10);
    home.db.exec(`CREATE TEMP TRIGGER full BEFORE UPDATE ON alerts ${FULL}`);
    end();
    home.pass(10);
    expect(home.open).toEqual(['Inverter 1 reports: Fan locked']);
    home.db.exec('DROP TRIGGER full');
    home.poll();
    expect(home.states).toEqual(['fault raised', 'fault cleared']);
    home.pass(10);
    expect(home.states).toEqual(['fault raised', 'fault cleared']);
  });
});

describe('a stored alert that is damaged', () => {
  it.each(['kind', 'severity'])('an alert whose %s is unreadable is in no list', (column) => {
    home = new WatchedHome();
    const [damaged, readable] = ['Fan locked', 'Overload'].map((detail) =>
      home.alerts.insert({ ...FAULT, detail }),
    );
    home.db.exec(`UPDATE alerts SET ${column} = 'x' WHERE id = ${damaged?.id}`);
    expect(home.alerts.get(damaged?.id ?? 0)).toBeUndefined();
    const lists = [home.alerts.recent(10), home.alerts.open(), home.alerts.changesSince(0, 10)];
    for (const list of lists) expect(list).toEqual([readable]);
  });

  it('an alert whose value is unreadable has none', () => {
    home = new WatchedHome();
    const { id } = home.alerts.insert(FAULT);
    home.db.exec("UPDATE alerts SET value = '{'");
    expect(home.alerts.get(id)).toMatchObject({ detail: 'Fan locked', value: null });
  });

  it.each<[string, () => void]>([
    ['clears', () => home.set({ 'inverter_1/fault': 'OK' })],
    ['loses its hardware', () => home.remove('inverter_1/')],
  ])(
    'an alert that is damaged while it is open, and %s, is let go, and the next fault is another one',
    (_end, end) => {
      home = new WatchedHome();
      home.set({ 'inverter_1/fault': 'Fan locked' });
      home.pass(10);
      home.db.exec("UPDATE alerts SET kind = 'x'");
      end();
      home.pass(10);
      expect(home.log.filter((message) => message.startsWith('alerts '))).toEqual([]);
      home.set({ 'inverter_1/fault': 'Fan locked' });
      home.pass(1);
      expect(home.open).toEqual(['Inverter 1 reports: Fan locked']);
    },
  );
});

describe('an open alert', () => {
  it('an open alert has the time of the last poll that met its condition, also once it cleared', () => {
    home = new WatchedHome();
    const last = () => {
      const [alert] = home.alerts.recent(1);
      return alert && home.watch.current(alert).lastAt;
    };
    home.set({ 'inverter_1/fault': 'Fan locked' });
    home.pass(1);
    const metAt = home.clock.now();
    expect(last()).toBe(metAt);
    home.set({ 'inverter_1/fault': 'OK' });
    home.pass(4);
    expect(last()).toBe(metAt);
    home.pass(2);
    expect(home.open).toEqual([]);
    expect(last()).toBe(metAt);
    home.set({ 'inverter_1/fault': 'Over temperature' });
    home.pass(1);
    home.rules.set({ rules: [{ ...entryOf('fault'), enabled: false }] });
    const endedAt = home.clock.now();
    home.poll();
    expect(home.open).toEqual([]);
    expect(last()).toBe(endedAt);
  });

  it('an alert is acknowledged by the first person, until one takes that back', () => {
    home = new WatchedHome();
    home.set({ 'inverter_1/fault': 'Fan locked' });
    home.pass(1);
    const acknowledge = (...args: [boolean, string]) => {
      const { acknowledgedAt, acknowledgedBy } = home.watch.acknowledge(1, ...args);
      return [acknowledgedAt, acknowledgedBy];
    };
    const firstAt = home.clock.now();
    expect(acknowledge(true, 'ada')).toEqual([firstAt, 'ada']);
    home.pass(1);
    expect(acknowledge(true, 'bob')).toEqual([firstAt, 'ada']);
    expect(acknowledge(false, 'bob')).toEqual([null, null]);
    expect(acknowledge(false, 'bob')).toEqual([null, null]);
    expect(home.states).toEqual(['fault raised', 'fault acknowledged', 'fault raised']);
    expect(() => home.watch.acknowledge(2, true, 'ada')).toThrow(NotFound);
  });

  it('an alert that was acknowledged is so when it returns within the hour', () => {
    home = new WatchedHome();
    for (const fault of ['Fan locked', 'OK', 'Fan locked']) {
      home.set({ 'inverter_1/fault': fault });
      home.pass(6, 10_000);
      if (fault === 'Fan locked') home.watch.acknowledge(1, true, 'ada');
    }
    expect(home.states).toEqual(
      ['acknowledged', 'cleared', 'acknowledged'].flatMap((state, i) =>
        i === 0 ? ['fault raised', `fault ${state}`] : [`fault ${state}`],
      ),
    );
  });
});

it('a listener that unsubscribed gets no alert, and a watch that stopped raises none', () => {
  home = new WatchedHome();
  const details: (string | null)[] = [];
  const unsubscribe = home.watch.subscribe(({ detail }) => details.push(detail));
  const fault = (text: string): void => {
    home.set({ 'inverter_1/fault': text });
    home.pass(1);
  };
  fault('Fan locked');
  unsubscribe();
  fault('Over temperature');
  expect(details).toEqual(['Fan locked']);
  home.watch.stop();
  fault('Relay stuck');
  expect(home.open).toHaveLength(2);
});

describe('rules of the owner', () => {
  it('a rule that changes keeps its open alert, which the changed rule clears', () => {
    home = new WatchedHome();
    home.set({ 'battery_1/state_of_charge': 4 });
    home.pass(11);
    const { condition, ...rule } = entryOf('battery_low');
    home.rules.set({ rules: [{ ...rule, condition: { ...condition, limit: 3, clear_limit: 4 } }] });
    home.pass(4.9);
    expect(home.states).toEqual(['battery_low raised']);
    home.pass(0.2);
    expect(home.states).toEqual(['battery_low raised', 'battery_low cleared']);
  });

  it('an open alert takes the new severity of its rule, also one that changed while the device was off', () => {
    home = new WatchedHome();
    home.set({ 'battery_1/state_of_charge': 4 });
    home.pass(11);
    const setSeverity = (severity: AlertRuleEntry['severity']) =>
      home.rules.set({ rules: [{ ...entryOf('battery_low'), severity }] });
    const facts = () =>
      home.alerts.open().map(({ severity, times, raisedAt }) => [severity, times, raisedAt]);
    const raisedAt = home.alerts.open()[0]?.raisedAt;
    setSeverity('critical');
    home.poll();
    expect(facts()).toEqual([['critical', 1, raisedAt]]);
    expect(home.reported).toMatchObject([{ severity: 'warning' }, { severity: 'critical', state: 'raised' }]);
    setSeverity('information');
    home.restart();
    home.poll();
    expect(facts()).toEqual([['information', 1, raisedAt]]);
    home.pass(1);
    expect(home.reported).toHaveLength(3);
  });

  it('a condition that is met goes on when another rule changes', () => {
    home = new WatchedHome();
    home.set({ 'battery_1/state_of_charge': 4 });
    home.pass(9);
    home.rules.set({ rules: [{ ...entryOf('fault'), severity: 'warning' }] });
    home.pass(1.1);
    expect(home.open).toHaveLength(1);
    expect(home.log).toEqual(['an alert was raised']);
  });

  it('a rule watches each topic once that some of its globs match', () => {
    home = new WatchedHome();
    home.rules.set({
      rules: [
        {
          ...rule,
          condition: { ...rule.condition, topics: ['inverter_*/*_power', '*/load_power', 'meter_*/power'] },
        },
      ],
    });
    expect(home.watch.matching().get(rule.id)).toBe(2);
  });

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

  it('a rule raises an alert for each topic that its owner names, though one link carries both', () => {
    const units = ['inverter_1', 'battery_1'];
    home = new WatchedHome({ connections: new Map(units.map((unit) => [unit, 'gateway'])) });
    home.set(Object.fromEntries(units.map((unit) => [`${unit}/link_quality`, 75])));
    const limits = { limit: 80, clear_limit: 90, for_s: 0 };
    const condition = { kind: 'below' as const, topics: ['*/link_quality'], ...limits };
    home.rules.set({ rules: [{ ...rule, condition }] });
    home.poll();
    expect(home.open).toHaveLength(2);
  });

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
    home.rules.set({ rules: [{ ...entryOf('battery_low'), enabled: false }] });
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
