import { Type } from 'typebox';
import {
  Alert,
  AlertChange,
  AlertParams,
  AlertRuleList,
  AlertRuleListBody,
  AlertsQuery,
} from '../schemas/alerts.ts';
import { DeviceAbout } from '../schemas/device-about.ts';
import { MetricsQuery, SetMetricAnswer, SetMetricBody } from '../schemas/device-api.ts';
import { DeviceAuditEntry } from '../schemas/device-audit.ts';
import {
  DeviceBackupBody,
  DeviceCloudBackup,
  DeviceCloudBackupBody,
  DeviceRecoveryCode,
  DeviceRestoreBody,
  DeviceRestored,
  DeviceStoreBody,
  RESTORE_PART_BYTES,
  RestorePartQuery,
} from '../schemas/device-backup.ts';
import { DeviceClaim } from '../schemas/device-claim.ts';
import { DeviceConfiguration, DeviceConfigurationChange } from '../schemas/device-configuration.ts';
import { DeviceDelegationParams } from '../schemas/device-delegations.ts';
import { DeviceLinks } from '../schemas/device-links.ts';
import { ProbeBody, ProbeParams, ProbeReport, ProbeStarted } from '../schemas/device-probe.ts';
import {
  DeviceFirstPasswordBody,
  DevicePasswordChangeBody,
  DeviceSession,
  DeviceSignInBody,
} from '../schemas/device-session.ts';
import { DeviceSupport, DeviceSupportChange, DeviceSupportSessionParams } from '../schemas/device-support.ts';
import { DiagnosticsQuery } from '../schemas/diagnostics.ts';
import { EnergyAnswer, EnergyQuery } from '../schemas/energy.ts';
import { HistoryAnswer, HistoryQuery } from '../schemas/history.ts';
import { FullMetricRow, MetricRow } from '../schemas/metric-rows.ts';
import { NotificationReceiver, NotificationTest } from '../schemas/notification-receivers.ts';
import { SettingWrite, SettingWritesQuery } from '../schemas/setting-writes.ts';
import { TariffList, TariffListBody } from '../schemas/tariffs.ts';
import { NoContent, operations } from './operation.ts';

const metricOperations = operations('metrics', {
  listMetrics: {
    route: 'GET /api/v1/metrics',
    summary: 'Reads metrics from the latest poll',
    description:
      'With `value=1` the answer is the value of the first match, as plain text; 404 where nothing matches. A metric without a value then answers nothing.',
    requires: 'read',
    query: MetricsQuery,
    answers: {
      200: {
        content: {
          'application/json': { schema: Type.Array(MetricRow) },
          'text/plain': { schema: Type.String() },
        },
      },
    },
    refusals: [404],
  },

  setMetric: {
    route: 'POST /api/v1/metrics',
    summary: 'Writes a setting to the hardware, at once, and reads it back',
    description:
      'Sent at most once and never repeated. A refusal names the setting and the reason, and says so where it is unknown whether the hardware took the value.',
    requires: 'write',
    body: SetMetricBody,
    answers: { 200: SetMetricAnswer },
    refusals: [422, 503],
    errorShape: 'write',
  },

  getSystem: {
    route: 'GET /api/v1/system',
    summary: 'The metrics of the device itself',
    requires: 'read',
    answers: { 200: Type.Array(FullMetricRow) },
  },

  getHistory: {
    route: 'GET /api/v1/history',
    summary: 'The past of metrics, as arrays ready to plot',
    requires: 'read',
    query: HistoryQuery,
    answers: { 200: HistoryAnswer },
    refusals: [503],
  },

  getEnergy: {
    route: 'GET /api/v1/energy',
    summary: 'Energy by hour, day, week, month or year, and where it came from and went',
    description:
      'Counted from the powers of each poll, in the time zone of the site; the energy totals are sums of the same. Days in which the clock changes have 23 or 25 hours.',
    requires: 'read',
    query: EnergyQuery,
    answers: { 200: EnergyAnswer },
    refusals: [503],
  },

  listTariffs: {
    route: 'GET /api/v1/tariffs',
    summary: 'The prices of energy, by which its costs are computed',
    requires: 'read',
    answers: { 200: TariffList },
  },

  setTariffs: {
    route: 'PUT /api/v1/tariffs',
    summary: 'Sets the prices of energy',
    description:
      'The whole list. New prices are another tariff with a later first day: what a day that is over cost does not change, unless `reprice` is true.',
    requires: 'configure',
    body: TariffListBody,
    answers: { 200: TariffList },
    refusals: [422],
  },

  listSettingWrites: {
    route: 'GET /api/v1/settings/log',
    summary: 'Settings that were written, or were to be, with their authors; the newest first',
    requires: 'write',
    query: SettingWritesQuery,
    answers: { 200: Type.Array(SettingWrite) },
  },
});

const alertOperations = operations('alerts', {
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

const ownOperations = operations('device', {
  getDevice: {
    route: 'GET /api/v1/device',
    summary: 'The device: its identity, version, time zone and site',
    requires: 'read',
    answers: { 200: DeviceAbout },
  },

  getLinks: {
    route: 'GET /api/v1/links',
    summary: 'The connections to hardware, to the proxy and to the MQTT broker, and how they do',
    requires: 'configure',
    answers: { 200: DeviceLinks },
  },

  getClaim: {
    route: 'GET /api/v1/claim',
    summary: 'How far the device is on its way into an account',
    requires: 'configure',
    answers: { 200: DeviceClaim },
  },

  getConfiguration: {
    route: 'GET /api/v1/configuration',
    summary: 'The configuration file, completed with the defaults',
    requires: 'configure',
    answers: { 200: DeviceConfiguration },
  },

  changeConfiguration: {
    route: 'PATCH /api/v1/configuration',
    summary: 'Changes what is named and leaves the rest as it is',
    description: 'It takes effect within seconds, in which the device does not answer.',
    requires: 'configure',
    body: DeviceConfigurationChange,
    answers: { 200: DeviceConfiguration },
    refusals: [409, 422, 503],
  },

  keepDelegation: {
    route: 'POST /api/v1/delegations/{id}/keep',
    summary: 'Makes the caller the author of a suspended delegation, which takes effect again',
    description: 'For callers who may change settings and the configuration; no support session does this.',
    requires: 'configure',
    params: DeviceDelegationParams,
    answers: { 200: DeviceConfiguration },
    refusals: [404, 503],
  },

  endDelegation: {
    route: 'DELETE /api/v1/delegations/{id}',
    summary: 'Removes a delegation from the configuration',
    description: 'It takes effect within seconds, in which the device does not answer.',
    requires: 'configure',
    params: DeviceDelegationParams,
    answers: { 200: DeviceConfiguration },
    refusals: [404, 409, 503],
  },

  startProbe: {
    route: 'POST /api/v1/probe',
    summary: 'Looks for hardware on all ports, or on the named one; only reads',
    requires: 'configure',
    body: ProbeBody,
    answers: { 202: ProbeStarted },
    refusals: [409, 422],
  },

  getProbe: {
    route: 'GET /api/v1/probe/{id}',
    summary: 'How far a probe is, and what it found',
    requires: 'configure',
    params: ProbeParams,
    answers: { 200: ProbeReport },
    refusals: [404],
  },

  cancelProbe: {
    route: 'DELETE /api/v1/probe/{id}',
    summary: 'Ends a probe; the report of what it found stays',
    requires: 'configure',
    params: ProbeParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  getSupport: {
    route: 'GET /api/v1/support',
    summary: 'Whether support may be let in, and who is now',
    requires: 'read',
    answers: { 200: DeviceSupport },
  },

  changeSupport: {
    route: 'PATCH /api/v1/support',
    summary: 'Allows or forbids that support is let in',
    requires: 'configure',
    body: DeviceSupportChange,
    answers: { 200: DeviceSupport },
  },

  endSupportSession: {
    route: 'DELETE /api/v1/support/sessions/{id}',
    summary: 'Ends a support session at once, also without the cloud',
    requires: 'configure',
    params: DeviceSupportSessionParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  restartDevice: {
    route: 'POST /api/v1/restart',
    summary: 'Restarts the device, which does not answer for some seconds',
    requires: 'configure',
    answers: { 202: NoContent },
    refusals: [503],
  },

  removePassword: {
    route: 'DELETE /api/v1/password',
    summary: 'Forgets the device password: its page then asks for a new one',
    description:
      'Until the first one is set on its network, the device admits no caller but those of support recovery sessions. The password is never shown.',
    requires: 'configure',
    answers: { 204: NoContent },
  },

  listDeviceAudit: {
    route: 'GET /api/v1/audit',
    summary: 'Changes of the configuration, probes and failed sign-ins; the newest first',
    requires: 'configure',
    query: SettingWritesQuery,
    answers: { 200: Type.Array(DeviceAuditEntry) },
  },

  getDiagnostics: {
    route: 'GET /api/v1/diagnostics',
    summary: 'Makes a diagnostic bundle, a ZIP file to look at and attach to a ticket',
    description:
      'At most 10 MiB, made from lists of allowed fields, without passwords, tokens, keys, addresses of people, or public addresses; serial numbers become pseudonyms. `manifest.json` in it says what was left out and why. The device sends it to nobody else.',
    requires: 'write',
    query: DiagnosticsQuery,
    answers: {
      200: {
        content: { 'application/zip': { schema: Type.String({ contentMediaType: 'application/zip' }) } },
      },
    },
  },
});

const BYTES = { 'application/octet-stream': { schema: Type.Unsafe<Uint8Array>({ description: 'Bytes' }) } };

const backupOperations = operations('backup', {
  createBackup: {
    route: 'POST /api/v1/backup',
    summary: 'Makes an encrypted backup of identity, configuration and history, on its network alone',
    description:
      'The answer is a file of at most the size of the history and a few MiB. The passphrase never leaves the network of the home.',
    requires: 'own_page',
    body: DeviceBackupBody,
    answers: { 200: { content: BYTES } },
    refusals: [422, 429, 503],
  },

  getCloudBackup: {
    route: 'GET /api/v1/backup/cloud',
    summary: 'Whether the device stores encrypted backups in its cloud, and how the last one went',
    requires: 'configure',
    answers: { 200: DeviceCloudBackup },
  },

  startCloudBackup: {
    route: 'POST /api/v1/backup/cloud',
    summary: 'Stores an encrypted backup in the cloud every day from now on; on its network alone',
    description:
      'The answer has the recovery code, which is shown once: without it the backups cannot be restored, by anyone. Another call makes another code.',
    requires: 'own_page',
    body: DeviceCloudBackupBody,
    answers: { 200: DeviceRecoveryCode },
    refusals: [409, 422, 429],
  },

  endCloudBackup: {
    route: 'DELETE /api/v1/backup/cloud',
    summary: 'Stores no more backups in the cloud, and deletes those that are there',
    requires: 'configure',
    answers: { 204: NoContent },
  },

  uploadRestorePart: {
    route: 'PUT /api/v1/restore',
    summary: 'Uploads a part of a backup to restore; parts follow one another',
    description:
      'The first part has the offset 0 and replaces what was uploaded before. A device that has a password takes parts of signed-in callers alone.',
    requires: 'own_page',
    query: RestorePartQuery,
    body: { description: 'A part of the file', content: BYTES },
    bodyLimit: RESTORE_PART_BYTES,
    answers: { 204: NoContent },
    refusals: [401, 409, 503],
  },

  restoreBackup: {
    route: 'POST /api/v1/restore',
    summary:
      'Turns the device into the one of the uploaded backup, within seconds in which it does not answer',
    description:
      'The device then has the uid, the password, the configuration and the history of the backup. Nothing changes where the passphrase is wrong, or the file is damaged, not whole, or of a newer version.',
    requires: 'own_page',
    body: DeviceRestoreBody,
    answers: { 202: DeviceRestored },
    refusals: [409, 422, 429, 503],
  },
});

const storeOperations = operations('store', {
  startStore: {
    route: 'POST /api/v1/store',
    summary: 'Sets a store aside that cannot be used, and starts with a new one',
    description:
      'The new store has every row of the former one that can be read, and the identity and the settings that identity.json has; both files are set aside. `store_loss` of the device has what was lost. 409 while the store can be used, and without the identity unless that is confirmed.',
    requires: 'own_page',
    body: DeviceStoreBody,
    answers: { 202: NoContent },
    refusals: [409, 422, 429, 503],
  },

  dismissStoreLoss: {
    route: 'DELETE /api/v1/store/loss',
    summary: 'Forgets the data that another database cost, and clears their alert',
    requires: 'write',
    answers: { 204: NoContent },
  },
});

const sessionOperations = operations('session', {
  getSession: {
    route: 'GET /api/v1/session',
    summary: 'Whether the device has a password, and what the caller may do',
    requires: 'nothing',
    answers: { 200: DeviceSession },
    refusals: [429],
  },

  signIn: {
    route: 'POST /api/v1/session',
    summary: 'Signs a browser in with the device password: the answer sets the cookie',
    requires: 'own_page',
    body: DeviceSignInBody,
    answers: { 204: NoContent },
    refusals: [401, 429],
  },

  signOut: {
    route: 'DELETE /api/v1/session',
    summary: 'Signs a browser out',
    requires: 'own_page',
    answers: { 204: NoContent },
  },

  setFirstPassword: {
    route: 'POST /api/v1/password',
    summary: 'Gives the device its first password, and signs the browser in',
    requires: 'first_run',
    body: DeviceFirstPasswordBody,
    answers: { 204: NoContent },
    refusals: [409, 422],
  },

  changePassword: {
    route: 'PUT /api/v1/password',
    summary: 'Gives the device another password, which signs every other browser out',
    requires: 'own_page',
    body: DevicePasswordChangeBody,
    answers: { 204: NoContent },
    refusals: [422, 429],
  },
});

/** The operations of a device, the same on its network and through the proxy. */
export const deviceOperations = {
  ...metricOperations,
  ...alertOperations,
  ...ownOperations,
  ...backupOperations,
  ...storeOperations,
  ...sessionOperations,
};
