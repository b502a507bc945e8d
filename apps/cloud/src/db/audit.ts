import type { Database } from './open.ts';

/** The account or service that acts, and its address. */
export interface Actor {
  /** Null for a device, the operator's command line and the service itself. */
  readonly userId: number | null;
  readonly tokenId: number | null;
  readonly via: 'api' | 'admin' | 'device' | 'service';
  /** The address the request came from. */
  readonly address: string | null;
}

/** `<noun>.<past participle>` */
export type AuditAction =
  | 'account.registered'
  | 'account.registration_voided'
  | 'account.confirmed'
  | 'account.signed_in'
  | 'account.sign_in_failed'
  | 'account.locked_out'
  | 'account.password_changed'
  | 'account.created'
  | 'account.changed'
  | 'account.renamed'
  | 'session.confirmed'
  | 'passkey.added'
  | 'passkey.removed'
  | 'passkey.clone_refused'
  | 'authenticator_app.added'
  | 'authenticator_app.removed'
  | 'recovery_codes.replaced'
  | 'recovery_code.used'
  | 'second_factor.refused'
  | 'second_factor.reset'
  | 'token.created'
  | 'token.revoked'
  | 'organization.created'
  | 'organization.changed'
  | 'organization_member.invited'
  | 'organization_member.invitation_withdrawn'
  | 'organization_member.invitation_declined'
  | 'organization_member.added'
  | 'organization_member.changed'
  | 'organization_member.removed'
  | 'organization_site.added'
  | 'organization_site.removed'
  | 'application.created'
  | 'application.changed'
  | 'application.secret_replaced'
  | 'application.deleted'
  | 'grant.created'
  | 'grant.ended'
  | 'site.registered'
  | 'site.renamed'
  | 'site.described'
  | 'site.write_authorized'
  | 'site.ownership_transferred'
  | 'site_member.added'
  | 'site_member.changed'
  | 'site_member.removed'
  | 'device.provisioned'
  | 'device.enrolled'
  | 'device.activation_requested'
  | 'device.activation_declined'
  | 'device.activated'
  | 'device.revoked'
  | 'device.restored'
  | 'activation_code.created'
  | 'activation_code.revoked'
  | 'signing_key.rotated'
  | 'signing_key.revoked'
  | 'proxy.drain_wanted'
  | 'proxy.drain_unwanted'
  | 'proxy.forgotten'
  | 'proxy.credential_created'
  | 'proxy.credential_revoked';

export interface AuditEvent {
  readonly action: AuditAction;
  readonly organizationId?: number | null;
  readonly siteId?: number | null;
  /** The account that it happened to. */
  readonly userId?: number | null;
  readonly deviceUid?: string | null;
  /** Details of the change, such as `{ from, to }`; never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Records what an actor did. Called with the transaction of the change, so that both are stored or neither. */
export function recordAudit(tx: Database, actor: Actor, at: Date, event: AuditEvent): Promise<void> {
  return recordAudits(tx, actor, at, [event]);
}

/** Rows of one statement: PostgreSQL takes 65,535 parameters. */
const AT_ONCE = 1_000;

/** As `recordAudit`, for what one act did to many. */
export async function recordAudits(
  tx: Database,
  actor: Actor,
  at: Date,
  events: readonly AuditEvent[],
): Promise<void> {
  for (let first = 0; first < events.length; first += AT_ONCE) {
    const rows = events.slice(first, first + AT_ONCE).map((event) => ({
      at,
      action: event.action,
      actor_id: actor.userId,
      token_id: actor.tokenId,
      via: actor.via,
      address: actor.address,
      organization_id: event.organizationId ?? null,
      site_id: event.siteId ?? null,
      user_id: event.userId ?? null,
      device_uid: event.deviceUid ?? null,
      details: JSON.stringify(event.details ?? {}),
    }));
    await tx.insertInto('audit_events').values(rows).execute();
  }
}
