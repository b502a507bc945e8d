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
} from './operations/operation.ts';
export * from './schemas/account-deletion.ts';
export * from './schemas/accounts.ts';
export * from './schemas/activation.ts';
export * from './schemas/alerts.ts';
export * from './schemas/applications.ts';
export * from './schemas/audit.ts';
export * from './schemas/audit-actions.ts';
export * from './schemas/bot-check.ts';
export * from './schemas/common.ts';
export * from './schemas/connections.ts';
export * from './schemas/consent.ts';
export * from './schemas/countries.ts';
export * from './schemas/currencies.ts';
export * from './schemas/delegations.ts';
export * from './schemas/device-about.ts';
export * from './schemas/device-address.ts';
export * from './schemas/device-api.ts';
export * from './schemas/device-audit.ts';
export * from './schemas/device-backup.ts';
export * from './schemas/device-claim.ts';
export * from './schemas/device-configuration.ts';
export * from './schemas/device-delegations.ts';
export * from './schemas/device-links.ts';
export * from './schemas/device-probe.ts';
export * from './schemas/device-session.ts';
export * from './schemas/device-support.ts';
export * from './schemas/devices.ts';
export * from './schemas/energy.ts';
export * from './schemas/events.ts';
export * from './schemas/exports.ts';
export * from './schemas/history.ts';
export * from './schemas/identity.ts';
export * from './schemas/locales.ts';
export * from './schemas/members.ts';
export * from './schemas/metric-rows.ts';
export * from './schemas/money.ts';
export * from './schemas/notification-receivers.ts';
export * from './schemas/notifications.ts';
export * from './schemas/orders.ts';
export * from './schemas/organization-sites.ts';
export * from './schemas/organizations.ts';
export * from './schemas/page.ts';
export * from './schemas/plain-text.ts';
export * from './schemas/portal.ts';
export * from './schemas/products.ts';
export * from './schemas/proxies.ts';
export * from './schemas/proxy-summary.ts';
export * from './schemas/recovery-sessions.ts';
export * from './schemas/registration-code.ts';
export * from './schemas/scopes.ts';
export * from './schemas/second-factor.ts';
export * from './schemas/setting-writes.ts';
export * from './schemas/shop.ts';
export * from './schemas/site-alerts.ts';
export * from './schemas/site-backups.ts';
export * from './schemas/site-history.ts';
export * from './schemas/site-installation.ts';
export * from './schemas/site-invitations.ts';
export * from './schemas/site-members.ts';
export * from './schemas/site-states.ts';
export * from './schemas/site-tags.ts';
export * from './schemas/site-views.ts';
export * from './schemas/sites.ts';
export * from './schemas/stream.ts';
export * from './schemas/tariffs.ts';
export * from './schemas/team-invitations.ts';
export * from './schemas/tickets.ts';
export * from './schemas/tokens.ts';
export * from './schemas/users.ts';
export * from './schemas/webhooks.ts';
