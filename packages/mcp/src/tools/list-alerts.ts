import { ALERT_SEVERITIES, ALERT_STATES } from '@heliograph/contracts';
import { Type } from 'typebox';
import { metricValue, numberOrNull, openEnumOf, textOrNull } from './fields.ts';
import type { ToolDefinition } from './tool.ts';

/** Most alerts of an answer. */
export const MAX_ALERTS = 50;

export const listAlerts = {
  name: 'list_alerts',
  title: 'Alerts',
  description:
    'What was wrong with this site, and what still is: faults and warnings that the hardware names, hardware that does not ' +
    'answer, batteries that are low, hot or unbalanced, a lost grid, production far below what is usual, settings that were ' +
    'not taken, and rules of the owner. Each with when it began and ended. So "was anything wrong last night?" is this; what ' +
    'is wrong right now is in status as well, before it has lasted long enough for an alert.',
  input: Type.Object(
    {
      open: Type.Optional(
        Type.Boolean({
          description: 'True: alerts that have not cleared alone; otherwise all that are kept',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_ALERTS,
          description: `Most alerts, the newest; 20 when left out`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    alerts: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'Rises with every alert' }),
        rule: Type.String({ description: 'The id of the rule that raised it, such as battery_low' }),
        state: openEnumOf(ALERT_STATES, 'acknowledged: a person knows of it, and it has not cleared'),
        severity: openEnumOf(ALERT_SEVERITIES, 'How grave it is'),
        text: Type.String({ description: 'A sentence' }),
        topic: textOrNull('The topic or unit it is about; null for the home as a whole'),
        value: metricValue('The value that raised it, in the unit'),
        limit: numberOrNull('The limit of the rule, in the unit'),
        unit: Type.String({ description: 'Of value and limit; empty without one' }),
        since: Type.String({ description: 'When it began, ISO 8601 in local time' }),
        cleared_at: textOrNull('When it cleared, ISO 8601 in local time; null while it has not'),
        times: Type.Integer({ description: 'How often it returned within an hour, and the first time' }),
      }),
      { maxItems: MAX_ALERTS, description: 'Newest first' },
    ),
  }),
} satisfies ToolDefinition;
