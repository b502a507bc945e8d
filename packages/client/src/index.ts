export type * from '@heliograph/contracts';
export type { MetricValue } from '@heliograph/metrics';
export {
  acknowledgeAlert,
  type ListAlertsOptions,
  listAlertRules,
  listAlerts,
  listNotificationReceivers,
  setAlertRules,
  testNotificationReceivers,
} from './alerts.ts';
export {
  type CloudClient,
  type CloudClientOptions,
  createCloudClient,
  type SiteDeviceOptions,
} from './cloud-client.ts';
export type {
  DeviceAccess,
  DeviceClientOptions,
  LanPasswordAccess,
  LanTokenAccess,
  OwnPageAccess,
  ProxyAccess,
} from './device/access.ts';
export type { Configuration } from './device/configuration.ts';
export type { Probes } from './device/probes.ts';
export type { PageSession } from './device/session.ts';
export {
  type BackupOptions,
  cloudBackup,
  createBackup,
  dismissStoreLoss,
  endCloudBackup,
  type RestoreOptions,
  restoreBackup,
  restoreFromCloud,
  startCloudBackup,
  startStore,
} from './device-backups.ts';
export {
  DeviceClient,
  type HistoryOptions,
  type Metric,
  type MetricsOptions,
  type SettingWritesOptions,
} from './device-client.ts';
export { type DiagnosticsOptions, fetchDiagnostics } from './diagnostics.ts';
export type { CallOptions, OnceOptions } from './http/call-options.ts';
export { ApiError, ConnectionError, UnexpectedAnswer } from './http/errors.ts';
export {
  isPasskeyUnknown,
  requiresFreshSignIn,
  requiresRegistrationCode,
  secondFactorRequired,
  writeFailureOf,
} from './http/refusals.ts';
export type { RetryChoice, RetryOptions } from './http/retry.ts';
export type {
  MetricChange,
  MetricDefinition,
  MetricStream,
  StreamOptions,
  StreamStatus,
  StreamTimings,
  StreamTopic,
} from './stream/metric-stream.ts';
export { WriteFailed } from './stream/pending-writes.ts';
export { listTariffs, setTariffs } from './tariffs.ts';
