import { Type } from 'typebox';
import { numberOrNull, objectOrNull, openEnumOf, openEnumOrNull, textOrNull } from './fields.ts';
import type { ToolDefinition } from './tool.ts';

/** Most inverters, most batteries, and most other units that one answer lists. */
export const MAX_UNITS = 20;

/** Most topics that one problem names. */
export const MAX_PROBLEM_TOPICS = 5;

/** Power below this, either way, is called idle: meters and inverters never show an exact zero for long. */
export const IDLE_BELOW_W = 10;

const energy = {
  since: Type.String({ description: 'When counting began, ISO 8601 in local time' }),
  pv_kwh: numberOrNull('Produced by the solar panels'),
  load_kwh: numberOrNull('Used by the home'),
  battery_in_kwh: numberOrNull('Charged into the batteries'),
  battery_out_kwh: numberOrNull('Discharged from the batteries'),
  grid_in_kwh: numberOrNull('Imported from the grid'),
  grid_out_kwh: numberOrNull('Exported to the grid'),
};

const unit = {
  device: Type.String({ description: 'What its topics begin with, such as inverter_1' }),
  model: textOrNull('Model name, as the hardware tells it'),
  temperature_c: numberOrNull('Temperature, °C'),
  read_at: textOrNull('When a value of it was last read, ISO 8601 in local time'),
  stale: Type.Boolean({ description: 'True: it does not answer, and its values are unknown' }),
};

const Inverter = Type.Object({
  ...unit,
  mode: textOrNull('What it is doing, in the words of its maker'),
  pv_w: numberOrNull('Solar power, W'),
  load_w: numberOrNull('Power to loads, W'),
  grid_w: numberOrNull('Power from the grid, W; negative: exporting'),
  battery_w: numberOrNull('Power into the batteries, W; negative: discharging'),
});

const Battery = Type.Object({
  ...unit,
  state_of_charge_percent: numberOrNull('State of charge, %'),
  power_w: numberOrNull('Power into it, W; negative: discharging'),
  voltage_v: numberOrNull('Voltage, V'),
});

/** A meter, a charger or a generator; get_metrics has the rest of it. */
const Other = Type.Object({
  device: Type.String(),
  power_w: numberOrNull('W: from the grid, into batteries, produced'),
  stale: Type.Boolean(),
});

const Problem = Type.Object({
  device: Type.String({ description: 'What it is about: inverter_1, battery_2, system, …' }),
  kind: openEnumOf(
    ['stale', 'fault', 'link', 'missing', 'history'],
    'stale: values are too old to be true and shown as unknown. fault: the hardware reports a fault, an alarm or a ' +
      'warning. link: part of the polls is not answered. missing: no hardware is known. history: readings are not ' +
      'recorded',
  ),
  since: textOrNull('Since when, as far as it is known, ISO 8601 in local time'),
  text: Type.String({ description: 'What is wrong, in words' }),
  topics: Type.Array(Type.String(), {
    maxItems: MAX_PROBLEM_TOPICS,
    description: 'The first of the topics it shows in',
  }),
});

export const status = {
  name: 'status',
  title: 'Status of the site',
  description:
    'How the solar installation of this home is doing right now, in one call. Use it first for questions like "is ' +
    'everything all right?", "how full is the battery?", "what does the house use?", "how much sun did we get today?". ' +
    'Gives power flows in W, the battery, energy in kWh of today and of the current counting period, each inverter, ' +
    'battery, meter, charger and generator, and every problem: values that are stale, faults and alarms that the hardware reports, bad links. ' +
    'Signs: grid power is positive when importing and includes a generator, battery power is positive when charging; load = ' +
    'pv + grid - battery. Unknown is null and never 0. For other measurements call get_metrics, for the past get_history.',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({
    site_id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'The number of the site, null while the device is not registered',
    }),
    time: Type.String({ description: 'The time of this answer, ISO 8601 in local time' }),
    time_zone: Type.String({
      description: 'IANA name of the time zone in which days begin, such as Europe/Berlin',
    }),
    running_since: Type.String({
      description: 'Since when the monitoring device has run without a restart, ISO 8601 in local time',
    }),
    read_at: textOrNull(
      'When a value of the hardware was last read, ISO 8601 in local time; null: never yet',
    ),
    flows: Type.Object({
      pv_w: numberOrNull('Solar production, W'),
      load_w: numberOrNull('What the home uses, W'),
      grid_w: numberOrNull('Power from the grid, and from a generator, W; negative: to the grid'),
      grid: openEnumOrNull(
        ['importing', 'exporting', 'idle'],
        `Grid power in a word; idle: below ${IDLE_BELOW_W} W`,
      ),
      battery_w: numberOrNull('Power into the batteries, W; negative: out of them'),
      generator_w: numberOrNull('Power from a generator, which grid_w includes, W; null where there is none'),
    }),
    battery: objectOrNull(
      Type.Object({
        state_of_charge_percent: numberOrNull('State of charge over all batteries, %'),
        state: openEnumOrNull(
          ['charging', 'discharging', 'idle'],
          `What the batteries do together; idle: below ${IDLE_BELOW_W} W`,
        ),
        power_w: numberOrNull('Power into the batteries, W; negative: discharging'),
        voltage_v: numberOrNull('Mean voltage, V'),
        temperature_c: numberOrNull('Mean temperature, °C'),
      }),
      'All batteries together; null where there is none',
    ),
    energy: Type.Object(
      {
        today: Type.Object(energy, { description: 'Since midnight at the site' }),
        period: Type.Object(
          {
            name: openEnumOf(
              ['daily', 'weekly', 'monthly'],
              'How often the counters restart; weeks begin on Monday',
            ),
            ...energy,
          },
          { description: 'Since the counters restarted: what the topics total/*_energy* show' },
        ),
      },
      { description: 'Energy in kWh, counted from since on' },
    ),
    inverters: Type.Array(Inverter, { maxItems: MAX_UNITS }),
    batteries: Type.Array(Battery, { maxItems: MAX_UNITS }),
    others: Type.Array(Other, { maxItems: MAX_UNITS, description: 'Meters, chargers, generators' }),
    units_left_out: Type.Integer({
      minimum: 0,
      description: `Units beyond the first ${MAX_UNITS} of each list; get_metrics has them`,
    }),
    problems: Type.Array(Problem, { description: 'Everything that is wrong; empty when nothing is' }),
  }),
} satisfies ToolDefinition;
