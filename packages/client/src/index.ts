export type { Session, Site, SiteAuthorization, SiteMember, SiteSummary, User } from '@heliograph/contracts';
export type { MetricValue } from '@heliograph/metrics';
export {
  CloudClient,
  type CloudClientOptions,
  type NewSite,
  type SignIn,
  type SiteDeviceOptions,
  type SitesQuery,
} from './cloud-client.ts';
export type { DeviceAccess, LanPasswordAccess, LanTokenAccess, ProxyAccess } from './device-access.ts';
export { DeviceClient, type DeviceClientOptions, type Metric, type MetricsOptions } from './device-client.ts';
export { ApiError, ConnectionError, UnexpectedAnswer } from './http/errors.ts';
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
