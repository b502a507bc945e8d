/** Of an action, besides actor, time and target. */
interface AuditEntryFacts {
  /** The detail that the `from` and `to` of the entry itself are about. */
  readonly changes?: string;
  /** Its other details that pages name. */
  readonly details?: readonly string[];
}

/**
 * Actions that the cloud records, as `<noun>.<past participle>`. Each has a text in `organization.actions` of the
 * locales, each detail a label in `organization.details`.
 */
const ENTRIES = {
  'account.registered': {},
  'account.registration_voided': {},
  'account.confirmed': {},
  'account.signed_in': { details: ['means', 'factor'] },
  'account.sign_in_failed': { details: ['attempts', 'last_attempt'] },
  'account.locked_out': { details: ['attempts', 'last_attempt'] },
  'account.password_changed': { details: ['link'] },
  'account.email_change_requested': { details: ['email'] },
  'account.email_change_cancelled': { details: ['email'] },
  'account.email_changed': { details: ['email'] },
  'account.created': { details: ['staff'] },
  'account.changed': {
    details: [
      'notifications',
      'staff',
      'locale',
      'site_views',
      'first_name',
      'last_name',
      'email',
      'phone_number',
    ],
  },
  'account.renamed': { details: ['first_name', 'last_name'] },
  'account.exported': {},
  'account.deletion_requested': {},
  'account.deletion_cancelled': {},
  'account.deleted': {},
  'session.confirmed': { details: ['means'] },
  'passkey.added': { details: ['name'] },
  'passkey.removed': { details: ['name'] },
  'passkey.clone_refused': { details: ['name'] },
  'authenticator_app.added': {},
  'authenticator_app.removed': {},
  'recovery_codes.replaced': {},
  'recovery_code.used': { details: ['left'] },
  'second_factor.refused': { details: ['with'] },
  'second_factor.reset': {},
  'token.created': { details: ['id', 'kind', 'name', 'scopes'] },
  'token.revoked': { details: ['id', 'kind', 'name'] },
  'organization.created': {
    details: [
      'name',
      'cloud_host',
      'cloud_host_vetted',
      'color1',
      'color_dark1',
      'color2',
      'color_dark2',
      'locale',
    ],
  },
  'organization.changed': {
    details: [
      'name',
      'cloud_host',
      'cloud_host_vetted',
      'color1',
      'color_dark1',
      'color2',
      'color_dark2',
      'locale',
      'logo',
      'terms',
      'privacy',
      'requires_second_factor',
      'email',
    ],
  },
  'organization.closed': { details: ['name'] },
  'organization_member.invited': { changes: 'role' },
  'organization_member.invitation_withdrawn': { changes: 'role' },
  'organization_member.invitation_declined': { changes: 'role' },
  'organization_member.added': { changes: 'role' },
  'organization_member.changed': { changes: 'role' },
  'organization_member.removed': { changes: 'role', details: ['revoked_tokens'] },
  'organization_site.added': {},
  'organization_site.removed': {},
  'application.created': { details: ['client_id', 'name', 'redirect_uris', 'scopes', 'kind'] },
  'application.changed': { details: ['client_id', 'name', 'redirect_uris', 'scopes', 'kind'] },
  'application.secret_replaced': { details: ['client_id', 'name'] },
  'application.deleted': { details: ['client_id', 'name', 'ended_grants'] },
  'webhook.created': { details: ['name', 'id'] },
  'webhook.changed': { details: ['name', 'id'] },
  'webhook.secret_replaced': { details: ['name', 'id'] },
  'webhook.replayed': { details: ['name', 'id'] },
  'webhook.gave_up': { details: ['name', 'id'] },
  'webhook.deleted': { details: ['name', 'id'] },
  'grant.created': { details: ['client_id', 'name', 'scopes'] },
  'grant.ended': { details: ['client_id', 'name'] },
  'delegation.suspended': { details: ['id', 'kind', 'name', 'reason'] },
  'delegation.kept': { details: ['id', 'kind', 'name'] },
  'product.created': { details: ['name'] },
  'product.changed': { details: ['name', 'description', 'kind', 'state', 'tax_category'] },
  'product.archived': { details: ['name'] },
  'shop.changed': { details: ['taxes_included', 'country', 'reverse_charge', 'tax_rates', 'shipping'] },
  'order.created': { details: ['number', 'total'] },
  'order.paid': { details: ['number', 'amount', 'reference'] },
  'order.payment_excess': { details: ['number', 'amount', 'reference'] },
  'order.shipped': { details: ['number'] },
  'order.completed': { details: ['number'] },
  'order.cancelled': { details: ['number'] },
  'order.refunded': { details: ['number', 'amount'] },
  'order.activation_code_made': { details: ['number', 'code_id'] },
  'ticket.created': { details: ['ticket'] },
  'ticket.replied': { details: ['ticket', 'state'] },
  'ticket.noted': { details: ['ticket', 'state'] },
  'ticket.changed': {
    details: ['ticket', 'state', 'priority', 'category', 'organization_id', 'assignee_id', 'site_id'],
  },
  'ticket.attachment_read': { details: ['ticket', 'name'] },
  'ticket.closed': { details: ['ticket'] },
  'recovery_session.requested': { details: ['recovery_session', 'access', 'hours', 'reason', 'ticket'] },
  'recovery_session.opened': {
    details: ['recovery_session', 'access', 'hours', 'reason', 'ticket', 'expires_at'],
  },
  'recovery_session.approved': {
    details: ['recovery_session', 'access', 'hours', 'reason', 'ticket', 'expires_at'],
  },
  'recovery_session.declined': { details: ['recovery_session', 'access', 'hours', 'reason', 'ticket'] },
  'recovery_session.extended': {
    details: ['recovery_session', 'access', 'hours', 'reason', 'ticket', 'expires_at'],
  },
  'recovery_session.joined': { details: ['recovery_session', 'access'] },
  'recovery_session.ended': { details: ['recovery_session', 'end_reason'] },
  'recovery_session.expired': { details: ['recovery_session', 'end_reason'] },
  'site.registered': { details: ['name'] },
  'site.renamed': { changes: 'name' },
  'site.described': { changes: 'description' },
  'site.updates_changed': { changes: 'updates' },
  'site.tags_changed': { changes: 'tags' },
  'site.installation_changed': { changes: 'installation' },
  'site.offline_alert_changed': { changes: 'alerts' },
  'site.history_agreed': {},
  'site.history_withdrawn': {},
  'site.read_authorized': {},
  'site.write_authorized': {},
  'site.ownership_transferred': { changes: 'owner', details: ['former_role'] },
  'site.ownership_returned': { changes: 'owner', details: ['role'] },
  'site.moved': { changes: 'organization', details: ['name'] },
  'site.device_replaced': { changes: 'device' },
  'site.released': { details: ['name'] },
  'site_member.added': { changes: 'role' },
  'site_member.accepted': { details: ['role'] },
  'site_member.changed': { changes: 'role' },
  'site_member.removed': { changes: 'role' },
  'device.provisioned': {},
  'device.enrolled': {},
  'device.activation_requested': {},
  'device.activation_declined': {},
  'device.activated': { details: ['by', 'code_id'] },
  'device.revoked': {},
  'device.restored': {},
  'device.recovered': {},
  'device.registration_code_created': {},
  'activation_code.created': { details: ['code_id', 'uses', 'expires_at'] },
  'activation_code.revoked': { details: ['code_id'] },
  'signing_key.rotated': { details: ['kid', 'purpose', 'signs_from'] },
  'signing_key.revoked': { details: ['kid', 'purpose', 'state'] },
  'proxy.drain_wanted': { details: ['name'] },
  'proxy.drain_unwanted': { details: ['name'] },
  'proxy.forgotten': { details: ['name'] },
  'proxy.credential_created': { details: ['name'] },
  'proxy.credential_revoked': { details: ['name'] },
} as const satisfies Readonly<Record<string, AuditEntryFacts>>;

type Entries = typeof ENTRIES;

export type AuditAction = keyof Entries;

type ValuesOf<Entry> = Entry extends { readonly changes: infer Detail } ? Detail : never;
type DetailsOf<Entry> = Entry extends { readonly details: readonly (infer Detail)[] } ? Detail : never;

export type AuditDetail = ValuesOf<Entries[AuditAction]> | DetailsOf<Entries[AuditAction]>;

export const AUDIT_ACTIONS = Object.keys(ENTRIES) as readonly AuditAction[];

/** The details that an action records, and pages name. */
export function auditDetailsOf(action: AuditAction): readonly AuditDetail[] {
  const { changes, details = [] }: AuditEntryFacts = ENTRIES[action];
  return [...(changes === undefined ? [] : [changes]), ...details] as AuditDetail[];
}

/** Every detail once. */
export const AUDIT_DETAILS: readonly AuditDetail[] = [...new Set(AUDIT_ACTIONS.flatMap(auditDetailsOf))];

/** Whether this release knows an action; a newer service may record others. */
export function isAuditAction(action: string): action is AuditAction {
  return Object.hasOwn(ENTRIES, action);
}

/** The detail that an action changes; undefined where it is none, or a newer service recorded it. */
export function changedDetail(action: string): AuditDetail | undefined {
  return isAuditAction(action) ? (ENTRIES[action] as { readonly changes?: AuditDetail }).changes : undefined;
}
