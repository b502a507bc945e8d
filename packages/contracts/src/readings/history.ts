import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { nullable } from '../common/schemas.ts';

const When = (what: string) =>
  Type.Optional(
    Type.String({
      maxLength: 64,
      description: `${what}: an ISO 8601 date-time with its offset, or seconds (or milliseconds) since 1970`,
    }),
  );

/** `GET /api/v1/history` on a device. */
export const HistoryQuery = Type.Object({
  topic: Type.Optional(Type.String({ maxLength: 256, description: 'A glob; every topic when left out' })),
  from: When('The beginning, a day before the end when left out'),
  to: When('The end, which does not belong to it; now when left out'),
  step: Type.Optional(
    Type.String({ maxLength: 16, description: 'Seconds, or a number with s, m, h or d, such as 5m' }),
  ),
});
export type HistoryQuery = Static<typeof HistoryQuery>;

const Numbers = Type.Array(nullable(Type.Number()));

/** A counter that was set to another value, as by another energy period: the step is no energy. */
export const CounterSet = Type.Object({
  at: Type.Number({ description: 'In seconds since 1970' }),
  from: Type.Number({ description: 'The value before' }),
  to: Type.Number({ description: 'The value after' }),
});
export type CounterSet = Static<typeof CounterSet>;

/** The past of one topic that is a number or a flag (0 and 1). The arrays are of one length; null is a gap. */
export const HistorySeries = Type.Object({
  topic: Type.String(),
  name: Type.String(),
  unit: Type.String(),
  times: Type.Array(Type.Number(), { description: 'When each step begins, in seconds since 1970' }),
  min: Numbers,
  mean: Numbers,
  max: Numbers,
  last: Numbers,
  sets: Type.Optional(
    Type.Array(CounterSet, {
      description: 'Energy counters: when another energy period set them to its value. The step is no energy',
    }),
  ),
});
export type HistorySeries = Static<typeof HistorySeries>;

/** The past of one topic that is a text: what it became and when; null is unknown. */
export const HistoryStates = Type.Object({
  topic: Type.String(),
  name: Type.String(),
  times: Type.Array(Type.Number(), { description: 'In seconds since 1970' }),
  last: Type.Array(nullable(Type.String())),
});
export type HistoryStates = Static<typeof HistoryStates>;

/** All times in seconds. `step` may be larger than asked for where only coarser values are kept. */
export const HistoryAnswer = Type.Object({
  from: Type.Number(),
  to: Type.Number(),
  step: Type.Number(),
  series: Type.Array(HistorySeries),
  states: Type.Array(HistoryStates),
});
export type HistoryAnswer = Static<typeof HistoryAnswer>;

export const historyOperations = operations('metrics', {
  getHistory: {
    route: 'GET /api/v1/history',
    summary: 'The past of metrics, as arrays ready to plot',
    requires: 'read',
    query: HistoryQuery,
    answers: { 200: HistoryAnswer },
    refusals: [503],
  },
});
