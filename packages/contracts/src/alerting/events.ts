import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../common/page.ts';
import { OrganizationParams } from '../common/params.ts';
import { DateTime, nullable } from '../common/schemas.ts';
import type { AuditAction } from '../privacy/audit-actions.ts';

/** How long events are kept. */
export const EVENT_DAYS = 30;

/** Of the alerts of sites. */
export const ALERT_EVENT_TYPES = ['alert.raised', 'alert.acknowledged', 'alert.cleared'] as const;

/** Audit records that are events as well, under the same name. */
export const AUDIT_EVENT_TYPES = [
  'site.registered',
  'site.ownership_transferred',
  'site.ownership_returned',
  'site.moved',
  'site.device_replaced',
  'site.released',
  'site_member.added',
  'site_member.accepted',
  'site_member.changed',
  'site_member.removed',
  'organization_member.added',
  'organization_member.changed',
  'organization_member.removed',
  'order.created',
  'order.paid',
  'order.shipped',
  'order.completed',
  'order.cancelled',
  'order.refunded',
  'ticket.created',
  'ticket.replied',
  'ticket.changed',
  'ticket.closed',
] as const satisfies readonly AuditAction[];

export const EVENT_TYPES = [
  ...ALERT_EVENT_TYPES,
  'site.online',
  'site.offline',
  'outage.began',
  'outage.ended',
  'setting.written',
  'energy.day',
  ...AUDIT_EVENT_TYPES,
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const ServiceEvent = Type.Object({
  id: Type.String({ description: 'For `after`; events are ordered, and an id is never used again' }),
  type: Type.String({ description: 'Such as alert.raised; a newer service may have others' }),
  at: DateTime,
  site_id: nullable(Type.Integer()),
  organization_id: nullable(Type.Integer({ description: 'The organization that looks after the site' })),
  user_id: nullable(Type.Integer({ description: 'The account that it is about' })),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'By type: alert.* the alert, energy.day the energy in kWh, setting.written topic and value',
  }),
});
export type ServiceEvent = Static<typeof ServiceEvent>;

export const EventsQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      maxLength: 64,
      description: `The id of an event: those after it; all of the last ${EVENT_DAYS} days when left out`,
    }),
  ),
  type: Type.Optional(
    Type.String({
      maxLength: 400,
      description: 'Types, or first parts of types such as alert, separated by commas',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: DEFAULT_LIMIT,
      description: `Most events to answer; more than ${MAX_LIMIT} is taken as ${MAX_LIMIT}`,
    }),
  ),
});
export type EventsQuery = Static<typeof EventsQuery>;

export const eventOperations = operations('events', {
  listEvents: {
    route: 'GET /api/v1/events',
    summary: 'What happened at the sites and in the account of the caller, the oldest first',
    description:
      'Ask again with the id of the last event as `after`: no event is left out, and none is answered twice. A reader that stayed away for longer than events are kept is refused with 422, and begins again without `after`.',
    requires: ['sites:read_all', 'sites:read_single'],
    query: EventsQuery,
    answers: { 200: Type.Array(ServiceEvent) },
    refusals: [422],
  },

  listOrganizationEvents: {
    route: 'GET /api/v1/organizations/{id}/events',
    summary: 'What happened at the sites of an organization and in its team, the oldest first',
    description: 'As `GET /api/v1/events`, for owners and admins of the organization.',
    requires: ['sites:read_all'],
    params: OrganizationParams,
    query: EventsQuery,
    answers: { 200: Type.Array(ServiceEvent) },
    refusals: [404, 422],
  },
});
