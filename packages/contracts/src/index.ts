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
} from './accounts.ts';
export {
  ActivationCode,
  ActivationCodeParams,
  ActivationRequest,
  CreateActivationCodeBody,
  NewActivationCode,
  RequestActivationAnswer,
  RequestActivationBody,
  ServiceActivationCodeParams,
} from './activation.ts';
export {
  APPLICATION_SCOPES,
  Application,
  ApplicationParams,
  type ApplicationScope,
  ApplicationWithSecret,
  ChangeApplicationBody,
  CreateApplicationBody,
} from './applications.ts';
export { AuditEntry, AuditQuery } from './audit.ts';
export { BotCheckChallenge, BotCheckPassed, BotCheckSolution } from './bot-check.ts';
export {
  DateTime,
  EMAIL_PATTERN,
  ErrorBody,
  MAX_ID,
  NestedErrorBody,
  nullable,
  ValidationErrorBody,
} from './common.ts';
export { Connection, ConnectionParams, SiteConnectionParams, SiteConnections } from './connections.ts';
export {
  AllowBody,
  ConsentAnswer,
  ConsentParams,
  ConsentRequest,
  ConsentSite,
  ConsentSitesQuery,
} from './consent.ts';
export { DeviceAbout } from './device-about.ts';
export { isDeviceAddress } from './device-address.ts';
export { MetricsQuery, SetMetricAnswer, SetMetricBody } from './device-api.ts';
export {
  DEVICE_AUDIT_ACTIONS,
  DEVICE_AUDIT_OUTCOMES,
  type DeviceAuditAction,
  DeviceAuditEntry,
  type DeviceAuditOutcome,
} from './device-audit.ts';
export { CLAIM_STATES, type ClaimState, DeviceClaim } from './device-claim.ts';
export {
  ConnectionChange,
  ConnectionSettings,
  DeviceConfiguration,
  DeviceConfigurationChange,
  DriverDescription,
  DriverOption,
  MachinePort,
  MqttSettings,
} from './device-configuration.ts';
export {
  DeviceLinks,
  HardwareLink,
  LINK_STATES,
  type LinkState,
  LinkUnit,
  MqttLink,
  UplinkLink,
} from './device-links.ts';
export { ProbeBody, ProbeFinding, ProbeParams, ProbeReport, ProbeStarted } from './device-probe.ts';
export {
  DeviceFirstPasswordBody,
  DevicePasswordChangeBody,
  DeviceSession,
  DeviceSignInBody,
} from './device-session.ts';
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
} from './devices.ts';
export { HistoryAnswer, HistoryQuery, HistorySeries, HistoryStates } from './history.ts';
export { IdTokenAnswer, IdTokenBody } from './identity.ts';
export { isLocale, LOCALES, type Locale, tagOf } from './locales.ts';
export {
  ChangeMemberBody,
  InviteMemberBody,
  SiteMemberParams,
  SiteRevocation,
  WritableRole,
} from './members.ts';
export { OrganizationSite, OrganizationSiteParams, ShareSiteBody } from './organization-sites.ts';
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
} from './organizations.ts';
export { DEFAULT_LIMIT, MAX_LIMIT, PageQuery } from './page.ts';
export {
  cleanJson,
  cleanLine,
  cleanLines,
  isPlainText,
  isPlainTextPattern,
  PlainLines,
  PlainText,
  UNSEEN_CHARACTERS,
} from './plain-text.ts';
export {
  PortalLinkBody,
  PortalPasskeyBody,
  PortalPasswordBody,
  PortalSession,
  PortalSignInBody,
} from './portal.ts';
export {
  ProxyAnnounceAnswer,
  ProxyAnnounceBody,
  ProxyAnnounceQuery,
  ProxyChangeBody,
  type ProxySession,
  SiteLocation,
} from './proxies.ts';
export { ProxyParams, ProxySummary } from './proxy-summary.ts';
export { API_TOKEN_SCOPES, SCOPES, type Scope, SESSION_SCOPES } from './scopes.ts';
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
} from './second-factor.ts';
export { SettingWrite, SettingWritesQuery, WRITE_OUTCOMES, type WriteOutcome } from './setting-writes.ts';
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
} from './sites.ts';
export { TeamInvitation, TeamInvitationParams } from './team-invitations.ts';
export {
  ApiToken,
  CreateApiTokenBody,
  CreatedApiToken,
  SessionSummary,
  TokenParams,
} from './tokens.ts';
export { UpdateUserBody, User, UserListQuery } from './users.ts';
