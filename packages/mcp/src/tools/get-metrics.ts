import { WRITE_OUTCOMES } from '@heliograph/contracts';
import { MAX_GLOB_LENGTH } from '@heliograph/metrics';
import { Type } from 'typebox';
import { enumOf, metricValue, openEnumOf, textOrNull } from './fields.ts';
import type { ToolDefinition } from './tool.ts';

export const MAX_GLOBS = 10;
export const MAX_METRICS = 200;
export const DEFAULT_METRICS = 100;

/** Accepted values of a setting, for information: no tool writes settings. */
const Setting = Type.Object(
  {
    options: Type.Optional(Type.Array(Type.String(), { description: 'The values that it may have' })),
    min: Type.Optional(Type.Number({ description: 'Smallest value, in the unit of the metric' })),
    max: Type.Optional(Type.Number({ description: 'Largest value, in the unit of the metric' })),
    step: Type.Optional(Type.Number({ description: 'How far values are apart' })),
  },
  { description: 'Present on settings that can be changed, though not by this tool' },
);

/** The newest attempt to change a setting, with what later readings showed. */
const LastWrite = Type.Object(
  {
    at: Type.String({ description: 'When it was attempted, ISO 8601 in UTC' }),
    value: Type.String({ description: 'The value that was asked for' }),
    outcome: openEnumOf(
      WRITE_OUTCOMES,
      'ok: in force. altered: the hardware took another value. rejected: it kept the old one. not sent: nothing left ' +
        'for the hardware. unknown: not known whether it was changed',
    ),
    reason: textOrNull(
      'Why the outcome is not ok, such as no_permission or unreachable; null: none is known',
    ),
    pending: Type.Boolean({ description: 'True: later readings may still correct the outcome' }),
    settles_by: textOrNull(
      'Until when readings are expected to show the outcome, ISO 8601 in UTC; null: none is awaited',
    ),
  },
  {
    description:
      'The newest attempt of the last day to change this setting; for callers that may change settings alone',
  },
);

const Metric = Type.Object({
  topic: Type.String({ description: 'Names it, such as battery_1/voltage' }),
  name: Type.String({ description: 'For people' }),
  value: metricValue('The current value; null: unknown'),
  unit: Type.String({ description: 'Unit of the value; empty for texts and counts. hhmm: a time of day' }),
  updated_at: textOrNull('When the value was last read, ISO 8601 in UTC; null: never yet'),
  stale: Type.Boolean({
    description: 'True: what was read last is too old to be true, so the value is null',
  }),
  last_value: Type.Optional(metricValue('What was read last, at updated_at; where it is stale')),
  setting: Type.Optional(Setting),
  last_write: Type.Optional(LastWrite),
});

export const getMetrics = {
  name: 'get_metrics',
  title: 'Current values',
  description:
    'Current values of this site by topic: everything that its inverters, batteries and meters tell, and their ' +
    'settings. Use it for what the status tool does not show: voltages, cells, phases, temperatures, settings. Topics are ' +
    '"<device>/<name>", where the device is total (the whole home), inverter_1, inverter_2, …, battery_1, … or ' +
    'system (the monitoring device). Ask with globs, where * is any text and ? is one character: total/*, ' +
    'battery_*/voltage, */temperature. Signs: grid power is positive when importing, battery power and current are ' +
    `positive when charging. At most ${DEFAULT_METRICS} values an answer unless limit says more; where next is not ` +
    'null, the same call with cursor set to it gives the rest.',
  input: Type.Object(
    {
      topics: Type.Array(Type.String({ minLength: 1, maxLength: MAX_GLOB_LENGTH }), {
        minItems: 1,
        maxItems: MAX_GLOBS,
        description: `1 to ${MAX_GLOBS} topics or globs, such as ["total/*", "battery_*/state_of_charge"]`,
      }),
      group: Type.Optional(
        enumOf(
          ['Status', 'Settings', 'Info', 'Ignore'],
          'Only metrics of this group. Status: measurements and states. Settings: what is set on the hardware. Info: ' +
            'models, versions, links. Ignore: raw words, listed only when asked for by this group or their exact topic',
        ),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_METRICS,
          description: `Most values of the answer; ${DEFAULT_METRICS} when left out`,
        }),
      ),
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: MAX_GLOB_LENGTH,
          description: 'next of the answer before, with the same topics and group',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    total: Type.Integer({ minimum: 0, description: 'How many metrics match, in all answers together' }),
    metrics: Type.Array(Metric, { maxItems: MAX_METRICS }),
    next: textOrNull('The cursor for the rest; null: this is all'),
    unmatched: Type.Array(Type.String(), { description: 'Those of the globs that match nothing' }),
  }),
} satisfies ToolDefinition;
