import { Type } from 'typebox';
import {
  AlertAssignee,
  OfflineAlert,
  SiteAlert,
  SiteAlertChange,
  SiteAlertParams,
  SiteAlertsQuery,
} from '../schemas/site-alerts.ts';
import { SiteParams } from '../schemas/sites.ts';
import { operations } from './operation.ts';

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
    params: SiteParams,
    query: SiteAlertsQuery,
    answers: { 200: Type.Array(SiteAlert) },
    refusals: [404],
  },

  changeSiteAlert: {
    route: 'PATCH /api/v1/sites/{id}/alerts/{alert_id}',
    summary: 'Acknowledges an alert, snoozes it, assigns it, or notes something about it',
    requires: ['sites:write_all'],
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
    params: SiteParams,
    answers: { 200: Type.Array(AlertAssignee) },
    refusals: [403, 404],
  },

  getOfflineAlert: {
    route: 'GET /api/v1/sites/{id}/offline_alert',
    summary: 'How long the device of a site is away before an alert is raised',
    requires: ['sites:read_all', 'sites:read_single'],
    params: SiteParams,
    answers: { 200: OfflineAlert },
    refusals: [404],
  },

  setOfflineAlert: {
    route: 'PUT /api/v1/sites/{id}/offline_alert',
    summary: 'Sets how long the device of a site is away before an alert is raised',
    description: 'For those who manage the site. An open alert ends where there is to be none.',
    requires: ['sites:write_all'],
    params: SiteParams,
    body: OfflineAlert,
    invalidFields: 422,
    answers: { 200: OfflineAlert },
    refusals: [403, 404],
  },
});
