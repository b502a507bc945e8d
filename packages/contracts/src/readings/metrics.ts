import { type DiscoveryFields, type MetricRow as Row, UNIT_KINDS } from '@heliograph/metrics';
import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { DateTime, nullable } from '../common/schemas.ts';

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

export const MetricsQuery = Type.Object({
  topic: Type.Optional(
    Type.String({
      maxLength: 256,
      description: 'A topic, or a glob such as total* or inverter_1/pv*; every metric when left out or empty',
    }),
  ),
  value: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1,
      description: '1: the value of the first match alone, as plain text',
    }),
  ),
  discovery: Type.Optional(
    Type.String({ description: 'A flag: adds how each metric is shown and which values it accepts' }),
  ),
});
export type MetricsQuery = Static<typeof MetricsQuery>;

export const SetMetricBody = Type.Object({
  topic: Type.String({ minLength: 1, maxLength: 256, description: 'Such as inverter_1/battery_reserve' }),
  value: Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
    description: 'A number and a flag may also be sent as their text',
  }),
});
export type SetMetricBody = Static<typeof SetMetricBody>;

export const SetMetricAnswer = Type.Object({ topic: Type.String(), result: Type.Literal('ok') });
export type SetMetricAnswer = Static<typeof SetMetricAnswer>;

export const metricOperations = operations('metrics', {
  listMetrics: {
    route: 'GET /api/v1/metrics',
    summary: 'Reads metrics from the latest poll',
    description:
      'With `value=1` the answer is the value of the first match, as plain text; 404 where nothing matches. A metric without a value then answers nothing.',
    requires: 'read',
    query: MetricsQuery,
    answers: {
      200: {
        content: {
          'application/json': { schema: Type.Array(MetricRow) },
          'text/plain': { schema: Type.String() },
        },
      },
    },
    refusals: [404],
  },

  setMetric: {
    route: 'POST /api/v1/metrics',
    summary: 'Writes a setting to the hardware, at once, and reads it back',
    description:
      'Sent at most once and never repeated. A refusal names the setting and the reason, and says so where it is unknown whether the hardware took the value.',
    requires: 'write',
    body: SetMetricBody,
    answers: { 200: SetMetricAnswer },
    refusals: [422, 503],
    errorShape: 'write',
  },

  getSystem: {
    route: 'GET /api/v1/system',
    summary: 'The metrics of the device itself',
    requires: 'read',
    answers: { 200: Type.Array(FullMetricRow) },
  },
});
