export {
  ANY_TOKEN,
  type Answer,
  type Input,
  NoContent,
  type Operation,
  type OtherContent,
  type Refusal,
  type Requirement,
  refusalsOf,
} from './operations/operation.ts';
export {
  ConfirmUserBody,
  Empty,
  LenientConfirmUserBody,
  OrganizationChoice,
  PasswordLinkParams,
  RegisterAnswer,
  RegisterBody,
  RequestPasswordResetBody,
  ResetPasswordBody,
  Session,
  SessionTokenAnswer,
  SetPasswordBody,
  SignInBody,
  UnconfirmedAnswer,
} from './schemas/accounts.ts';
export {
  ActivationCode,
  ActivationCodeParams,
  ActivationRequest,
  CreateActivationCodeBody,
  NewActivationCode,
  RequestActivationAnswer,
  RequestActivationBody,
  ServiceActivationCodeParams,
} from './schemas/activation.ts';
export {
  APPLICATION_SCOPES,
  Application,
  ApplicationParams,
  type ApplicationScope,
  ApplicationWithSecret,
  ChangeApplicationBody,
  CreateApplicationBody,
} from './schemas/applications.ts';
export { AuditEntry, AuditQuery } from './schemas/audit.ts';
export { BotCheckChallenge, BotCheckPassed, BotCheckSolution } from './schemas/bot-check.ts';
export {
  DateTime,
  EMAIL_PATTERN,
  ErrorBody,
  MAX_ID,
  NestedErrorBody,
  nullable,
  ValidationErrorBody,
} from './schemas/common.ts';
export {
  Connection,
  ConnectionParams,
  SiteConnectionParams,
  SiteConnections,
} from './schemas/connections.ts';
export {
  AllowBody,
  ConsentAnswer,
  ConsentParams,
  ConsentRequest,
  ConsentSite,
  ConsentSitesQuery,
} from './schemas/consent.ts';
export { DeviceAbout } from './schemas/device-about.ts';
export { isDeviceAddress } from './schemas/device-address.ts';
export { MetricsQuery, SetMetricAnswer, SetMetricBody } from './schemas/device-api.ts';
export {
  DEVICE_AUDIT_ACTIONS,
  DEVICE_AUDIT_OUTCOMES,
  type DeviceAuditAction,
  DeviceAuditEntry,
  type DeviceAuditOutcome,
} from './schemas/device-audit.ts';
export { CLAIM_STATES, type ClaimState, DeviceClaim } from './schemas/device-claim.ts';
export {
  ConnectionChange,
  ConnectionSettings,
  DeviceConfiguration,
  DeviceConfigurationChange,
  DriverDescription,
  DriverOption,
  MachinePort,
  MqttSettings,
} from './schemas/device-configuration.ts';
export {
  DeviceLinks,
  HardwareLink,
  LINK_STATES,
  type LinkState,
  LinkUnit,
  MqttLink,
  UplinkLink,
} from './schemas/device-links.ts';
export { ProbeBody, ProbeFinding, ProbeParams, ProbeReport, ProbeStarted } from './schemas/device-probe.ts';
export {
  DeviceFirstPasswordBody,
  DevicePasswordChangeBody,
  DeviceSession,
  DeviceSignInBody,
} from './schemas/device-session.ts';
export {
  ActivateDeviceBody,
  DEVICE_STATES,
  DeviceConnectAnswer,
  DeviceConnectBody,
  DeviceFacts,
  DeviceParams,
  DeviceQuery,
  type DeviceState,
  DeviceSummary,
  ProvisionDeviceBody,
} from './schemas/devices.ts';
export { HistoryAnswer, HistoryQuery, HistorySeries, HistoryStates } from './schemas/history.ts';
export { IdTokenAnswer, IdTokenBody } from './schemas/identity.ts';
export { isLocale, LOCALES, type Locale, tagOf } from './schemas/locales.ts';
export {
  ChangeMemberBody,
  InviteMemberBody,
  SiteMemberParams,
  SiteRevocation,
  WritableRole,
} from './schemas/members.ts';
export { OrganizationSite, OrganizationSiteParams, ShareSiteBody } from './schemas/organization-sites.ts';
export {
  AddOrganizationMemberBody,
  ChangeDocumentBody,
  ChangeOrganizationBody,
  ChangeOrganizationMemberBody,
  CreateOrganizationBody,
  DOCUMENT_NAMES,
  type DocumentName,
  DocumentParams,
  LegalPageParams,
  LegalPageQuery,
  LogoParams,
  Organization,
  OrganizationDocument,
  OrganizationMember,
  OrganizationMemberParams,
  OrganizationParams,
  OwnOrganization,
} from './schemas/organizations.ts';
export { DEFAULT_LIMIT, MAX_LIMIT, PageQuery } from './schemas/page.ts';
export {
  cleanJson,
  cleanLine,
  cleanLines,
  isPlainText,
  isPlainTextPattern,
  PlainLines,
  PlainText,
  UNSEEN_CHARACTERS,
} from './schemas/plain-text.ts';
export {
  PortalLinkBody,
  PortalPasskeyBody,
  PortalPasswordBody,
  PortalSession,
  PortalSignInBody,
} from './schemas/portal.ts';
export {
  ProxyAnnounceAnswer,
  ProxyAnnounceBody,
  ProxyAnnounceQuery,
  ProxyChangeBody,
  type ProxySession,
  SiteLocation,
} from './schemas/proxies.ts';
export { ProxyParams, ProxySummary } from './schemas/proxy-summary.ts';
export { API_TOKEN_SCOPES, SCOPES, type Scope, SESSION_SCOPES } from './schemas/scopes.ts';
export {
  AddPasskeyBody,
  ConfirmAuthenticatorAppBody,
  ConfirmedSession,
  ConfirmSessionBody,
  NewAuthenticatorApp,
  Passkey,
  PasskeyAdded,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyParams,
  PasskeyRegistration,
  PasskeyRequestOptions,
  PendingSignIn,
  PendingSignInBody,
  RecoveryCodes,
  SECOND_FACTOR_METHODS,
  SecondFactor,
  SecondFactorAdded,
  SecondFactorAnswer,
  type SecondFactorMethod,
  SessionConfirmation,
  ShowSecondFactorBody,
  SignInAgainAnswer,
} from './schemas/second-factor.ts';
export {
  SettingWrite,
  SettingWritesQuery,
  WRITE_OUTCOMES,
  type WriteOutcome,
} from './schemas/setting-writes.ts';
export {
  AuthorizeSiteQuery,
  DescribeSiteBody,
  ListQuery,
  LocalSite,
  LocalSitesQuery,
  OfflineSiteBody,
  RegisterSiteBody,
  RenameSiteBody,
  SITE_PERMISSIONS,
  SITE_ROLES,
  Site,
  SiteAuthorization,
  SiteListQuery,
  SiteMember,
  SiteParams,
  type SitePermission,
  SiteReachability,
  type SiteRole,
  SiteSummary,
  SiteWithToken,
} from './schemas/sites.ts';
export { TeamInvitation, TeamInvitationParams } from './schemas/team-invitations.ts';
export {
  ApiToken,
  CreateApiTokenBody,
  CreatedApiToken,
  SessionSummary,
  TokenParams,
} from './schemas/tokens.ts';
export { UpdateUserBody, User, UserListQuery } from './schemas/users.ts';
