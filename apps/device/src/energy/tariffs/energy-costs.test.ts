import type { Tariff } from '@heliograph/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localTime, startOfDay } from '../../common/local-time.ts';
import { HALF_WMS_PER_WH } from '../energy-amount.ts';
import type { HourAmounts } from '../hours/hour-ledger.ts';
import { EnergyCosts } from './energy-costs.ts';

const HOUR_MS = 60 * 60 * 1000;
const KWH = HALF_WMS_PER_WH * 1000;

/** kWh of an hour of the local clock, which begins at a moment. */
type Home = (hour: number, at: number) => Readonly<Partial<Record<keyof HourAmounts, number>>>;

interface Time {
  readonly from: string;
  readonly to: string;
}

function startOf(date: string, zone: string): number {
  return startOfDay(Date.parse(date) / (24 * HOUR_MS), zone);
}

/** The costs of a home whose energy is known from a date to another one, at the end of which it is now. */
function costsOf(tariffs: readonly Tariff[], zone: string, known: Time, home: Home): EnergyCosts {
  const [since, nowMs] = [startOf(known.from, zone), startOf(known.to, zone)];
  const hours = new Map<number, HourAmounts>();
  for (let at = since; at < nowMs; at += HOUR_MS) {
    const clock = Math.floor((localTime(at, zone) / HOUR_MS) % 24);
    const entries = Object.entries(home(clock, at)).map(([name, kwh]) => [name, Math.round(kwh * KWH)]);
    if (entries.length > 0) hours.set(at, Object.fromEntries(entries));
  }
  return new EnergyCosts({
    tariffs,
    zone,
    nowMs,
    since,
    hours: (fromMs, toMs) => new Map([...hours].filter(([at]) => at >= fromMs && at < toMs)),
  });
}

function between(costs: EnergyCosts, zone: string, { from, to }: Time) {
  const found = costs.costs(startOf(from, zone), startOf(to, zone));
  if (found === undefined) return undefined;
  const { isUnsettled: _, ...sums } = found;
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum.toFixed(2)]));
}

const MONDAY_TO_FRIDAY = [1, 2, 3, 4, 5];

describe('a German contract with two prices and a feed-in tariff', () => {
  /**
   * Basic supply of Stadtwerke Neustadt a. d. Donau with a cheaper night, from 2022-07-01: 24.37 and 20.21 ct/kWh, 99.90 € a
   * year and 28.10 € for the meter (stadtwerke-neustadt-do.de/strom_tarif.aspx). Feed-in: § 48 EEG 2023, 8.2 ct/kWh.
   */
  const TARIFF: Tariff = {
    valid_from: '2022-07-01',
    currency: 'EUR',
    import: [
      {
        name: 'HT',
        price: 0.2437,
        months: [4, 5, 6, 7, 8, 9],
        weekdays: MONDAY_TO_FRIDAY,
        from_hour: 6,
        to_hour: 18,
      },
      {
        name: 'HT',
        price: 0.2437,
        months: [10, 11, 12, 1, 2, 3],
        weekdays: MONDAY_TO_FRIDAY,
        from_hour: 6,
        to_hour: 22,
      },
      { name: 'HT', price: 0.2437, weekdays: [6], from_hour: 6, to_hour: 13 },
      { name: 'NT', price: 0.2021 },
    ],
    export: [{ price: 0.082 }],
    fixed_charges: [
      { amount: 99.9, per: 'year' },
      { amount: 28.1, per: 'year' },
    ],
  };
  const ZONE = 'Europe/Berlin';
  const home: Home = (hour) => ({
    grid_in: 0.5,
    grid_out: hour >= 10 && hour < 15 ? 0.3 : 0,
    pv_to_load: hour === 12 ? 1 : 0,
  });
  const costs = costsOf([TARIFF], ZONE, { from: '2022-10-01', to: '2023-04-01' }, home);

  it('a month whose night of 25 hours is cheap is billed to the cent', () => {
    // 21 days of 16 hours and 5 Saturdays of 7 are dear: 371 of 745 hours.
    expect(between(costs, ZONE, { from: '2022-10-01', to: '2022-11-01' })).toEqual({
      importCost: (371 * 0.5 * 0.2437 + 374 * 0.5 * 0.2021).toFixed(2),
      exportEarnings: '3.81',
      fixedCharges: '10.87',
      savings: (26 * 0.2437 + 5 * 0.2021).toFixed(2),
    });
  });

  it('a month whose night has 23 hours costs an hour less', () => {
    // 23 days of 16 hours and 4 Saturdays of 7 are dear: 396 of 743 hours.
    expect(between(costs, ZONE, { from: '2023-03-01', to: '2023-04-01' })?.importCost).toBe('83.32');
  });

  it('the day of the change costs 25 cheap hours', () => {
    expect(between(costs, ZONE, { from: '2022-10-30', to: '2022-10-31' })?.importCost).toBe(
      (25 * 0.5 * 0.2021).toFixed(2),
    );
  });
});

describe('the Spanish access tariff 2.0TD', () => {
  /** From 2021-06-01 (BOE-A-2021-4565 and BOE-A-2021-6390): three prices, two of them for power, here for 4.6 kW. */
  const TARIFF: Tariff = {
    valid_from: '2021-06-01',
    currency: 'EUR',
    import: [
      { name: 'P1', price: 0.133118, weekdays: MONDAY_TO_FRIDAY, from_hour: 10, to_hour: 14 },
      { name: 'P1', price: 0.133118, weekdays: MONDAY_TO_FRIDAY, from_hour: 18, to_hour: 22 },
      { name: 'P2', price: 0.041772, weekdays: MONDAY_TO_FRIDAY, from_hour: 8, to_hour: 24 },
      { name: 'P3', price: 0.006001 },
    ],
    export: [{ price: 0.05 }],
    export_limit: 'import_cost',
    fixed_charges: [
      { amount: 30.67266 * 4.6, per: 'year' },
      { amount: 1.424359 * 4.6, per: 'year' },
    ],
    holidays: ['2021-10-12'],
  };
  const ZONE = 'Europe/Madrid';
  const home: Home = (hour) => ({ grid_in: 1, grid_out: hour >= 8 && hour < 20 ? 3 : 0 });
  const costs = costsOf([TARIFF], ZONE, { from: '2021-10-01', to: '2021-11-01' }, home);

  it('a month with a holiday and a day of 25 hours is billed to the cent, and its exports earn no more', () => {
    // 20 working days without the holiday: 160 hours of P1, 160 of P2, and the 425 others.
    expect(between(costs, ZONE, { from: '2021-10-01', to: '2021-11-01' })).toEqual({
      importCost: '30.53',
      exportEarnings: '30.53',
      fixedCharges: '12.54',
      savings: '0.00',
    });
  });

  it('a holiday is cheap all day, and in a single day exports have their price', () => {
    expect(between(costs, ZONE, { from: '2021-10-12', to: '2021-10-13' })).toMatchObject({
      importCost: '0.14',
      exportEarnings: '1.80',
    });
  });
});

describe('net metering by time of use in Pennsylvania', () => {
  /** PPL Electric Utilities, "Net Metering Time-of-Use", June to November: 11.484 and 10.017 ct/kWh (pplelectric.com). */
  const TARIFF: Tariff = {
    valid_from: '2024-06-01',
    currency: 'USD',
    import: [
      {
        name: 'On-peak',
        price: 0.11484,
        months: [6, 7, 8, 9, 10, 11],
        weekdays: MONDAY_TO_FRIDAY,
        from_hour: 14,
        to_hour: 18,
      },
      { name: 'Off-peak', price: 0.10017 },
    ],
    export: [{ price: 0 }],
    fixed_charges: [],
    holidays: ['2024-11-28'],
    net_metering: { surplus_price: 0.1, year_ends: 5 },
  };
  const ZONE = 'America/New_York';

  it('a month with a day of 25 hours is billed for the net energy of each band', () => {
    const home: Home = (hour) => ({ grid_in: 1, grid_out: hour >= 11 && hour < 15 ? 2 : 0 });
    const costs = costsOf([TARIFF], ZONE, { from: '2024-11-01', to: '2024-12-01' }, home);
    // 80 kWh less 40 in 20 working days, 641 kWh less 200 in the other hours.
    expect(between(costs, ZONE, { from: '2024-11-01', to: '2024-12-01' })?.importCost).toBe(
      (40 * 0.11484 + 441 * 0.10017).toFixed(2),
    );
    expect(between(costs, ZONE, { from: '2024-11-03', to: '2024-11-04' })).toMatchObject({
      importCost: (25 * 0.10017).toFixed(2),
      exportEarnings: (8 * 0.10017).toFixed(2),
    });
  });

  it('kWh that a month leaves pay for the next months, and those that the year leaves are paid for', () => {
    const zone = 'UTC';
    const [aprilMs, mayMs] = [startOf('2025-04-01', zone), startOf('2025-05-01', zone)];
    const home: Home = (_, at) => ({ grid_in: 1, grid_out: at >= aprilMs && at < mayMs ? 4 : 0 });
    const flat: Tariff = { ...TARIFF, import: [{ price: 0.1 }] };
    const costs = costsOf([flat], zone, { from: '2025-03-01', to: '2025-07-01' }, home);
    const bill = (from: string, to: string) => {
      const { importCost = '', exportEarnings = '' } = between(costs, zone, { from, to }) ?? {};
      return [importCost, exportEarnings];
    };
    expect(bill('2025-03-01', '2025-04-01')).toEqual(['74.40', '0.00']);
    // 2,160 kWh are left, and May needs 744 of them.
    expect(bill('2025-04-01', '2025-05-01')).toEqual(['0.00', '0.00']);
    expect(bill('2025-05-01', '2025-06-01')).toEqual(['0.00', (1_416 * 0.1).toFixed(2)]);
    expect(bill('2025-06-01', '2025-07-01')).toEqual(['72.00', '0.00']);
    expect(bill('2025-03-01', '2025-07-01')).toEqual(['146.40', '141.60']);
  });

  const PEAK = { price: 0.4, from_hour: 14, to_hour: 18 };
  const OFF_PEAK = { price: 0.1, from_hour: 18, to_hour: 14 };
  const NAMED = [
    { ...PEAK, name: 'Peak' },
    { ...OFF_PEAK, name: 'Off-peak' },
  ];

  it.each([
    ['with the same bands in another order', '2025-04-01', NAMED, NAMED.toReversed(), 30 * 0.1],
    [
      'that begins within a month, with the bands in another order',
      '2025-04-16',
      NAMED,
      NAMED.toReversed(),
      15 * 0.1,
    ],
    ['with the same bands without names', '2025-04-01', [PEAK, OFF_PEAK], [PEAK, OFF_PEAK], 30 * 0.1],
    [
      'with bands of other names',
      '2025-04-01',
      NAMED,
      [
        { ...PEAK, name: 'Day' },
        { ...OFF_PEAK, name: 'Night' },
      ],
      30 * 0.5,
    ],
  ])('kWh of peak hours are carried into a contract %s', (_how, changes, before, after, importCost) => {
    const zone = 'UTC';
    const changeMs = startOf(changes, zone);
    const home: Home = (hour, at) => {
      if (at < changeMs) return { grid_out: hour === 15 ? 3 : 0 };
      return { grid_in: hour === 15 || hour === 3 ? 1 : 0 };
    };
    const tariffs = [
      { ...TARIFF, import: before },
      { ...TARIFF, valid_from: changes, import: after },
    ];
    const costs = costsOf(tariffs, zone, { from: '2025-03-01', to: '2025-05-01' }, home);
    expect(between(costs, zone, { from: '2025-04-01', to: '2025-05-01' })?.importCost).toBe(
      importCost.toFixed(2),
    );
  });
});

describe('net metering that is settled by the year, as in the Netherlands and in Hungary', () => {
  const ZONE = 'Europe/Amsterdam';
  const tariff = (more: Partial<NonNullable<Tariff['net_metering']>> = {}, price = 0.3): Tariff => ({
    valid_from: '2024-01-01',
    currency: 'EUR',
    import: [{ price }],
    export: [{ price: 0.05 }],
    fixed_charges: [],
    net_metering: { settled: 'year', surplus_price: 0.05, year_ends: 12, ...more },
  });
  /** 200 kWh from the grid in each month, and 400 kWh to it from April to September. */
  const home: Home = (hour, at) => {
    const date = new Date(localTime(at, ZONE));
    if (date.getUTCDate() !== 10 || hour !== 12) return {};
    const month = date.getUTCMonth() + 1;
    return { grid_in: 200, grid_out: month >= 4 && month <= 9 ? 400 : 0 };
  };
  const years = (tariffs: readonly Tariff[], to = '2026-01-01') =>
    costsOf(tariffs, ZONE, { from: '2024-01-01', to }, home);
  const bill = (costs: EnergyCosts, from: string, to: string) => {
    const { importCost = '', exportEarnings = '' } = between(costs, ZONE, { from, to }) ?? {};
    return [Number(importCost), Number(exportEarnings)];
  };
  const FIRST_DAYS = Array.from({ length: 13 }, (_, i) =>
    new Date(Date.UTC(2025, i)).toISOString().slice(0, 10),
  );

  it.each([
    [12, '2025-01-01', '2026-01-01'],
    [9, '2024-10-01', '2025-10-01'],
    [3, '2024-04-01', '2025-04-01'],
  ])(
    'a home that exports what it imports owes nothing for a year that ends with month %i',
    (ends, from, to) => {
      const costs = years([tariff({ year_ends: ends })]);
      expect(bill(costs, from, to).map(Math.abs)).toEqual([0, 0]);
    },
  );

  it('a tariff that names no period is settled by the month', () => {
    const { net_metering: yearly, ...rest } = tariff();
    const net_metering = { surplus_price: yearly?.surplus_price ?? 0, year_ends: 12 };
    expect(bill(years([{ ...rest, net_metering }]), '2025-01-01', '2026-01-01')).toEqual([180, 30]);
    expect(bill(years([tariff({ settled: 'month' })]), '2025-01-01', '2026-01-01')).toEqual([180, 30]);
  });

  it('a month shows what it adds to the bill of the year, and the months add up to it', () => {
    const costs = years([tariff()]);
    const months = FIRST_DAYS.slice(0, 12).map((from, i) => bill(costs, from, FIRST_DAYS[i + 1] ?? '')[0]);
    expect(months.map((cost) => (cost ?? 0) + 0)).toEqual([60, 60, 60, -60, -60, -60, 0, 0, 0, 0, 0, 0]);
    expect(bill(costs, '2025-01-01', '2025-05-01')).toEqual([120, 0]);
  });

  it('a year that goes on has what is owed until now, and none of its surplus is paid yet', () => {
    expect(bill(years([tariff()], '2025-03-15'), '2025-01-01', '2026-01-01')).toEqual([180, 0]);
    expect(bill(years([tariff()], '2025-10-01'), '2025-01-01', '2026-01-01')).toEqual([0, 0]);
  });

  it('kWh that a year has left are paid for at its end', () => {
    const sunny: Home = (hour, at) => ({
      ...home(hour, at),
      ...((home(hour, at).grid_out ?? 0) > 0 && { grid_out: 500 }),
    });
    const costs = costsOf([tariff()], ZONE, { from: '2024-01-01', to: '2026-01-01' }, sunny);
    expect(bill(costs, '2025-01-01', '2026-01-01')).toEqual([0, 30]);
    expect(bill(costs, '2025-12-01', '2026-01-01')).toEqual([0, 30]);
  });

  it.each(['2025-10-01', '2025-09-20'])(
    'kWh that are left when net metering ends on %s are paid for',
    (end) => {
      const { net_metering: _, ...without } = tariff();
      const costs = years([tariff({ year_ends: 6 }), { ...without, valid_from: end }]);
      expect(bill(costs, '2025-07-01', '2025-10-01')).toEqual([0, 600 * 0.05]);
      expect(bill(costs, '2025-10-01', '2025-11-01')).toEqual([60, 0]);
    },
  );

  it('imports that no export pays for cost the mean price where it changes within the year', () => {
    const dearer = { ...tariff({}, 0.5), valid_from: '2025-07-01' };
    const autumn: Home = (hour, at) => ({
      ...home(hour, at),
      ...((home(hour, at).grid_out ?? 0) > 0 && { grid_out: 200 }),
    });
    const costs = costsOf([tariff(), dearer], ZONE, { from: '2024-01-01', to: '2026-01-01' }, autumn);
    // 2,400 kWh in at 0.40 on average, 1,200 out.
    expect(bill(costs, '2025-01-01', '2026-01-01')).toEqual([480, 0]);
  });

  it('the bills of months add up to the year, whatever the home does and whenever its year ends', () => {
    const kWh = fc.array(fc.tuple(fc.nat(900), fc.nat(900)), { minLength: 24, maxLength: 24 });
    fc.assert(
      fc.property(kWh, fc.integer({ min: 1, max: 12 }), (months, ends) => {
        const any: Home = (hour, at) => {
          const date = new Date(localTime(at, ZONE));
          if (date.getUTCDate() !== 10 || hour !== 12) return {};
          const [grid_in, grid_out] = months[(date.getUTCFullYear() - 2024) * 12 + date.getUTCMonth()] ?? [
            0, 0,
          ];
          return { grid_in, grid_out };
        };
        const known = { from: '2024-01-01', to: '2026-01-01' };
        const whole = costsOf([tariff({ year_ends: ends })], ZONE, known, any);
        const parts = costsOf([tariff({ year_ends: ends })], ZONE, known, any);
        const sum = FIRST_DAYS.slice(0, 12).reduce((total, from, i) => {
          const month = parts.costs(startOf(from, ZONE), startOf(FIRST_DAYS[i + 1] ?? '', ZONE));
          return total + (month?.importCost ?? 0) - (month?.exportEarnings ?? 0);
        }, 0);
        const year = whole.costs(startOf('2025-01-01', ZONE), startOf('2026-01-01', ZONE));
        expect((year?.importCost ?? 0) - (year?.exportEarnings ?? 0)).toBeCloseTo(sum, 6);
      }),
      { numRuns: 5 },
    );
  });
});

it('a flat rate with a credit for exports is billed to the cent over a day of 23 hours', () => {
  /** Uintah, "Net Metering Rate, Single Phase": $30.95 a month, 5.718 ct/kWh, credit 3.734 ct/kWh (uec.coop). */
  const tariff: Tariff = {
    valid_from: '2025-01-01',
    currency: 'USD',
    import: [{ price: 0.05718 }],
    export: [{ price: 0.03734 }],
    fixed_charges: [{ amount: 30.95, per: 'month' }],
  };
  const zone = 'America/Denver';
  const march = { from: '2025-03-01', to: '2025-04-01' };
  const costs = costsOf([tariff], zone, march, () => ({ grid_in: 1, grid_out: 0.5 }));
  expect(between(costs, zone, march)).toEqual({
    importCost: '42.48',
    exportEarnings: '13.87',
    fixedCharges: '30.95',
    savings: '0.00',
  });
});

describe('parts of a month that is settled as a whole', () => {
  const ZONE = 'Europe/Madrid';
  const time = { from: '2026-01-01', to: '2026-02-11' };
  const flat: Tariff = {
    valid_from: '2025-01-01',
    currency: 'EUR',
    import: [{ price: 0.3 }],
    export: [{ price: 0.1 }],
    fixed_charges: [],
  };

  it.each([
    ['a limit of earnings', { ...flat, export_limit: 'import_cost' as const }, true],
    ['net metering', { ...flat, net_metering: { surplus_price: 0.05, year_ends: 12 } }, true],
    [
      'net metering by the year',
      { ...flat, net_metering: { settled: 'year' as const, surplus_price: 0.05, year_ends: 12 } },
      true,
    ],
    ['neither', flat, false],
  ])(
    'costs of parts of a month with %s are marked as unsettled, and those of bills are not',
    (_what, tariff, marked) => {
      const costs = costsOf([tariff], ZONE, time, () => ({ grid_in: 1, grid_out: 2 }));
      const isUnsettled = (from: string, to: string) =>
        costs.costs(startOf(from, ZONE), startOf(to, ZONE))?.isUnsettled;
      expect(isUnsettled('2026-01-05', '2026-01-06')).toBe(marked);
      expect(isUnsettled('2026-01-01', '2026-01-31')).toBe(marked);
      expect(isUnsettled('2026-01-26', '2026-02-02')).toBe(marked);
      expect(isUnsettled('2026-01-01', '2026-02-01')).toBe(false);
      // The present month is settled until now.
      expect(isUnsettled('2026-01-01', '2027-01-01')).toBe(false);
    },
  );
});

describe('tariffs that follow each other', () => {
  const ZONE = 'Europe/Berlin';
  const flat = (date: string, price: number, currency = 'EUR'): Tariff => ({
    valid_from: date,
    currency,
    import: [{ price }],
    export: [{ price: 0 }],
    fixed_charges: [],
  });
  const known = { from: '2026-01-01', to: '2026-02-01' };

  it('each day has the prices of its own tariff, and days before the first one cost nothing that is known', () => {
    const costs = costsOf([flat('2026-01-11', 0.3), flat('2026-01-21', 0.4)], ZONE, known, () => ({
      grid_in: 1,
    }));
    expect(between(costs, ZONE, { from: '2026-01-01', to: '2026-01-11' })).toBeUndefined();
    expect(between(costs, ZONE, { from: '2026-01-20', to: '2026-01-22' })?.importCost).toBe('16.80');
  });

  it('amounts in another currency than the present one are unknown', () => {
    const costs = costsOf([flat('2025-01-01', 0.3, 'DEM'), flat('2026-01-21', 0.4)], ZONE, known, () => ({
      grid_in: 1,
    }));
    expect(costs.currency).toBe('EUR');
    expect(between(costs, ZONE, { from: '2026-01-01', to: '2026-01-11' })).toBeUndefined();
  });

  /** 1 kWh in each hour. */
  const summed = (tariffs: readonly Tariff[], zone: string, home: Time, time: Time) => {
    const found = costsOf(tariffs, zone, home, () => ({ grid_in: 1 })).costs(
      startOf(time.from, zone),
      startOf(time.to, zone),
    );
    const since = found?.sinceMs;
    return (
      found && [
        Number(found.importCost.toFixed(2)),
        since === undefined ? 'whole' : new Date(localTime(since, zone)).toISOString().slice(0, 10),
      ]
    );
  };

  it.each([
    ['a time with prices all along', '2026-01-11', '2026-02-01', [151.2, 'whole']],
    ['a month in which the first prices begin', '2026-01-01', '2026-02-01', [151.2, '2026-01-11']],
    ['a year in which the first prices begin', '2026-01-01', '2027-01-01', [151.2, '2026-01-11']],
    ['a year that begins before the energy', '2025-01-01', '2027-01-01', [151.2, '2026-01-11']],
    ['some days around the first prices', '2026-01-10', '2026-01-13', [14.4, '2026-01-11']],
    ['the last day without a price', '2026-01-10', '2026-01-11', undefined],
    ['a time that has not begun', '2026-03-01', '2026-04-01', undefined],
  ])(
    'the costs of %s have the beginning of the prices, if they are not for all of it',
    (_what, from, to, expected) => {
      expect(summed([flat('2026-01-11', 0.3)], ZONE, known, { from, to })).toEqual(expected);
    },
  );

  it('prices that begin after the first energy of a home are whole from then on alone', () => {
    const home = { from: '2026-01-20', to: '2026-02-01' };
    const january = { from: '2026-01-01', to: '2026-02-01' };
    expect(summed([flat('2026-01-11', 0.3)], ZONE, home, january)).toEqual([86.4, 'whole']);
  });

  /** The lev until the end of 2025, and the euro since. */
  const BULGARIA = [flat('2025-01-01', 0.29, 'BGN'), flat('2026-01-01', 0.15)];

  it.each([
    ['a month before it', '2025-12-01', '2026-01-01', undefined],
    ['the months around it', '2025-07-01', '2026-03-01', [212.4, '2026-01-01']],
    ['the first month after it', '2026-01-01', '2026-02-01', [111.6, 'whole']],
  ])(
    'the costs around a change of the currency are those in the new one: %s',
    (_what, from, to, expected) => {
      const home = { from: '2025-07-01', to: '2026-03-01' };
      expect(summed(BULGARIA, 'Europe/Sofia', home, { from, to })).toEqual(expected);
    },
  );

  it('a month in which the currency changes has the costs since the change, marked with it', () => {
    const tariffs = [flat('2025-01-01', 0.29, 'BGN'), flat('2026-01-15', 0.15)];
    const january = { from: '2026-01-01', to: '2026-02-01' };
    expect(summed(tariffs, 'Europe/Sofia', january, january)).toEqual([61.2, '2026-01-15']);
  });

  it('a time with a former currency at its end has no costs, also after days in the present one', () => {
    const tariffs = [flat('2025-01-01', 0.3), flat('2026-01-11', 3, 'SEK'), flat('2026-01-21', 0.3)];
    expect(summed(tariffs, ZONE, known, { from: '2026-01-01', to: '2026-01-16' })).toBeUndefined();
    expect(summed(tariffs, ZONE, known, { from: '2026-01-01', to: '2026-02-01' })).toEqual([
      79.2,
      '2026-01-21',
    ]);
  });

  it('the days of a month add up to the month, whatever the bands', () => {
    const band = fc.record({
      price: fc.double({ min: -1, max: 2, noNaN: true }),
      weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      from_hour: fc.integer({ min: 0, max: 11 }),
      to_hour: fc.integer({ min: 12, max: 24 }),
    });
    fc.assert(
      fc.property(fc.array(band, { maxLength: 5 }), (bands) => {
        const march = { from: '2026-03-01', to: '2026-04-01' };
        const tariff = { ...flat('2026-01-01', 0.2), import: [...bands, { price: 0.2 }] };
        const costs = costsOf([tariff], ZONE, march, (hour) => ({ grid_in: hour }));
        let sum = 0;
        for (let day = 1; day <= 31; day++) {
          const from = startOf(`2026-03-${String(day).padStart(2, '0')}`, ZONE);
          sum +=
            costs.costs(from, startOfDay(Date.parse('2026-03-01') / (24 * HOUR_MS) + day, ZONE))
              ?.importCost ?? 0;
        }
        const month = costs.costs(startOf(march.from, ZONE), startOf(march.to, ZONE))?.importCost ?? 0;
        expect(sum).toBeCloseTo(month, 6);
      }),
      { numRuns: 30 },
    );
  });
});
