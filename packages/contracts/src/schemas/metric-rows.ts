import { type DiscoveryFields, type MetricRow as Row, UNIT_KINDS } from '@heliograph/metrics';
import { Type } from 'typebox';
import { DateTime, nullable } from './common.ts';

const text = (description: string) => nullable(Type.String({ description }));
const number = (description: string) => nullable(Type.Number({ description }));

/** A value of a metric; a flag is true or false, null is unknown. */
export const MetricValue = Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()], {
  description: 'Null is unknown',
});

const definition = {
  topic: Type.String({ description: 'Such as total/pv_power or inverter_1/battery_reserve' }),
  device: Type.Enum(['totals', ...UNIT_KINDS, 'system']),
  number: nullable(Type.Integer({ description: 'Of units of hardware, from 0; else null' })),
  group: Type.String({ description: 'Status, Settings, Info, or Ignore' }),
  name: Type.String(),
  unit: Type.String({ description: 'Empty without one' }),
};

const discovery = {
  platform: Type.Enum(['sensor', 'number', 'select', 'switch'], {
    description: 'A sensor can only be read; the others can be written',
  }),
  device_class: text("Home Assistant's class of the sensor, such as power"),
  state_class: text("Home Assistant's class of the state, such as measurement"),
  unit_of_measurement: text('The unit, where Home Assistant knows it'),
  min: number('Smallest value of a number that can be written'),
  max: number('Largest value of a number that can be written'),
  step: number('Distance between values of a number that can be written'),
  options: nullable(Type.Array(Type.String(), { description: 'Values of a select' })),
  payload_on: text('Value of a switch that is on'),
  payload_off: text('Value of a switch that is off'),
};

/** A metric before its first value, as the stream announces it. */
export const MetricDefinitionRow = Type.Object({ ...definition, ...discovery });

/** The last value of a metric whose reading is too old. */
export const LastValue = Type.Optional(
  Type.Union([...MetricValue.anyOf], {
    description: 'What was read at `updated_at`, where that is too old; else left out',
  }),
);

const row = {
  ...definition,
  value: MetricValue,
  updated_at: nullable(DateTime),
  stale: Type.Boolean({ description: 'Whether the last reading is too old' }),
  last_value: LastValue,
};

/** A metric; the discovery fields are there when `discovery` asked for them. */
export const MetricRow = Type.Object({ ...row, ...Type.Partial(Type.Object(discovery)).properties });

/** A metric with its discovery fields. */
export const FullMetricRow = Type.Object({ ...row, ...discovery });

/** The fields that a device sends are those that the contract publishes. */
type Same<A extends string, B extends string> = [A, B] extends [B, A] ? true : never;
true satisfies Same<keyof typeof FullMetricRow.properties & string, keyof (Row & DiscoveryFields) & string>;
