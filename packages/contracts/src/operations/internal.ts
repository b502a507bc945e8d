import { Type } from 'typebox';
import { BotCheckChallenge, BotCheckPassed, BotCheckSolution } from '../schemas/bot-check.ts';
import { DeviceConnectAnswer, DeviceConnectBody } from '../schemas/devices.ts';
import {
  ProxyAnnounceAnswer,
  ProxyAnnounceBody,
  ProxyAnnounceQuery,
  ProxyChangeBody,
  SiteLocation,
} from '../schemas/proxies.ts';
import { ProxyParams } from '../schemas/proxy-summary.ts';
import { DeviceAlertsAnswer, DeviceAlertsBody, DeviceAlertsQuery } from '../schemas/site-alerts.ts';
import { DeviceBackupQuery, MAX_DEVICE_BACKUP_BYTES } from '../schemas/site-backups.ts';
import { DeviceHistoryAnswer, DeviceHistoryBody, DeviceHistoryQuery } from '../schemas/site-history.ts';
import { NoContent, operations } from './operation.ts';

const { name } = ProxyParams.properties;

/** An announcement lists every session: about 60 bytes each, for more sessions than one proxy holds. */
const ANNOUNCEMENT_LIMIT_BYTES = 16 * 1024 * 1024;

/** A notification of a payment provider is some kilobytes. */
const NOTIFICATION_LIMIT_BYTES = 256 * 1024;

/** Seven days of all values are about 60 KB. */
const HISTORY_LIMIT_BYTES = 256 * 1024;

/** An alert is 2 KB at most. */
const ALERTS_LIMIT_BYTES = 256 * 1024;

const BACKUP = {
  'application/octet-stream': { schema: Type.Unsafe<Uint8Array>({ description: 'An encrypted file' }) },
};

/** Operations that devices, proxies, payment providers and the cloud's own pages call: they may change with any release. */
export const internalOperations = operations('internal', {
  connectDevice: {
    route: 'POST /api/v1/devices/connect',
    summary: 'A device proves its key, is enrolled, and learns where to dial',
    // The body carries the device's own proof.
    requires: 'nothing',
    body: DeviceConnectBody,
    cleansText: true,
    answers: { 200: DeviceConnectAnswer },
    refusals: [401, 403, 422],
  },

  storeDeviceBackup: {
    route: 'PUT /api/v1/devices/backups',
    summary: 'A device stores a backup, which it has encrypted; the newest three stay',
    requires: 'device',
    query: DeviceBackupQuery,
    body: { content: BACKUP },
    bodyLimit: MAX_DEVICE_BACKUP_BYTES,
    answers: { 204: NoContent },
    refusals: [422, 429],
  },

  removeDeviceBackups: {
    route: 'DELETE /api/v1/devices/backups',
    summary: 'A device deletes its backups',
    requires: 'device',
    query: DeviceBackupQuery,
    answers: { 204: NoContent },
  },

  fetchDeviceBackup: {
    route: 'GET /api/v1/devices/backups/newest',
    summary:
      'The newest backup, for a caller with the token that follows from the recovery code of its owner',
    requires: 'nothing',
    answers: { 200: { content: BACKUP } },
    refusals: [401, 404],
  },

  storeDeviceHistory: {
    route: 'PUT /api/v1/devices/history',
    summary: 'A device sends the history of its site, which is kept where the owner agreed',
    requires: 'device',
    query: DeviceHistoryQuery,
    body: DeviceHistoryBody,
    bodyLimit: HISTORY_LIMIT_BYTES,
    answers: { 200: DeviceHistoryAnswer },
    refusals: [422, 429],
  },

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

  receiveStripeEvent: {
    route: 'POST /webhooks/payments/stripe',
    summary: 'Stripe reports a payment, a refund or the end of a checkout',
    // The body is signed.
    requires: 'nothing',
    body: { content: { 'application/json': { schema: Type.Unsafe<Uint8Array>({}) } } },
    bodyLimit: NOTIFICATION_LIMIT_BYTES,
    answers: { 204: NoContent },
    refusals: [404, 503],
  },

  announceProxy: {
    route: 'PUT /api/v1/proxies/{name}',
    summary: 'A proxy announces itself and every session that it holds',
    requires: 'proxy',
    params: ProxyParams,
    query: ProxyAnnounceQuery,
    body: ProxyAnnounceBody,
    bodyLimit: ANNOUNCEMENT_LIMIT_BYTES,
    answers: { 200: ProxyAnnounceAnswer },
    refusals: [409, 422],
  },

  announceProxyChanges: {
    route: 'PATCH /api/v1/proxies/{name}',
    summary: 'A proxy announces the sessions that came and went since its last announcement',
    requires: 'proxy',
    params: ProxyParams,
    query: ProxyAnnounceQuery,
    body: ProxyChangeBody,
    bodyLimit: ANNOUNCEMENT_LIMIT_BYTES,
    answers: { 200: ProxyAnnounceAnswer },
    refusals: [404, 409, 422],
  },

  locateSite: {
    route: 'GET /api/v1/proxies/{name}/sites/{id}',
    summary: 'The proxy that has the device of a site',
    requires: 'proxy',
    params: Type.Object({ name, id: Type.Integer({ minimum: 1 }) }),
    answers: { 200: SiteLocation },
    refusals: [404],
  },

  locateSiteByName: {
    route: 'GET /api/v1/proxies/{name}/site_names/{site_name}',
    summary: 'The site of a hostname, and the proxy that has its device',
    requires: 'proxy',
    params: Type.Object({ name, site_name: Type.String({ maxLength: 63 }) }),
    answers: { 200: SiteLocation },
    refusals: [404],
  },

  getBotCheckChallenge: {
    route: 'GET /register/verify/challenge',
    summary: 'A task that costs a computer a second or two',
    requires: 'nothing',
    answers: { 200: BotCheckChallenge },
  },

  verifyBotCheck: {
    route: 'POST /register/verify',
    summary: 'Exchanges the solution of a task for a verification token',
    requires: 'nothing',
    body: BotCheckSolution,
    answers: { 200: BotCheckPassed },
    refusals: [422],
  },
});
