import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { DateTime, nullable } from '../common/schemas.ts';

/** Lengths of a step of energy; each begins where the calendar of the site does. */
export const ENERGY_STEPS = ['hour', 'day', 'week', 'month', 'year'] as const;
export type EnergyStepName = (typeof ENERGY_STEPS)[number];

/** Most steps of an answer: a year of hours and some days. */
export const MAX_ENERGY_STEPS = 9_000;

const When = (what: string) =>
  Type.Optional(
    Type.String({
      maxLength: 64,
      description: `${what}: a date such as 2026-11-22 in the time zone of the site, an ISO 8601 date-time with its offset, or seconds (or milliseconds) since 1970`,
    }),
  );

/** `GET /api/v1/energy` on a device. */
export const EnergyQuery = Type.Object({
  from: When(
    'The beginning, moved to that of its step. Left out: today for hours, this month for days, the last twelve weeks for weeks, this year for months, and what is known for years',
  ),
  to: When('The end, which does not belong to it; the end of the current step when left out'),
  step: Type.Optional(
    Type.Enum([...ENERGY_STEPS], { description: 'day when left out; a week begins on Monday' }),
  ),
});
export type EnergyQuery = Static<typeof EnergyQuery>;

const Kwh = (description: string) =>
  nullable(Type.Number({ minimum: 0, description: `In kWh: ${description}` }));

const Share = (description: string) => nullable(Type.Number({ minimum: 0, maximum: 1, description }));

const Money = (description: string) =>
  nullable(Type.Number({ description: `In the currency: ${description}` }));

const AMOUNTS = {
  pv: Kwh('what the sun gave'),
  load: Kwh('what the house used'),
  battery_in: Kwh('what charged the battery'),
  battery_out: Kwh('what the battery gave'),
  grid_in: Kwh('what was imported'),
  grid_out: Kwh('what was exported'),
  pv_to_load: Kwh('from the sun to the house'),
  pv_to_battery: Kwh('from the sun to the battery'),
  pv_to_grid: Kwh('from the sun to the grid'),
  battery_to_load: Kwh('from the battery to the house'),
  battery_to_grid: Kwh('from the battery to the grid'),
  grid_to_load: Kwh('from the grid to the house'),
  grid_to_battery: Kwh('from the grid to the battery'),
  self_sufficiency: Share('The part of the load that the grid did not serve at that moment'),
  self_consumption: Share('The part of the solar energy that did not go to the grid'),
  coverage: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'The part of the time, until now at most, in which energy was counted',
  }),
  import_cost: Money('what the imported energy costs'),
  export_earnings: Money('what the exported energy earns'),
  fixed_charges: Money('what the contract costs besides, for this time'),
  net_cost: Money('import_cost and fixed_charges without export_earnings'),
  savings: Money('what the energy from the sun and the battery would have cost from the grid'),
  costs_since: Type.Optional(
    nullable(
      Type.String({
        format: 'date-time',
        description:
          'Where prices in the currency begin within this time: when. All money is then for the time since, while energy is for the whole time. Null where the money is for the whole time too, or unknown',
      }),
    ),
  ),
  costs_unsettled: Type.Optional(
    nullable(
      Type.Boolean({
        description:
          'Whether each kWh has its own price here, before net metering or a limit of earnings, which the bill of the whole month settles: such money does not add up to that of the month. Null without money',
      }),
    ),
  ),
};

/** Energy of a stretch of time. Null is unknown, or what the site does not have. */
export const EnergyAmounts = Type.Object(AMOUNTS);
export type EnergyAmounts = Static<typeof EnergyAmounts>;

export const EnergyStep = Type.Object({
  from: Type.String({ description: 'When it begins: ISO 8601 with the offset of the site' }),
  ...AMOUNTS,
});
export type EnergyStep = Static<typeof EnergyStep>;

/** Energies of a home that hardware counts by itself. */
export const ENERGY_COUNTERS = ['pv', 'load', 'battery_in', 'battery_out', 'grid_in', 'grid_out'] as const;
export type EnergyCounterName = (typeof ENERGY_COUNTERS)[number];

/** An energy as the counters of the hardware have it, which count by themselves. */
export const EnergyCounter = Type.Object({
  energy: Type.Enum([...ENERGY_COUNTERS], { description: 'Which energy, as in total' }),
  kwh: Type.Number({ minimum: 0, description: 'In kWh: the rise of the counters, of all units together' }),
  difference: nullable(
    Type.Number({ description: 'In kWh: the energy in total, which is counted from power, without this' }),
  ),
});
export type EnergyCounter = Static<typeof EnergyCounter>;

export const EnergyAnswer = Type.Object({
  time_zone: Type.String({ description: 'IANA name: where days begin' }),
  step: Type.Enum([...ENERGY_STEPS]),
  from: DateTime,
  to: Type.String({ format: 'date-time', description: 'It does not belong to the time' }),
  since: nullable(
    Type.String({ format: 'date-time', description: 'The first hour of which energy is known' }),
  ),
  currency: nullable(
    Type.String({
      description: 'ISO 4217: of all amounts of money, which are null without a tariff in this currency',
      examples: ['EUR'],
    }),
  ),
  total: EnergyAmounts,
  counters: Type.Optional(
    Type.Array(EnergyCounter, {
      description:
        'What the lifetime counters of inverters, chargers, batteries and meters counted from the first to the end, or until now, for comparison: of the energies of which every unit has a counter that the history knows at both times. Left out where none is known',
    }),
  ),
  steps: Type.Array(EnergyStep, { description: 'Every step of the time, also those without energy' }),
});
export type EnergyAnswer = Static<typeof EnergyAnswer>;

export const energyOperations = operations('metrics', {
  getEnergy: {
    route: 'GET /api/v1/energy',
    summary: 'Energy by hour, day, week, month or year, and where it came from and went',
    description:
      'Counted from the powers of each poll, in the time zone of the site; the energy totals are sums of the same. Days in which the clock changes have 23 or 25 hours.',
    requires: 'read',
    query: EnergyQuery,
    answers: { 200: EnergyAnswer },
    refusals: [503],
  },
});
