import { type Static, Type } from 'typebox';

/** `GET /api/v1/metrics`. `discovery` is a bare flag; `value=1` asks for plain text. */
export const MetricsQuery = Type.Object({
  topic: Type.Optional(Type.String({ maxLength: 256 })),
  value: Type.Optional(Type.Literal('1')),
  discovery: Type.Optional(Type.String()),
});
export type MetricsQuery = Static<typeof MetricsQuery>;

/** `POST /api/v1/metrics`. Numbers and booleans are accepted as their text. */
export const SetMetricBody = Type.Object({
  topic: Type.String({ minLength: 1, maxLength: 256 }),
  value: Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] }),
});
export type SetMetricBody = Static<typeof SetMetricBody>;

export const SetMetricAnswer = Type.Object({ topic: Type.String(), result: Type.Literal('ok') });
export type SetMetricAnswer = Static<typeof SetMetricAnswer>;
