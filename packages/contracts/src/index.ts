export { Session, SignInBody, User } from './accounts.ts';
export { DateTime, ErrorBody, MAX_ID, nullable } from './common.ts';
export { MetricsQuery, SetMetricAnswer, SetMetricBody } from './device-api.ts';
export { DeviceConnectAnswer, DeviceConnectBody, DeviceFacts, ProxyAnnounceBody } from './devices.ts';
export { API_TOKEN_SCOPES, SCOPES, type Scope, SESSION_SCOPES } from './scopes.ts';
export {
  ListQuery,
  MAX_LIMIT,
  RegisterSiteBody,
  SITE_ROLES,
  Site,
  SiteAuthorization,
  SiteMember,
  SiteParams,
  type SiteRole,
  SiteSummary,
} from './sites.ts';
