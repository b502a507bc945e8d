import { Type } from 'typebox';
import { EventsQuery, ServiceEvent } from '../schemas/events.ts';
import { OrganizationParams } from '../schemas/organizations.ts';
import { operations } from './operation.ts';

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
