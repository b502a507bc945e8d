import { Type } from 'typebox';
import { enumOf, numberOrNull, textOrNull } from './fields.ts';
import { TIME_FORMS } from './get-history.ts';
import type { ToolDefinition } from './tool.ts';

/** Most steps of an answer. */
export const MAX_ENERGY_STEPS = 100;

export const ENERGY_STEP_NAMES = ['hour', 'day', 'week', 'month', 'year'] as const;

const kwh = (description: string) => numberOrNull(`In kWh: ${description}`);

const AMOUNTS = {
  pv_kwh: kwh('what the sun gave'),
  load_kwh: kwh('what the house used'),
  battery_in_kwh: kwh('what charged the battery'),
  battery_out_kwh: kwh('what the battery gave'),
  grid_in_kwh: kwh('imported'),
  grid_out_kwh: kwh('exported'),
  pv_to_load_kwh: kwh('from the sun to the house'),
  pv_to_battery_kwh: kwh('from the sun to the battery'),
  battery_to_load_kwh: kwh('from the battery to the house'),
  grid_to_load_kwh: kwh('from the grid to the house'),
  self_sufficiency_percent: numberOrNull('The part of the load that the grid did not serve, in %'),
  self_consumption_percent: numberOrNull('The part of the solar energy that was not exported, in %'),
  import_cost: numberOrNull(
    'What the imported energy costs, in the currency; all money is null without prices in it',
  ),
  export_earnings: numberOrNull('What the exported energy earns'),
  net_cost: numberOrNull('With the fixed charges of the contract, without the earnings'),
  savings: numberOrNull('What the energy from sun and battery would have cost from the grid'),
  costs_since: Type.Optional(
    textOrNull(
      'When all money here begins, while energy is for the whole time: before, there are no prices in the currency. Null where both are for the same time',
    ),
  ),
  costs_unsettled: Type.Optional(
    Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description:
        'Whether each kWh has its own price here, before net metering or a limit of earnings, which the bill of the month settles; ask for step month for that. Null without money',
    }),
  ),
  covered_percent: Type.Number({ description: 'For how much of the time energy was counted, in %' }),
};

export const getEnergy = {
  name: 'get_energy',
  title: 'Energy',
  description:
    'Energy of this site in kWh, by hour, day, week, month or year of its calendar: what sun, battery and grid gave, what ' +
    'the house used, where it went, self-sufficiency and self-consumption, with the sum of the time. So "how much did the ' +
    'sun give each month this year?" is step month, from this_year; "what did we import yesterday?" is step day, from ' +
    'yesterday, to yesterday. Where the owner entered prices, with costs, earnings and savings. Hours are kept for ten years.',
  input: Type.Object(
    {
      from: Type.Optional(
        Type.String({
          maxLength: 64,
          description: `The beginning; today when left out. One of: ${TIME_FORMS}. It is moved to the beginning of its step`,
        }),
      ),
      to: Type.Optional(
        Type.String({
          maxLength: 64,
          description:
            'The end, in the same forms; now when left out. A day, week, month or year means its end',
        }),
      ),
      step: Type.Optional(
        enumOf(ENERGY_STEP_NAMES, `day when left out; at most ${MAX_ENERGY_STEPS} steps are answered`),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    from: Type.String({ description: 'The beginning of the first step, ISO 8601 in local time' }),
    to: Type.String({ description: 'The end of the last step, ISO 8601 in local time' }),
    time_zone: Type.String({ description: 'IANA name of the time zone of the site' }),
    currency: textOrNull('ISO 4217 code of all money; null without prices'),
    known_since: textOrNull('Energy before is unknown. ISO 8601 in local time'),
    total: Type.Object(AMOUNTS),
    hardware_counters: Type.Array(
      Type.Object({
        energy: Type.String({
          description: 'Which energy of total: pv, load, battery_in, battery_out, grid_in or grid_out',
        }),
        kwh: Type.Number({
          description: 'The rise of the lifetime counters of inverters, batteries and meters in this time',
        }),
        difference_kwh: numberOrNull('The energy in total, which is counted from power, without this'),
      }),
      { maxItems: 6, description: 'For comparison; empty where the hardware has no counters' },
    ),
    steps: Type.Array(
      Type.Object({ from: Type.String({ description: 'When the step begins' }), ...AMOUNTS }),
      { maxItems: MAX_ENERGY_STEPS, description: 'Oldest first' },
    ),
  }),
} satisfies ToolDefinition;
