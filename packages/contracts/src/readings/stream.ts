import { Type } from 'typebox';
import { DateTime, nullable } from '../common/schemas.ts';
import { Alert } from './alerts.ts';
import { FullMetricRow, LastValue, MetricDefinitionRow, MetricValue } from './metrics.ts';
import { WriteFailureFields } from './setting-writes.ts';

const Topic = Type.String({ maxLength: 256 });

/** How many globs one client may ask for. */
export const MAX_STREAM_TOPICS = 500;

/** Topics that a client asks for. */
export const StreamTopics = Type.Object({
  topics: Type.Optional(
    Type.Array(
      Type.Object({
        topic: Type.String({
          maxLength: 256,
          description: 'A topic, or a glob such as total* or inverter_1/pv*; * for every metric',
        }),
        max_frequency_s: Type.Optional(
          Type.Number({ minimum: 0, description: 'Seconds between two values of a topic, at least' }),
        ),
      }),
      {
        maxItems: MAX_STREAM_TOPICS,
        description:
          'Left out at the first join: the totals, voltage, state_of_charge, power and temperature of batteries, and pv_power, load_power, grid_power, device_mode and temperature of inverters. Left out later: those from before',
      },
    ),
  ),
});

/** The payload of a join. */
export const StreamJoin = Type.Object({
  ...StreamTopics.properties,
  alerts: Type.Optional(
    Type.Boolean({
      description: 'True: alerts come as well, those that are open at once. Left out: none do',
    }),
  ),
});

export const StreamAlerts = Type.Object({
  alerts: Type.Array(Alert, {
    description: 'That were raised, acknowledged or cleared; all open ones after a join',
  }),
});

export const StreamDefinitions = Type.Object({ definitions: Type.Array(MetricDefinitionRow) });

export const StreamData = Type.Object({
  metrics: Type.Array(
    Type.Object({
      topic: Topic,
      value: MetricValue,
      stale: Type.Optional(
        Type.Boolean({ description: 'True when the last reading is too old; else left out' }),
      ),
      updated_at: Type.Optional(nullable(DateTime)),
      last_value: LastValue,
    }),
  ),
});

export const StreamSystem = Type.Object({ metrics: Type.Array(FullMetricRow) });

export const StreamSetResult = Type.Object({
  topic: Topic,
  result: Type.Enum(['ok', 'error']),
  message: Type.Optional(
    Type.String({ description: 'Why the setting was not written, or may not have been' }),
  ),
  ...Type.Partial(WriteFailureFields).properties,
});

export const StreamReply = Type.Object({
  status: Type.Enum(['ok', 'error']),
  response: Type.Object(
    {},
    {
      description: 'The result of a `set`; `reason` of an error; empty otherwise',
      additionalProperties: true,
    },
  ),
});

export const StreamEmpty = Type.Object({});
