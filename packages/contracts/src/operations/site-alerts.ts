import { Type } from 'typebox';
import { SiteAlert, SiteAlertChange, SiteAlertParams, SiteAlertsQuery } from '../schemas/site-alerts.ts';
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
});
