import { type Static, Type } from 'typebox';

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
