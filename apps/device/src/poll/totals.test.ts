import type { MetricValue } from '@heliograph/metrics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Unit } from '../drivers/driver.ts';
import { computeTotals, type UnitValues } from './totals.ts';

type Values = Readonly<Record<string, MetricValue>>;

const unit = (kind: Unit['kind'], values: Values, readAt = 1_000): UnitValues => ({
  kind,
  values: new Map(
    Object.entries(values).map(([name, value]) => [name, { value, readAt, readAtMonotonic: readAt }]),
  ),
});
const inverter = (values: Values, readAt?: number) => unit('inverters', values, readAt);
const battery = (values: Values, readAt?: number) => unit('batteries', values, readAt);

/** The totals by name. */
const totals = (...units: readonly UnitValues[]): Values =>
  Object.fromEntries(computeTotals(units).map(({ definition, value }) => [definition.name, value]));

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
      'of a meter beside a string inverter: a load that nobody measured',
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
      'of a grid that two inverters see: its voltage and frequency, whoever knows them',
      [
        inverter({ 'Grid voltage': 230.4, 'Grid frequency': 50.02 }),
        inverter({ 'Grid voltage': 229.8, 'Grid frequency': null }),
      ],
      { 'Grid voltage': 230.1, 'Grid frequency': 50.02 },
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
