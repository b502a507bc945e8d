import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../common/page.ts';
import { DateTime, nullable } from '../common/schemas.ts';
import { LOCALES } from '../text/locales.ts';
import { MetricValue } from './metrics.ts';

/** From what can wait to what cannot. */
export const ALERT_SEVERITIES = ['information', 'warning', 'critical'] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];

export const ALERT_STATES = ['raised', 'acknowledged', 'cleared'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** Conditions that owners can use in rules of their own. */
export const OWN_CONDITION_KINDS = ['above', 'below', 'equals', 'unchanged'] as const;

export const CONDITION_KINDS = [
  ...OWN_CONDITION_KINDS,
  'differs',
  'rises',
  'complaint',
  'silent',
  'low_production',
  'write_failed',
  'clock_behind',
  'store_damaged',
] as const;
export type ConditionKind = (typeof CONDITION_KINDS)[number];

/** Most globs of a rule, and most rules of an owner. */
const MAX_TOPICS = 10;
export const MAX_OWN_RULES = 50;

/** A condition has to last for a week at most. */
const MAX_DURATION_S = 7 * 24 * 3600;

export const AlertCondition = Type.Object({
  kind: Type.Enum([...CONDITION_KINDS], {
    description:
      'above, below: a number against `limit`. equals, differs: a text against `values`. unchanged: a number other than 0 that stays as it is while others of its unit move. rises: a counter by `limit` within `for_s`. complaint: a fault or warning that the hardware names. silent: a unit that does not answer. low_production: solar energy below `limit` percent of what its hours usually bring. write_failed: a setting that was not written as requested. clock_behind: the clock of the device. store_damaged: the stored data of the device. Own rules have above, below, equals or unchanged',
  }),
  topics: Type.Array(Type.String({ minLength: 1, maxLength: 256, examples: ['battery_1/state_of_charge'] }), {
    maxItems: MAX_TOPICS,
    description: 'Topics or globs; each topic that one of them matches has alerts of its own',
  }),
  limit: Type.Optional(
    Type.Number({ minimum: -1e9, maximum: 1e9, description: 'In the unit of the topics' }),
  ),
  clear_limit: Type.Optional(
    Type.Number({
      minimum: -1e9,
      maximum: 1e9,
      description: 'The value at which an alert may clear; `limit` when left out',
    }),
  ),
  only_after: Type.Optional(
    Type.Number({
      minimum: -1e9,
      maximum: 1e9,
      description:
        'below alone: nothing is raised before the value was once at least this, such as a grid that was there',
    }),
  ),
  values: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 20,
      description: 'Without regard to the case of letters',
    }),
  ),
  for_s: Type.Integer({
    minimum: 0,
    maximum: MAX_DURATION_S,
    description: 'How long the condition must last before an alert is raised, in seconds',
  }),
});
export type AlertCondition = Static<typeof AlertCondition>;

/** Rules of the cloud, and those that devices have as they are delivered, in the order of `docs/alerts.md`. */
export const DELIVERED_RULES = [
  'offline',
  'no_data',
  'too_many_alerts',
  'hardware_silent',
  'fault',
  'hardware_warning',
  'low_production',
  'battery_low',
  'battery_hot',
  'battery_cold',
  'cell_imbalance',
  'inverter_hot',
  'grid_lost',
  'value_stuck',
  'doubtful_values',
  'weak_link',
  'write_failed',
  'clock_behind',
  'storage_low',
  'history_stopped',
  'store_damaged',
] as const;

export const AlertRuleId = Type.String({
  pattern: '^[a-z0-9][a-z0-9_]{0,39}$',
  description: 'Lower-case letters, digits and underscores',
  examples: ['battery_low'],
});

const RULE = {
  id: AlertRuleId,
  name: nullable(Type.String({ minLength: 1, maxLength: 100, description: 'Null: named by its sentence' })),
  enabled: Type.Boolean(),
  severity: Type.Enum([...ALERT_SEVERITIES]),
  condition: AlertCondition,
};

export const RULE_SOURCES = ['built_in', 'configuration', 'owner'] as const;

export const AlertRule = Type.Object({
  ...RULE,
  source: Type.Enum([...RULE_SOURCES], {
    description:
      'built_in: of every device; its switch, severity, numbers and texts can be changed. configuration: of the configuration file, which alone changes it. owner: added here',
  }),
  explanation: Type.String({ description: 'What it watches and why, in English; empty for rules of owners' }),
  changed: Type.Boolean({ description: 'Whether a built-in rule is other than it was delivered' }),
  matching_topics: Type.Integer({
    description: 'How many topics it watches now; with 0 it waits for the first one',
  }),
});
export type AlertRule = Static<typeof AlertRule>;

/** `GET /api/v1/alert_rules` on a device. */
export const AlertRuleList = Type.Object({
  rules: Type.Array(AlertRule),
  warnings: Type.Array(
    Type.String({ description: 'Of rules that no topic matches now, such as one with a wrong name' }),
  ),
});
export type AlertRuleList = Static<typeof AlertRuleList>;

export const AlertRuleEntry = Type.Object(RULE);
export type AlertRuleEntry = Static<typeof AlertRuleEntry>;

/** `PUT /api/v1/alert_rules` on a device. */
export const AlertRuleListBody = Type.Object({
  rules: Type.Array(AlertRuleEntry, {
    maxItems: 100,
    description:
      'All rules of the owner, and built-in ones that are to differ from how they were delivered; others are as delivered',
  }),
});
export type AlertRuleListBody = Static<typeof AlertRuleListBody>;

export const Alert = Type.Object({
  id: Type.Integer({ description: 'Rises with every alert of the device' }),
  rule: Type.String({ description: 'The id of the rule that raised it' }),
  kind: Type.Enum([...CONDITION_KINDS]),
  state: Type.Enum([...ALERT_STATES]),
  severity: Type.Enum([...ALERT_SEVERITIES]),
  topic: nullable(
    Type.String({ description: 'A topic, or a unit such as battery_1; null for the home as a whole' }),
  ),
  name: nullable(Type.String({ description: 'The name of the metric, or of the rule that an owner named' })),
  detail: nullable(Type.String({ description: 'The fault by its name, or how a write ended' })),
  value: MetricValue,
  limit: nullable(Type.Number({ description: 'Of the rule, or the energy that was usual' })),
  unit: Type.String({ description: 'Of value and limit' }),
  since: Type.String({ format: 'date-time', description: 'When the condition began' }),
  raised_at: DateTime,
  last_at: Type.String({ format: 'date-time', description: 'When the condition was last met' }),
  cleared_at: nullable(DateTime),
  acknowledged_at: nullable(DateTime),
  acknowledged_by: nullable(Type.String({ description: 'As authors in the log of writes' })),
  times: Type.Integer({
    description: 'How often it was raised: within an hour after it cleared it is the same alert',
  }),
  text: Type.String({ description: 'A sentence in English' }),
});
export type Alert = Static<typeof Alert>;

const WholeNumber = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', description }));

/** `GET /api/v1/alerts` on a device. */
export const AlertsQuery = Type.Object({
  open: Type.Optional(
    Type.Enum(['1'], {
      description: '1: alerts that have not cleared alone; all that are kept without it',
    }),
  ),
  limit: WholeNumber(
    `Most alerts to answer, ${DEFAULT_LIMIT} when left out; more than ${MAX_LIMIT} is taken as ${MAX_LIMIT}`,
  ),
  before: WholeNumber('The id of an alert: those before it; the newest when left out'),
});
export type AlertsQuery = Static<typeof AlertsQuery>;

export const AlertParams = Type.Object({ id: Type.String({ pattern: '^[0-9]{1,15}$' }) });

/** `PATCH /api/v1/alerts/{id}` on a device. */
export const AlertChange = Type.Object({
  acknowledged: Type.Boolean({ description: 'Whether a person knows of it; the alert stays open' }),
});

const fields = {
  index: Type.Integer({ description: 'In notifications of the configuration file, from 0' }),
  kind: Type.Enum(['ntfy', 'smtp']),
  host: Type.String({ description: 'Of the ntfy or mail server' }),
  severity: Type.Enum([...ALERT_SEVERITIES], { description: 'The least severity that is sent' }),
  language: Type.Enum([...LOCALES]),
};

/** A server that a device sends alerts to by itself, of `notifications` in its configuration file; without topic and addresses. */
export const NotificationReceiver = Type.Object(fields);
export type NotificationReceiver = Static<typeof NotificationReceiver>;

export const NotificationTest = Type.Object({
  ...fields,
  error: nullable(
    Type.String({ description: 'Why the message was not sent, in English; null when the server took it' }),
  ),
});
export type NotificationTest = Static<typeof NotificationTest>;

export const alertOperations = operations('alerts', {
  listAlerts: {
    route: 'GET /api/v1/alerts',
    summary: 'What was wrong, and what is now; the newest first, at most the last 2,000',
    description:
      'An alert is raised by a rule, for a topic, a unit or the whole home, and clears when its condition was not met for some minutes. What returns within an hour is the same alert.',
    requires: 'read',
    query: AlertsQuery,
    answers: { 200: Type.Array(Alert) },
  },

  changeAlert: {
    route: 'PATCH /api/v1/alerts/{id}',
    summary: 'Acknowledges an alert, or takes that back',
    requires: 'write',
    params: AlertParams,
    body: AlertChange,
    answers: { 200: Alert },
    refusals: [404, 409],
  },

  listAlertRules: {
    route: 'GET /api/v1/alert_rules',
    summary:
      'The rules that raise alerts: built-in ones, those of the configuration file, and those of the owner',
    requires: 'read',
    answers: { 200: AlertRuleList },
  },

  setAlertRules: {
    route: 'PUT /api/v1/alert_rules',
    summary: 'Sets the rules of the owner, and how built-in ones differ from how they were delivered',
    description: 'A rule whose topics are not there yet is taken with a warning, and waits for them.',
    requires: 'configure',
    body: AlertRuleListBody,
    answers: { 200: AlertRuleList },
    refusals: [422],
  },

  listNotificationReceivers: {
    route: 'GET /api/v1/notification_receivers',
    summary: 'The servers that the device sends alerts to by itself, in the order of its configuration file',
    requires: 'configure',
    answers: { 200: Type.Array(NotificationReceiver) },
  },

  testNotificationReceivers: {
    route: 'POST /api/v1/notification_receivers/test',
    summary: 'Sends a test message to each of these receivers, and answers what came of it',
    requires: 'configure',
    answers: { 200: Type.Array(NotificationTest) },
  },
});
