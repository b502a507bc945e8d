import type { AlertCondition } from '@heliograph/contracts';
import type { MetricValue } from '@heliograph/metrics';
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE_MS, NOON, WatchedHome } from '../../test/alerts/watched-home.ts';
import type { Rule } from '../config/alert-rules/alert-rules.ts';
import { HALF_WMS_PER_WH } from '../energy/energy-amount.ts';
import type { HourAmounts } from '../energy/hours/hour-ledger.ts';

const HOUR_MS = 60 * MINUTE_MS;

let home: WatchedHome;
afterEach(() => home.close());

/** A home with one more rule, of the file. */
function watch(condition: AlertCondition, values: Readonly<Record<string, MetricValue>> = {}): void {
  home = new WatchedHome({
    values,
    configured: [{ id: 'mine', name: null, enabled: true, severity: 'warning', condition }],
  });
}

const isOpen = (rule = 'mine'): boolean => home.alerts.open().some((alert) => alert.rule === rule);

const LOAD: Pick<AlertCondition, 'topics' | 'for_s'> = { topics: ['inverter_1/load_power'], for_s: 0 };
const MODE: Pick<AlertCondition, 'topics' | 'for_s'> = { topics: ['inverter_1/device_mode'], for_s: 0 };

/** Values in their order, each of which lasts for longer than an alert takes to clear, and whether an alert is open then. */
it.each<[string, AlertCondition, (readonly [value: MetricValue, isOpen: boolean])[]]>([
  [
    'above its limit',
    { ...LOAD, kind: 'above', limit: 3000 },
    [
      [3000, false],
      [3001, true],
      [3000, false],
    ],
  ],
  [
    'above its limit until it is at the limit to clear',
    { ...LOAD, kind: 'above', limit: 3000, clear_limit: 2500 },
    [
      [2999, false],
      [3001, true],
      [2501, true],
      [2500, false],
      [3001, true],
      [2499, false],
    ],
  ],
  [
    'below its limit',
    { ...LOAD, kind: 'below', limit: -10 },
    [
      [-10, false],
      [-11, true],
      [-10, false],
    ],
  ],
  [
    'below its limit until it is at the limit to clear',
    { ...LOAD, kind: 'below', limit: 100, clear_limit: 200 },
    [
      [99, true],
      [199, true],
      [200, false],
      [99, true],
      [201, false],
    ],
  ],
  [
    'below its limit after it was once at another',
    { ...LOAD, kind: 'below', limit: 100, only_after: 300 },
    [
      [99, false],
      [299, false],
      [99, false],
      [300, false],
      [99, true],
    ],
  ],
  [
    'equal to one of some texts in letters of any case',
    { ...MODE, kind: 'equals', values: ['Bypass', 'no LOAD'] },
    [
      ['Normal', false],
      [null, false],
      ['BYPASS', true],
      [null, true],
      ['Bypass mode', false],
      ['No load', true],
      ['Normal', false],
    ],
  ],
  [
    'other than all of some texts in letters of any case',
    { ...MODE, kind: 'differs', values: ['Normal', 'bypass'] },
    [
      ['NORMAL', false],
      [null, false],
      ['Standby', true],
      [null, true],
      ['Bypass', false],
    ],
  ],
])('an alert is open while a value is %s', (_when, condition, steps) => {
  const [topic = ''] = condition.topics;
  watch(condition, { [topic]: null });
  for (const [value, open] of steps) {
    home.set({ [topic]: value });
    home.pass(6, MINUTE_MS);
    expect([value, isOpen()]).toEqual([value, open]);
  }
});

describe('a value that stays', () => {
  const STAYS: AlertCondition = { kind: 'unchanged', topics: ['inverter_1/load_power'], for_s: 600 };

  /** The values of a poll in each of so many minutes. */
  function minutes(count: number, values: (minute: number) => Readonly<Record<string, MetricValue>>): void {
    for (let i = 0; i < count; i++) {
      home.clock.advance(MINUTE_MS);
      home.set(values(i));
    }
  }

  it.each<[string, boolean, (minute: number) => Readonly<Record<string, MetricValue>>]>([
    ['while another value of its unit moves', true, (i) => ({ 'inverter_1/pv_voltage': 380 + (i % 3) })],
    ['while all values of its unit stay', false, () => ({})],
    ['while a value of another unit moves', false, (i) => ({ 'battery_1/temperature': 20 + (i % 3) })],
    ['while a setting of its unit moves', false, (i) => ({ 'inverter_1/max_charge_current': 50 + (i % 3) })],
    ['while the quality of its link moves', false, (i) => ({ 'inverter_1/link_quality': 97 + (i % 3) })],
    [
      'after it changed while another value of its unit moves',
      true,
      (i) => ({ 'inverter_1/load_power': i === 0 ? 400 : 500, 'inverter_1/pv_voltage': 380 + (i % 3) }),
    ],
    [
      'after it changed while all values of its unit stay',
      false,
      (i) => ({ 'inverter_1/load_power': i === 0 ? 400 : 500 }),
    ],
    [
      'at 0 while another value of its unit moves',
      false,
      (i) => ({ 'inverter_1/load_power': 0, 'inverter_1/pv_voltage': 380 + (i % 3) }),
    ],
    [
      'for less than the time of the rule',
      false,
      (i) => ({ 'inverter_1/load_power': i < 6 ? 500 : 501, 'inverter_1/pv_voltage': 380 + (i % 3) }),
    ],
    [
      'with a gap in which it was unknown',
      false,
      (i) => ({ 'inverter_1/load_power': i === 6 ? null : 500, 'inverter_1/pv_voltage': 380 + (i % 3) }),
    ],
  ])('a value that stays %s raises: %s', (_when, open, values) => {
    watch(STAYS);
    minutes(14, values);
    expect(isOpen()).toBe(open);
  });

  it('a setting that stays is not a stuck value', () => {
    watch({ ...STAYS, topics: ['inverter_1/max_charge_current'] });
    minutes(12, (i) => ({ 'inverter_1/pv_voltage': 380 + (i % 3) }));
    expect(isOpen()).toBe(false);
  });

  it('a stuck value is noticed while only values move that the same rule watches', () => {
    watch({ ...STAYS, topics: ['inverter_1/*_power'] });
    minutes(12, (i) => ({ 'inverter_1/pv_power': 2000 + i }));
    expect(home.alerts.open().map(({ topic }) => topic)).toEqual(['inverter_1/load_power']);
  });

  it('a stuck value has an alert until it changes, also after a restart and while it is unknown', () => {
    watch(STAYS);
    const others = (i: number) => ({ 'inverter_1/pv_voltage': 380 + (i % 3) });
    minutes(12, others);
    expect(isOpen()).toBe(true);
    home.restart();
    minutes(12, others);
    expect(isOpen()).toBe(true);
    minutes(12, (i) => ({ ...others(i), 'inverter_1/load_power': null }));
    expect(isOpen()).toBe(true);
    minutes(1, (i) => ({ ...others(i), 'inverter_1/load_power': 501 }));
    expect(isOpen()).toBe(false);
    expect(home.alerts.recent(10)).toMatchObject([{ value: 500, times: 1 }]);
  });
});

describe('a counter', () => {
  const TOPIC = 'inverter_1/link_withheld_values';

  it.each<[string, boolean, readonly (readonly [minute: number, value: MetricValue])[]]>([
    [
      'by as much as the limit within the time',
      true,
      [
        [0, 5],
        [59, 15],
      ],
    ],
    [
      'by less than the limit',
      false,
      [
        [0, 5],
        [59, 14],
      ],
    ],
    [
      'by as much in steps, each of them within the time',
      true,
      [
        [0, 5],
        [20, 10],
        [59, 15],
      ],
    ],
    [
      'by as much in more than the time',
      false,
      [
        [0, 5],
        [10, 10],
        [71, 15],
      ],
    ],
    [
      'by as much after a long rest',
      true,
      [
        [0, 5],
        [300, 15],
      ],
    ],
    [
      'by as much around a gap in which it is unknown',
      true,
      [
        [0, 5],
        [20, null],
        [40, 15],
      ],
    ],
    [
      'to as much after it began again at 0',
      false,
      [
        [0, 100],
        [20, 0],
        [40, 9],
      ],
    ],
    [
      'by as much after it began again at 0',
      true,
      [
        [0, 100],
        [20, 0],
        [40, 10],
      ],
    ],
  ])('a counter that rises %s raises: %s', (_how, open, points) => {
    watch({ kind: 'rises', topics: [TOPIC], limit: 10, for_s: 3600 }, { [TOPIC]: null });
    for (let minute = 0; minute <= (points.at(-1)?.[0] ?? 0); minute++) {
      const [, value] = points.findLast(([at]) => at <= minute) ?? [];
      home.set({ [TOPIC]: value ?? null });
      home.clock.advance(MINUTE_MS);
    }
    expect(isOpen()).toBe(open);
  });
});

describe('low production', () => {
  const DAYS = 14;

  /** Homes whose hours from 05:00 to 17:00 bring 1 kWh; of today, parts of it. */
  const hoursWith = (percentAt: (hour: number) => number) => (fromMs: number, toMs: number) => {
    const hours = new Map<number, HourAmounts>();
    const today = NOON - 5 * HOUR_MS;
    for (let day = 0; day <= DAYS; day++) {
      for (let i = 0; i < 12; i++) {
        const hour = today - day * 24 * HOUR_MS + i * HOUR_MS;
        const percent = day === 0 ? percentAt(hour) : 100;
        if (hour >= fromMs && hour < toMs)
          hours.set(hour, { covered_ms: HOUR_MS, pv: Math.round(percent * 10 * HALF_WMS_PER_WH) });
      }
    }
    return hours;
  };

  it.each([
    ['below 3 %', 2.99, true],
    ['3 %', 3, false],
    ['all', 100, false],
  ])('three hours that bring %s of what is usual raise: %s', (_how, percent, open) => {
    home = new WatchedHome({ hours: hoursWith(() => percent) });
    expect(isOpen('low_production')).toBe(open);
  });

  it('an alert has the energies, and clears once three hours bring twice as much as its limit', () => {
    const percentAt = (hour: number): number => (hour < NOON ? 2 : hour < NOON + 3 * HOUR_MS ? 5.99 : 6);
    home = new WatchedHome({ hours: hoursWith(percentAt) });
    expect(home.reported).toMatchObject([{ value: 0.06, limit: 3, unit: 'kWh', topic: 'total/pv_power' }]);
    home.pass(180, MINUTE_MS);
    expect(home.states).toEqual(['low_production raised']);
    home.pass(180, MINUTE_MS);
    expect(home.states).toEqual(['low_production raised', 'low_production cleared']);
  });

  it('nothing is cleared while nothing is usual', () => {
    home = new WatchedHome({ hours: hoursWith(() => 2) });
    home.pass(12 * 60, MINUTE_MS);
    expect(home.states).toEqual(['low_production raised']);
  });

  it.each([3600, 600])('a rule of %i seconds compares the last full hour from then on', (seconds) => {
    home = new WatchedHome({ hours: hoursWith((hour) => (hour === NOON - HOUR_MS ? 1 : 100)) });
    expect(isOpen('low_production')).toBe(false);
    const { source: _, ...rule } = home.rules.all.find(({ id }) => id === 'low_production') as Rule;
    home.rules.set({ rules: [{ ...rule, condition: { ...rule.condition, for_s: seconds } }] });
    home.poll();
    expect(isOpen('low_production')).toBe(true);
  });
});
