export type {
  ActivationCode,
  ActivationRequest,
  ApiToken,
  Application,
  ApplicationScope,
  ApplicationWithSecret,
  AuditEntry,
  AuditQuery,
  ChangeOrganizationBody,
  ClaimState,
  ConfirmSessionBody,
  Connection,
  ConnectionChange,
  ConnectionSettings,
  CreatedApiToken,
  CreateOrganizationBody,
  DeviceAbout,
  DeviceAuditEntry,
  DeviceClaim,
  DeviceConfiguration,
  DeviceConfigurationChange,
  DeviceLinks,
  DeviceSession,
  DeviceState,
  DeviceSummary,
  DocumentName,
  DriverDescription,
  DriverOption,
  HardwareLink,
  HistoryAnswer,
  HistorySeries,
  HistoryStates,
  IdTokenAnswer,
  LinkState,
  LinkUnit,
  LocalSite,
  MachinePort,
  MqttLink,
  MqttSettings,
  NewActivationCode,
  NewAuthenticatorApp,
  Organization,
  OrganizationDocument,
  OrganizationMember,
  OwnOrganization,
  Passkey,
  PasskeyAdded,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
  PendingSignIn,
  ProbeBody,
  ProbeFinding,
  ProbeReport,
  ProbeStarted,
  ProxySummary,
  RegisterAnswer,
  RequestActivationAnswer,
  Scope,
  SecondFactor,
  SecondFactorAdded,
  SecondFactorAnswer,
  SecondFactorMethod,
  Session,
  SessionConfirmation,
  SessionSummary,
  SettingWrite,
  Site,
  SiteAuthorization,
  SiteConnections,
  SiteMember,
  SitePermission,
  SiteReachability,
  SiteRole,
  SiteSummary,
  SiteWithToken,
  TeamInvitation,
  UplinkLink,
  User,
} from '@heliograph/contracts';
export type { MetricValue } from '@heliograph/metrics';
export {
  CloudAccounts,
  type Credentials,
  type FirstPassword,
  type NewPassword,
  type PasswordResetRequest,
  type Registration,
} from './cloud/accounts.ts';
export type { ActivationCodes, ActivationCodeTerms, ActivationRequests } from './cloud/activation.ts';
export type { Applications, NewApplication } from './cloud/applications.ts';
export type { Audit } from './cloud/audit.ts';
export type { Connections } from './cloud/connections.ts';
export type { Devices, DevicesQuery, ProvisionInput } from './cloud/devices.ts';
export type { Documents } from './cloud/documents.ts';
export type { Invitation, Members } from './cloud/members.ts';
export type { Organizations } from './cloud/organizations.ts';
export type { Proxies } from './cloud/proxies.ts';
export type {
  ActivationInput,
  NewSite,
  OrganizationsQuery,
  Page,
  SitesQuery,
  UsersQuery,
} from './cloud/queries.ts';
export { requiresFreshSignIn, type SecondFactors, secondFactorRequired } from './cloud/second-factor.ts';
export type { TeamInvitations } from './cloud/team-invitations.ts';
export type { NewApiToken, Tokens } from './cloud/tokens.ts';
export { CloudClient, type CloudClientOptions, type SignIn, type SiteDeviceOptions } from './cloud-client.ts';
export type {
  DeviceAccess,
  LanPasswordAccess,
  LanTokenAccess,
  OwnPageAccess,
  ProxyAccess,
} from './device/access.ts';
export type { Configuration } from './device/configuration.ts';
export type { Probes } from './device/probes.ts';
export type { PageSession } from './device/session.ts';
export {
  DeviceClient,
  type DeviceClientOptions,
  type HistoryOptions,
  type Metric,
  type MetricsOptions,
  type SettingWritesOptions,
} from './device-client.ts';
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
