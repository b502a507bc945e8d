export * from './alerting/events.ts';
export * from './alerting/notifications.ts';
export * from './alerting/push.ts';
export * from './alerting/webhooks.ts';
export * from './common/countries.ts';
export {
  ANY_TOKEN,
  type Answer,
  type CloudRequirement,
  type DeviceRequirement,
  type Input,
  NoContent,
  type Operation,
  type OtherContent,
  type Refusal,
  type Requirement,
  refusalsOf,
} from './common/operation.ts';
export * from './common/page.ts';
export * from './common/params.ts';
export * from './common/schemas.ts';
export * from './common/scopes.ts';
export * from './common/site-permissions.ts';
export * from './device/about.ts';
export * from './device/address.ts';
export * from './device/audit.ts';
export * from './device/backup.ts';
export * from './device/claim.ts';
export * from './device/configuration.ts';
export * from './device/delegations.ts';
export * from './device/links.ts';
export * from './device/probe.ts';
export * from './device/session.ts';
export * from './device/support.ts';
export * from './devices/activation.ts';
export * from './devices/connect.ts';
export * from './devices/devices.ts';
export * from './devices/proxies.ts';
export * from './identity/account-email.ts';
export * from './identity/bot-check.ts';
export * from './identity/passwords.ts';
export * from './identity/registration.ts';
export * from './identity/second-factor.ts';
export * from './identity/session-confirmation.ts';
export * from './identity/sign-in.ts';
export * from './identity/tokens.ts';
export * from './identity/users.ts';
export * from './oauth/applications.ts';
export * from './oauth/connections.ts';
export * from './oauth/consent.ts';
export * from './oauth/protocols.ts';
export * from './organizations/documents.ts';
export * from './organizations/logo.ts';
export * from './organizations/organizations.ts';
export * from './organizations/shared-sites.ts';
export * from './organizations/team.ts';
export * from './portal/entry.ts';
export * from './privacy/account-deletion.ts';
export * from './privacy/audit.ts';
export * from './privacy/audit-actions.ts';
export * from './privacy/delegations.ts';
export * from './privacy/exports.ts';
export * from './readings/alerts.ts';
export * from './readings/energy.ts';
export * from './readings/history.ts';
export * from './readings/metrics.ts';
export * from './readings/setting-writes.ts';
export * from './readings/stream.ts';
export * from './readings/tariffs.ts';
export * from './shop/catalogue.ts';
export * from './shop/currencies.ts';
export * from './shop/money.ts';
export * from './shop/orders.ts';
export * from './shop/products.ts';
export * from './sites/access.ts';
export * from './sites/alerts.ts';
export * from './sites/backups.ts';
export * from './sites/history.ts';
export * from './sites/members.ts';
export * from './sites/organization.ts';
export * from './sites/search.ts';
export * from './sites/settings.ts';
export * from './sites/site.ts';
export * from './sites/states.ts';
export * from './sites/views.ts';
export * from './support/attachments.ts';
export * from './support/recovery-sessions.ts';
export * from './support/tickets.ts';
export * from './text/locales.ts';
export * from './text/plain-text.ts';
