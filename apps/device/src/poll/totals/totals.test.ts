import { METER_ROLES, type MeterRole, type MetricValue, type UnitKind } from '@heliograph/metrics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balanceRounded, computeTotals, type UnitValues } from './totals.ts';

type Values = Readonly<Record<string, MetricValue>>;

const unit = (kind: UnitKind, values: Values, readAt = 1_000, role?: MeterRole): UnitValues => ({
  kind,
  role,
  values: new Map(
    Object.entries(values).map(([name, value]) => [name, { value, readAt, readAtMonotonic: readAt }]),
  ),
});
const inverter = (values: Values, readAt?: number) => unit('inverters', values, readAt);
const battery = (values: Values, readAt?: number) => unit('batteries', values, readAt);
const meter = (role: MeterRole | undefined, values: Values, readAt?: number) =>
  unit('meters', values, readAt, role);
const charger = (values: Values, readAt?: number) => unit('chargers', values, readAt);
const generator = (values: Values, readAt?: number) => unit('generators', values, readAt);

/** The totals by name. */
const totals = (...units: readonly UnitValues[]): Values =>
  Object.fromEntries(computeTotals(units).map(({ definition, value }) => [definition.name, value]));

const watts = fc.integer({ min: -9_000, max: 9_000 });

/** A home, what flows in it, and units that measure it, several of them the same thing. */
interface MeasuredHome {
  readonly units: readonly UnitValues[];
  /** In watts; undefined where nothing measures it. */
  readonly truth: {
    readonly pv: number | undefined;
    readonly grid: number | undefined;
    readonly battery: number | undefined;
    readonly generator: number | undefined;
  };
}

const homes: fc.Arbitrary<MeasuredHome> = fc
  .record({
    pv: fc.array(fc.tuple(watts, fc.constantFrom('inverters', 'chargers', 'meters')), { maxLength: 4 }),
    grid: fc.option(
      fc.record({ watts, byInverter: fc.boolean(), byMeters: fc.array(watts, { maxLength: 3 }) }),
    ),
    battery: fc.option(fc.record({ watts, byInverter: fc.boolean(), byBattery: fc.boolean() })),
    generator: fc.option(
      fc.record({
        watts,
        // At an input of its own, or at that of the grid, which then carries both.
        byInverter: fc.boolean(),
        by: fc.subarray(['meters', 'generators'] as const),
      }),
    ),
  })
  .map(({ pv, grid, battery: stored, generator: set }) => {
    const gridByMeters = grid !== null && grid.byMeters.length > 0;
    const gridIsMeasured = grid !== null && (grid.byInverter || gridByMeters);
    const setIsMeasured = set !== null && (set.byInverter || set.by.length > 0);
    const meterWatts = grid?.byMeters.slice(1) ?? [];
    const rest = (grid?.watts ?? 0) - meterWatts.reduce((sum, each) => sum + each, 0);
    const atGridInput = set !== null && setIsMeasured && !set.byInverter ? set.watts : 0;
    const hybrid: Values = {
      ...(grid?.byInverter && { 'Grid power': grid.watts + atGridInput }),
      ...(stored?.byInverter && { 'Battery power': stored.watts }),
      ...(set?.byInverter && { 'Generator power': set.watts }),
    };
    const units = [
      inverter(hybrid),
      ...pv.map(([power, kind]) =>
        kind === 'meters' ? meter('pv', { Power: power }) : unit(kind, { 'PV power': power }),
      ),
      ...(gridByMeters ? [rest, ...meterWatts].map((each) => meter('grid', { Power: each })) : []),
      ...(stored?.byBattery ? [battery({ Power: stored.watts })] : []),
      ...(set?.by.map((kind) =>
        kind === 'meters' ? meter('generator', { Power: set.watts }) : generator({ Power: set.watts }),
      ) ?? []),
    ];
    return {
      units,
      truth: {
        pv: pv.length === 0 ? undefined : pv.reduce((sum, [power]) => sum + power, 0),
        grid: gridIsMeasured ? grid.watts : undefined,
        battery: stored?.byInverter || stored?.byBattery ? stored.watts : undefined,
        generator: setIsMeasured ? set.watts : undefined,
      },
    };
  });

/** Units of every kind with any of their powers, known or not. */
const anyUnits: fc.Arbitrary<readonly UnitValues[]> = fc.array(
  fc.oneof(
    ...(
      [
        [
          'inverters',
          ['PV power', 'Grid power', 'Battery power', 'Charge power', 'Generator power', 'Load power'],
        ],
        ['batteries', ['Power']],
        ['meters', ['Power']],
        ['chargers', ['PV power', 'Charge power']],
        ['generators', ['Power']],
      ] as const
    ).map(([kind, names]) =>
      fc
        .tuple(
          fc.dictionary(
            fc.constantFrom(...names),
            fc.option(fc.double({ min: -50_000, max: 50_000, noNaN: true })),
          ),
          fc.constantFrom(undefined, ...METER_ROLES),
        )
        .map(([values, role]) => unit(kind, values, 1_000, kind === 'meters' ? role : undefined)),
    ),
  ),
  { maxLength: 8 },
);

describe('computeTotals', () => {
  it.each<[string, readonly UnitValues[], Values]>([
    ['of nothing are none', [], {}],
    ['of an inverter that only makes power', [inverter({ 'PV power': 700 })], { 'PV power': 700 }],
    [
      'of a hybrid inverter',
      [inverter({ 'PV power': 3000, 'Grid power': -500, 'Battery power': 1500, 'Load power': 1000 })],
      { 'PV power': 3000, 'Load power': 1000, 'Grid power': -500, 'Battery power': 1500 },
    ],
    [
      'of a hybrid and a string inverter: the load is what balances',
      [
        inverter({ 'PV power': 3000, 'Grid power': -500, 'Battery power': 1500, 'Load power': 1000 }),
        inverter({ 'PV power': 250 }),
      ],
      { 'PV power': 3250, 'Load power': 1250, 'Grid power': -500, 'Battery power': 1500 },
    ],
    [
      'of a meter beside a string inverter: a load that no meter measures',
      [inverter({ 'PV power': 800 }), inverter({ 'Grid power': 400 })],
      { 'PV power': 800, 'Load power': 1200, 'Grid power': 400 },
    ],
    [
      'without a grid measured: the sum of the loads',
      [inverter({ 'PV power': 800, 'Load power': 300 }), inverter({ 'Load power': 200 })],
      { 'PV power': 800, 'Load power': 500 },
    ],
    [
      'with one PV power unknown: neither it nor the load is known, the grid is',
      [inverter({ 'PV power': 800, 'Grid power': 100, 'Load power': 900 }), inverter({ 'PV power': null })],
      { 'PV power': null, 'Load power': null, 'Grid power': 100 },
    ],
    [
      'with the battery power unknown: so is the load',
      [inverter({ 'PV power': 800, 'Grid power': 100, 'Battery power': null, 'Load power': 900 })],
      { 'PV power': 800, 'Load power': null, 'Grid power': 100, 'Battery power': null },
    ],
    [
      'of a hybrid inverter and a solar charger on one battery: what the charger gives is no load',
      [
        inverter({ 'PV power': 3000, 'Grid power': -500, 'Battery power': 1500, 'Load power': 1000 }),
        inverter({ 'PV power': 820, 'Charge power': 800 }),
      ],
      { 'PV power': 3820, 'Load power': 1020, 'Grid power': -500, 'Battery power': 2300 },
    ],
    [
      'of a hybrid inverter and a solar charger that does not tell what it gives: unknown',
      [inverter({ 'PV power': 3000, 'Battery power': 1500 }), inverter({ 'Charge power': null })],
      { 'PV power': 3000, 'Battery power': null },
    ],
    [
      'of a solar charger and a battery monitor: the battery is what the monitor says',
      [inverter({ 'PV power': 820, 'Charge power': 800 }), battery({ Power: 500 })],
      { 'PV power': 820, 'Battery power': 500 },
    ],
    [
      'of a battery that both sides measure: once, by the inverter',
      [inverter({ 'Battery power': 500, 'Battery voltage': 52 }), battery({ Power: 480, Voltage: 51.8 })],
      { 'Battery power': 500, 'Battery voltage': 51.8 },
    ],
    [
      'of batteries alone: powers and currents add up, voltages and temperatures do not',
      [
        battery({ Power: 480, Voltage: 51.8, Current: 9.3, Temperature: 21 }),
        battery({ Power: -80, Voltage: 52, Current: -1.6, Temperature: 24.1 }),
      ],
      { 'Battery power': 400, 'Battery voltage': 51.9, 'Battery current': 7.7, 'Battery temperature': 22.6 },
    ],
    [
      'of batteries of one unknown temperature and current',
      [battery({ Current: 3, Temperature: 20 }), battery({ Current: null, Temperature: null })],
      { 'Battery current': null, 'Battery temperature': 20 },
    ],
    [
      'of charge weigh by capacity',
      [battery({ 'State of charge': 90, Capacity: 100 }), battery({ 'State of charge': 30, Capacity: 300 })],
      { 'Battery state of charge': 45, 'Battery capacity': 400 },
    ],
    [
      'of charge count alike when a capacity is unknown',
      [battery({ 'State of charge': 90, Capacity: 100 }), battery({ 'State of charge': 30, Capacity: null })],
      { 'Battery state of charge': 60, 'Battery capacity': null },
    ],
    [
      'of charge are unknown when a part is',
      [
        battery({ 'State of charge': 90, Capacity: 100 }),
        battery({ 'State of charge': null, Capacity: 300 }),
      ],
      { 'Battery state of charge': null, 'Battery capacity': 400 },
    ],
    [
      'of a meter without a role are none',
      [inverter({ 'PV power': 800, 'Grid power': 100 }), meter(undefined, { Power: 250, Voltage: 231 })],
      { 'PV power': 800, 'Grid power': 100, 'Load power': 900 },
    ],
    [
      'of a grid meter beside an inverter that sees the grid, too: the meter counts',
      [
        inverter({ 'PV power': 800, 'Grid power': 100, 'Grid voltage': 228, 'Grid frequency': 49.9 }),
        meter('grid', { Power: -250, Voltage: 231.4, Frequency: 50.01 }),
      ],
      {
        'PV power': 800,
        'Grid power': -250,
        'Load power': 550,
        'Grid voltage': 231.4,
        'Grid frequency': 50.01,
      },
    ],
    [
      'of a grid meter that is not known: so are the grid and the load, though an inverter sees the grid',
      [inverter({ 'PV power': 800, 'Grid power': 100 }), meter('grid', { Power: null })],
      { 'PV power': 800, 'Grid power': null, 'Load power': null },
    ],
    [
      'of three meters of one phase each at the grid: their sum, and the mean of their voltages',
      [
        meter('grid', { Power: 500, Voltage: 230 }),
        meter('grid', { Power: -200, Voltage: 231 }),
        meter('grid', { Power: 30, Voltage: 232 }),
      ],
      { 'Grid power': 330, 'Grid voltage': 231 },
    ],
    [
      'of an inverter that only a PV meter measures: it adds to the others',
      [inverter({ 'PV power': 3000, 'Grid power': -500 }), meter('pv', { Power: 700 })],
      { 'PV power': 3700, 'Grid power': -500, 'Load power': 3200 },
    ],
    [
      'of a load meter where the grid is not measured: the load is what it measures',
      [inverter({ 'PV power': 800, 'Load power': 300 }), meter('load', { Power: 950 })],
      { 'PV power': 800, 'Load power': 950 },
    ],
    [
      'of a load meter where PV and grid are measured: the load is what balances',
      [inverter({ 'PV power': 800, 'Grid power': 100 }), meter('load', { Power: 950 })],
      { 'PV power': 800, 'Grid power': 100, 'Load power': 900 },
    ],
    [
      'of a battery meter beside a hybrid inverter and the battery: inverter and meter',
      [inverter({ 'Battery power': 1500 }), battery({ Power: 1450 }), meter('battery', { Power: -400 })],
      { 'Battery power': 1100 },
    ],
    [
      'of a charger beside a hybrid inverter: both charge the battery, and the sun of both is PV power',
      [
        inverter({ 'PV power': 3000, 'Grid power': -500, 'Battery power': 1500 }),
        charger({ 'PV power': 820, 'Charge power': 800 }),
      ],
      { 'PV power': 3820, 'Load power': 1020, 'Grid power': -500, 'Battery power': 2300 },
    ],
    [
      'of a charger and a battery: what the battery measures',
      [charger({ 'PV power': 820, 'Charge power': 800 }), battery({ Power: 500 })],
      { 'PV power': 820, 'Battery power': 500 },
    ],
    [
      'of a generator beside a grid meter: grid power includes it',
      [inverter({ 'PV power': 200 }), meter('grid', { Power: 0 }), generator({ Power: 3000 })],
      { 'PV power': 200, 'Grid power': 3000, 'Load power': 3200, 'Generator power': 3000 },
    ],
    [
      'of an inverter that reports its generator apart from the grid: grid power includes it',
      [inverter({ 'PV power': 200, 'Grid power': 100, 'Generator power': 3000 })],
      { 'PV power': 200, 'Grid power': 3100, 'Load power': 3300, 'Generator power': 3000 },
    ],
    [
      'of a generator at the grid input of an inverter, with a meter of its own: it counts once',
      [inverter({ 'PV power': 200, 'Grid power': 3000 }), meter('generator', { Power: 3010 })],
      { 'PV power': 200, 'Grid power': 3000, 'Load power': 3200, 'Generator power': 3010 },
    ],
    [
      'of a generator that its meter, its controller and the inverter report: it counts once, by the meter',
      [
        inverter({ 'PV power': 0, 'Grid power': 0, 'Generator power': 2990 }),
        generator({ Power: 3005 }),
        meter('generator', { Power: 3000 }),
      ],
      { 'PV power': 0, 'Grid power': 3000, 'Load power': 3000, 'Generator power': 3000 },
    ],
    [
      'of a generator without any grid: grid power is the generator',
      [inverter({ 'PV power': 500 }), generator({ Power: 1000 })],
      { 'PV power': 500, 'Grid power': 1000, 'Load power': 1500, 'Generator power': 1000 },
    ],
    [
      'of a generator that is not known: so are grid power and load',
      [inverter({ 'PV power': 500, 'Grid power': 20, 'Generator power': null })],
      { 'PV power': 500, 'Grid power': null, 'Load power': null, 'Generator power': null },
    ],
    [
      'of a grid that two inverters see: its voltage and frequency, from any inverter that reads them',
      [
        inverter({ 'Grid voltage': 230.4, 'Grid frequency': 50.02 }),
        inverter({ 'Grid voltage': 229.8, 'Grid frequency': null }),
      ],
      { 'Grid voltage': 230.1, 'Grid frequency': 50.02 },
    ],
    [
      'of a grid that a sleeping inverter reports as 0: what the others read',
      [
        inverter({ 'Grid voltage': 230.4, 'Grid frequency': 50.02, 'AC output voltage': 230 }),
        inverter({ 'Grid voltage': 0, 'Grid frequency': 0, 'AC output voltage': 0 }),
        inverter({ 'Grid voltage': 229.8, 'Grid frequency': 49.98, 'AC output voltage': 231 }),
      ],
      { 'Grid voltage': 230.1, 'Grid frequency': 50, 'AC output voltage': 230.5 },
    ],
    [
      'of a grid that failed: 0, where no inverter reads anything else',
      [inverter({ 'Grid voltage': 0, 'Grid frequency': 0 }), inverter({ 'Grid voltage': 0 })],
      { 'Grid voltage': 0, 'Grid frequency': 0 },
    ],
    [
      'of the cells of two batteries: the highest and the lowest of all, the capacity in sum',
      [
        battery({ Capacity: 100, 'Cell voltage - Highest': 3.41, 'Cell voltage - Lowest': 3.3 }),
        battery({ Capacity: 50, 'Cell voltage - Highest': 3.39, 'Cell voltage - Lowest': 3.21 }),
      ],
      {
        'Battery capacity': 150,
        'Battery cell voltage - Highest': 3.41,
        'Battery cell voltage - Lowest': 3.21,
      },
    ],
    [
      'of cells that one battery does not tell are unknown: they may be beyond those of the other',
      [battery({ 'Cell voltage - Highest': 3.41 }), battery({ 'Cell voltage - Highest': null })],
      { 'Battery cell voltage - Highest': null },
    ],
  ])('%s', (_name, units, expected) => {
    expect(totals(...units)).toEqual(expected);
  });

  it('totals balance exactly in whole watts, whatever the parts', () => {
    const power = fc.double({ min: -50_000, max: 50_000, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(power, power, power, power), { minLength: 1, maxLength: 4 }),
        (inverters) => {
          const all = totals(
            ...inverters.map(([pv, grid, batteryW, load]) =>
              inverter({ 'PV power': pv, 'Grid power': grid, 'Battery power': batteryW, 'Load power': load }),
            ),
          );
          const { 'PV power': pv, 'Grid power': grid, 'Battery power': batteryW, 'Load power': load } = all;
          expect(load).toBe(Number(pv) + Number(grid) - Number(batteryW));
          expect(Number.isInteger(load)).toBe(true);
        },
      ),
    );
  });

  it('an inverter that reports its generator is balanced with it after rounding', () => {
    const { values } = inverter({
      'PV power': 100,
      'Grid power': 200,
      'Battery power': 50,
      'Generator power': 1000,
      'Load power': 1251,
    });
    expect(balanceRounded(values)?.value).toBe(1250);
  });

  it('totals of any home balance, and count each thing once, however many units measure it', () => {
    fc.assert(
      fc.property(homes, (home) => {
        const { pv, grid, battery: stored = 0, generator: generated = 0 } = home.truth;
        const all = totals(...home.units);
        expect(all['PV power']).toBe(pv);
        if (grid !== undefined || home.truth.generator !== undefined) {
          expect(all['Grid power']).toBe((grid ?? 0) + generated);
          if (pv !== undefined) expect(all['Load power']).toBe(pv + (grid ?? 0) + generated - stored);
        }
        expect(all['Battery power']).toBe(home.truth.battery);
        expect(all['Generator power']).toBe(home.truth.generator);
      }),
    );
  });

  it('a client that adds up the published totals of any home is right, also while values are unknown', () => {
    fc.assert(
      fc.property(anyUnits, (units) => {
        const {
          'PV power': pv,
          'Grid power': grid,
          'Battery power': stored,
          'Load power': load,
        } = totals(...units);
        if (pv === undefined || grid === undefined) return;
        const isKnown = pv !== null && grid !== null && stored !== null;
        expect(load).toBe(isKnown ? Number(pv) + Number(grid) - Number(stored ?? 0) : null);
      }),
    );
  });

  it('a total is unknown with one of its parts, and as old as the oldest of them', () => {
    const power = fc.option(fc.integer({ min: -9_000, max: 9_000 }));
    const parts = fc.array(fc.tuple(power, fc.integer({ min: 0, max: 99_999 })), { minLength: 1 });
    const roles = [
      ['pv', 'PV power'],
      ['grid', 'Grid power'],
      ['load', 'Load power'],
      ['battery', 'Battery power'],
      ['generator', 'Generator power'],
    ] as const;
    fc.assert(
      fc.property(fc.constantFrom(...roles), parts, ([role, name], values) => {
        const meters = values.map(([watts, readAt]) => meter(role, { Power: watts }, readAt));
        const found = computeTotals(meters).find(({ definition }) => definition.name === name);
        const sum = values.reduce<number | null>(
          (total, [watts]) => (total === null || watts === null ? null : total + watts),
          0,
        );
        expect(found?.value).toBe(sum);
        expect(found?.readAtMonotonic).toBe(Math.min(...values.map(([, readAt]) => readAt)));
      }),
    );
  });

  it('totals are as old as their oldest part', () => {
    const [pv] = computeTotals([inverter({ 'PV power': 1 }, 5_000), inverter({ 'PV power': 2 }, 3_000)]);
    expect([pv?.readAt, pv?.readAtMonotonic]).toEqual([3_000, 3_000]);
  });

  it('totals have the topics that clients know, in a stable order', () => {
    const topics = computeTotals([
      battery({ 'State of charge': 50, Voltage: 52, Current: 1, Temperature: 20, Power: 52 }),
      inverter({
        'AC output voltage': 230,
        'Grid frequency': 50,
        'Grid voltage': 230,
        'Load percentage': 12,
      }),
      inverter({ 'Battery power': 1, 'Grid power': 1, 'Load power': 1, 'PV power': 1 }),
    ]).map(({ definition }) => definition.topic);
    expect(topics).toEqual([
      'total/pv_power',
      'total/load_power',
      'total/grid_power',
      'total/battery_power',
      'total/battery_state_of_charge',
      'total/battery_voltage',
      'total/battery_current',
      'total/battery_temperature',
      'total/grid_voltage',
      'total/grid_frequency',
      'total/ac_output_voltage',
      'total/load_percentage',
    ]);
  });
});
