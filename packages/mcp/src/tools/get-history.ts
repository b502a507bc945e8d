import { MAX_GLOB_LENGTH } from '@heliograph/metrics';
import { Type } from 'typebox';
import { enumOf, numberOrNull, openEnumOf, textOrNull } from './fields.ts';
import type { ToolDefinition } from './tool.ts';

export const MAX_TOPICS = 5;

/** Most points of an answer, all topics together. */
export const MAX_POINTS = 200;

/** Most different texts of a state that a summary lists. */
export const MAX_STATES = 20;

/** Steps of a curve; the last four follow the site's calendar. */
export const STEP_NAMES = ['1m', '5m', '15m', '30m', '1h', '3h', '6h', '1d', '1w', '1month', '1y'] as const;
export type StepName = (typeof STEP_NAMES)[number];

/** The forms in which a time may be said, for descriptions and refusals. */
export const TIME_FORMS =
  'an ISO 8601 date-time (2026-06-21T14:00:00+02:00; without an offset in local time), yesterday 22:00, today 06:00, ' +
  'a day (2026-06-21), a month (2026-06), relative to now (-30m, -24h, -7d, -4w), or now, today, yesterday, ' +
  'this_week, last_week, this_month, last_month, this_year, last_year';

const Summary = Type.Object({
  min: Type.Optional(Type.Number({ description: 'Lowest reading' })),
  min_at: Type.Optional(
    Type.String({ description: 'The beginning of the stretch of resolution_s in which it was' }),
  ),
  max: Type.Optional(Type.Number({ description: 'Highest reading' })),
  max_at: Type.Optional(
    Type.String({ description: 'The beginning of the stretch of resolution_s in which it was' }),
  ),
  mean: Type.Optional(Type.Number({ description: 'Mean over the time with readings' })),
  first: Type.Optional(
    Type.Number({ description: 'Reading at the end of the first stretch of resolution_s' }),
  ),
  last: Type.Optional(Type.Number({ description: 'Last reading' })),
  change: Type.Optional(Type.Number({ description: 'last - first' })),
  energy_kwh: Type.Optional(
    Type.Number({
      description:
        'Energy counters: what was counted in this time, restarts taken into account. Powers: mean power times the ' +
        'time with readings, where opposite directions cancel out',
    }),
  ),
  states: Type.Optional(
    Type.Array(
      Type.Object({
        value: textOrNull('The text; null: unknown'),
        hours: Type.Number({ description: 'How long it was so, in hours' }),
      }),
      { maxItems: MAX_STATES, description: 'Topics whose value is a text: the longest first' },
    ),
  ),
});

const Point = Type.Object({
  at: Type.String({ description: 'When the step begins, or when a text changed; ISO 8601 in local time' }),
  mean: Type.Optional(Type.Number()),
  min: Type.Optional(Type.Number()),
  max: Type.Optional(Type.Number()),
  kwh: Type.Optional(Type.Number({ description: 'Energy counters: what was counted in this step' })),
  value: Type.Optional(textOrNull('Topics whose value is a text: what it became; null: unknown')),
});

const Series = Type.Object({
  topic: Type.String(),
  name: Type.String({ description: 'For people' }),
  unit: Type.String({
    description: 'Unit of the numbers; empty for texts and counts. Enabled: 1 is on, 0 is off',
  }),
  kind: openEnumOf(
    ['measurement', 'energy', 'text', 'nothing'],
    'energy: a counter of kWh. text: a state. nothing: nothing of it was recorded in this time',
  ),
  first_at: textOrNull('When what is known of this time begins, ISO 8601 in local time'),
  last_at: textOrNull('The beginning of the last stretch with readings, ISO 8601 in local time'),
  covered_percent: numberOrNull('How much of the time there are readings of, in %; null for texts'),
  summary: Type.Optional(Summary),
  points: Type.Optional(
    Type.Array(Point, {
      maxItems: MAX_POINTS,
      description: 'Oldest first; steps without readings are left out',
    }),
  ),
  points_left_out: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Older changes of a text that did not fit; ask for a shorter time',
    }),
  ),
});

export const getHistory = {
  name: 'get_history',
  title: 'History',
  description:
    'The past of up to 5 topics of this site: as a summary (minimum, maximum and when, mean, first, last, change, ' +
    'energy) or as a curve to compare times of day or days with each other. Topics that count energy, such as ' +
    'total/pv_energy, total/load_energy, total/grid_energy_in (imported), total/grid_energy_out (exported), ' +
    'total/battery_energy_in and total/battery_energy_out, are answered in kWh of the time asked for: the counters ' +
    'restarting is taken into account. So "how much did we export last week?" is topics ["total/grid_energy_out"], ' +
    'from last_week, to last_week; "per day this month" is as curve, step 1d, from this_month. Powers are in W: grid ' +
    'positive when importing, battery positive when charging. get_metrics finds topics. Times are those of the ' +
    `site. A curve has at most ${MAX_POINTS} points, all topics together; its step is chosen to fit and told.`,
  input: Type.Object(
    {
      topics: Type.Array(Type.String({ minLength: 1, maxLength: MAX_GLOB_LENGTH }), {
        minItems: 1,
        maxItems: MAX_TOPICS,
        description: `1 to ${MAX_TOPICS} exact topics such as "total/pv_power"; no globs`,
      }),
      from: Type.Optional(
        Type.String({
          maxLength: 64,
          description: `The beginning; -24h when left out. One of: ${TIME_FORMS}. A day, week or month means its beginning`,
        }),
      ),
      to: Type.Optional(
        Type.String({
          maxLength: 64,
          description:
            'The end, in the same forms; now when left out. A day, week or month means its end: from yesterday to ' +
            'yesterday is all of yesterday',
        }),
      ),
      as: Type.Optional(enumOf(['summary', 'curve'], 'summary when left out')),
      step: Type.Optional(
        enumOf(
          STEP_NAMES,
          'Of a curve: how long each point is; chosen to fit when left out. 1d, 1w, 1month and 1y follow the calendar',
        ),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    from: Type.String({ description: 'The beginning of what is answered, ISO 8601 in local time' }),
    to: Type.String({ description: 'Its end, ISO 8601 in local time' }),
    time_zone: Type.String({ description: 'IANA name of the time zone of the site' }),
    history_since: Type.String({
      description: 'Nothing is known of the time before; from is never earlier. ISO 8601 in local time',
    }),
    resolution_s: Type.Number({
      description: 'How fine the kept readings are that this was made of, in seconds',
    }),
    step: Type.Optional(openEnumOf(STEP_NAMES, 'Of a curve: how long each point is')),
    series: Type.Array(Series, { maxItems: MAX_TOPICS, description: 'In the order of topics' }),
  }),
} satisfies ToolDefinition;
