import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { PageQuery } from '../common/page.ts';
import { SiteParams } from '../common/params.ts';
import { DateTime, Id, MAX_ID, nullable, Uid } from '../common/schemas.ts';
import { ALERT_SEVERITIES, ALERT_STATES, CONDITION_KINDS } from '../readings/alerts.ts';
import { MetricValue } from '../readings/metrics.ts';

/** Kinds of alerts that the cloud raises itself: what a device cannot report. */
export const CLOUD_ALERT_KINDS = ['offline', 'no_data', 'too_many_alerts'] as const;

export const SITE_ALERT_KINDS = [...CONDITION_KINDS, ...CLOUD_ALERT_KINDS] as const;
export type SiteAlertKind = (typeof SITE_ALERT_KINDS)[number];

/** Open alerts of a device that the cloud stores of a site, and how many of them may be less than critical. */
export const MAX_OPEN_ALERTS = { all: 500, lessThanCritical: 400 } as const;

/** Most alerts of one upload. */
export const MAX_UPLOADED_ALERTS = 100;

/** Longest texts of an alert, in characters. */
export const ALERT_TEXT_LENGTHS = {
  kind: 40,
  severity: 40,
  topic: 256,
  name: 100,
  detail: 200,
  value: 256,
  unit: 20,
  text: 500,
} as const;

const { kind, severity, topic, name, detail, value, unit, text } = ALERT_TEXT_LENGTHS;

const CONTENT = {
  rule: Type.String({
    pattern: '^[a-z0-9][a-z0-9_]{0,39}$',
    description: 'The id of the rule that raised it',
    examples: ['battery_low'],
  }),
  topic: nullable(
    Type.String({ maxLength: topic, description: 'A topic, or a unit such as battery_1; null for the home' }),
  ),
  name: nullable(Type.String({ maxLength: name, description: 'Of the metric, or of the rule' })),
  detail: nullable(
    Type.String({ maxLength: detail, description: 'The fault by its name, or how a write ended' }),
  ),
  value: Type.Union([Type.Number(), Type.String({ maxLength: value }), Type.Boolean(), Type.Null()]),
  limit: nullable(Type.Number({ description: 'Of the rule, or the energy that was usual' })),
  unit: Type.String({ maxLength: unit, description: 'Of value and limit' }),
  since: Type.String({ format: 'date-time', description: 'When the condition began' }),
  raised_at: DateTime,
  last_at: Type.String({ format: 'date-time', description: 'When the condition was last met' }),
  cleared_at: nullable(DateTime),
  acknowledged_at: nullable(DateTime),
  acknowledged_by: nullable(Type.String({ maxLength: 200 })),
  times: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How often it was raised' }),
  text: Type.String({ maxLength: text, description: 'A sentence in English' }),
};

/** A device that was restored from a backup may give an id to another alert. */
const AT_DEVICE = {
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'At the device' }),
  raised_at: DateTime,
};

/** An alert as its device sends it. */
export const DeviceAlert = Type.Object({
  ...AT_DEVICE,
  kind: Type.String({
    maxLength: kind,
    description: `${CONDITION_KINDS.join(', ')}, or one of a newer device`,
    examples: ['below'],
  }),
  severity: Type.String({
    maxLength: severity,
    description: `${ALERT_SEVERITIES.join(', ')}; any other counts as critical`,
    examples: ['warning'],
  }),
  ...CONTENT,
});
export type DeviceAlert = Static<typeof DeviceAlert>;

export const DeviceAlertsBody = Type.Object({
  alerts: Type.Array(DeviceAlert, {
    maxItems: MAX_UPLOADED_ALERTS,
    description: 'Those that changed, in the order of their changes',
  }),
  open: nullable(
    Type.Array(Type.Object(AT_DEVICE), {
      maxItems: 1_000,
      description: 'All that have not cleared, once the cloud has every change: others of the site are over',
    }),
  ),
});
export type DeviceAlertsBody = Static<typeof DeviceAlertsBody>;

export const DeviceAlertsAnswer = Type.Object({
  acknowledged: Type.Array(Type.Object({ ...AT_DEVICE, by: Type.String() }), {
    description: 'Open alerts of the device that people acknowledged in the cloud',
  }),
  refused: Type.Optional(
    Type.Array(Type.Object(AT_DEVICE), {
      description:
        'Of the alerts that were sent, those that the cloud does not store, as too many of the site are open: they may be sent again',
    }),
  ),
  missing: Type.Optional(
    Type.Array(Type.Object(AT_DEVICE), {
      description:
        'Of the listed open alerts, those that the cloud does not have, while there is room for any: to be sent again',
    }),
  ),
});
export type DeviceAlertsAnswer = Static<typeof DeviceAlertsAnswer>;

export const DeviceAlertsQuery = Type.Object({ uid: Uid });

/** A person who looks after an alert. */
export const AlertAssignee = Type.Object({ id: Type.Integer(), name: Type.String() });
export type AlertAssignee = Static<typeof AlertAssignee>;

export const SiteAlert = Type.Object({
  id: Type.Integer(),
  site_id: Type.Integer(),
  site_name: nullable(Type.String()),
  kind: Type.String({
    description: `${SITE_ALERT_KINDS.join(', ')}, or one of a device that is newer than the cloud: \`text\` describes it`,
    examples: ['below'],
  }),
  severity: Type.Enum([...ALERT_SEVERITIES]),
  state: Type.Enum([...ALERT_STATES]),
  ...CONTENT,
  value: MetricValue,
  snoozed_until: nullable(
    Type.String({ format: 'date-time', description: 'No message about it is sent before' }),
  ),
  assignee: nullable(AlertAssignee),
  note: nullable(Type.String({ description: 'For those who look after the site' })),
  may_change: Type.Boolean({ description: 'Whether the caller may acknowledge, snooze and assign it' }),
});
export type SiteAlert = Static<typeof SiteAlert>;

/** The open alerts of a site, in the list of sites. */
export const SiteOpenAlerts = Type.Object({
  count: Type.Integer({ description: 'Alerts that have not cleared, acknowledged ones included' }),
  severity: nullable(Type.Enum([...ALERT_SEVERITIES], { description: 'Of the worst of them' })),
});
export type SiteOpenAlerts = Static<typeof SiteOpenAlerts>;

export const SiteAlertsQuery = Type.Object({
  ...PageQuery.properties,
  open: Type.Optional(Type.Enum(['1'], { description: '1: alerts that have not cleared alone' })),
  severity: Type.Optional(Type.Enum([...ALERT_SEVERITIES], { description: 'This one alone' })),
  tag: Type.Optional(Type.String({ maxLength: 100, description: 'Of sites with this tag alone' })),
});
export type SiteAlertsQuery = Static<typeof SiteAlertsQuery>;

export const SiteAlertParams = Type.Object({
  id: Id,
  alert_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});

/** `PATCH /api/v1/sites/{id}/alerts/{alert_id}`; what is left out stays as it is. */
export const SiteAlertChange = Type.Object({
  acknowledged: Type.Optional(Type.Boolean({ description: 'Whether a person knows of it; it stays open' })),
  snoozed_until: Type.Optional(nullable(DateTime)),
  assignee_id: Type.Optional(
    nullable(
      Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'The account of one who sees the site' }),
    ),
  ),
  note: Type.Optional(nullable(Type.String({ maxLength: 2_000 }))),
});
export type SiteAlertChange = Static<typeof SiteAlertChange>;

/** Minutes without its device before a site is offline for an alert. */
export const OFFLINE_MINUTES = { default: 15, min: 5, max: 7 * 24 * 60 } as const;

/** `GET` and `PUT /api/v1/sites/{id}/offline_alert`. */
export const OfflineAlert = Type.Object({
  minutes: nullable(
    Type.Integer({
      minimum: OFFLINE_MINUTES.min,
      maximum: OFFLINE_MINUTES.max,
      description: `How long the device is away before the alert is raised, ${OFFLINE_MINUTES.default} until it is changed; null for no alert`,
    }),
  ),
});
export type OfflineAlert = Static<typeof OfflineAlert>;

export const siteAlertOperations = operations('alerts', {
  listAlerts: {
    route: 'GET /api/v1/alerts',
    summary: 'The alerts of all sites that the caller reads: open ones first, and of these the worst',
    requires: ['sites:read_all', 'sites:read_single'],
    query: SiteAlertsQuery,
    answers: { 200: Type.Array(SiteAlert) },
  },

  listSiteAlerts: {
    route: 'GET /api/v1/sites/{id}/alerts',
    summary: 'The alerts of a site, whether it is online or not: open ones first, and of these the worst',
    requires: ['sites:read_all', 'sites:read_single'],
    permission: 'read',
    params: SiteParams,
    query: SiteAlertsQuery,
    answers: { 200: Type.Array(SiteAlert) },
    refusals: [404],
  },

  changeSiteAlert: {
    route: 'PATCH /api/v1/sites/{id}/alerts/{alert_id}',
    summary: 'Acknowledges an alert, snoozes it, assigns it, or notes something about it',
    requires: ['sites:write_all'],
    permission: 'manage',
    params: SiteAlertParams,
    body: SiteAlertChange,
    answers: { 200: SiteAlert },
    refusals: [404, 422],
  },

  listAlertAssignees: {
    route: 'GET /api/v1/sites/{id}/alert_assignees',
    summary: 'The people to choose from when an alert of a site is assigned, by name',
    description:
      'For those who manage the site: its owner and members, and for employees of its organization and operators the employees of that, too. 200 at most.',
    requires: ['sites:write_all'],
    permission: 'manage',
    params: SiteParams,
    answers: { 200: Type.Array(AlertAssignee) },
    refusals: [403, 404],
  },

  getOfflineAlert: {
    route: 'GET /api/v1/sites/{id}/offline_alert',
    summary: 'How long the device of a site is away before an alert is raised',
    requires: ['sites:read_all', 'sites:read_single'],
    permission: 'read',
    params: SiteParams,
    answers: { 200: OfflineAlert },
    refusals: [404],
  },

  setOfflineAlert: {
    route: 'PUT /api/v1/sites/{id}/offline_alert',
    summary: 'Sets how long the device of a site is away before an alert is raised',
    description: 'For those who manage the site. An open alert ends where there is to be none.',
    requires: ['sites:write_all'],
    permission: 'manage',
    params: SiteParams,
    body: OfflineAlert,
    invalidFields: 422,
    answers: { 200: OfflineAlert },
    refusals: [403, 404],
  },
});

/** An alert is 2 KB at most. */
const ALERTS_LIMIT_BYTES = 256 * 1024;

export const deviceAlertOperations = operations('internal', {
  storeDeviceAlerts: {
    route: 'PUT /api/v1/devices/alerts',
    summary: 'A device sends the alerts of its site that changed, and learns which were acknowledged',
    requires: 'device',
    query: DeviceAlertsQuery,
    body: DeviceAlertsBody,
    bodyLimit: ALERTS_LIMIT_BYTES,
    answers: { 200: DeviceAlertsAnswer },
    refusals: [422, 429],
  },
});
