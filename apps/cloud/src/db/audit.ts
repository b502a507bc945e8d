import { AUDIT_EVENT_TYPES, type AuditAction } from '@heliograph/contracts';
import { appendEvents, type NewEvent } from './events.ts';
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
const BATCH_SIZE = 1_000;

/** As `recordAudit`, for what one act did to many. */
export async function recordAudits(
  tx: Database,
  actor: Actor,
  at: Date,
  events: readonly AuditEvent[],
): Promise<void> {
  for (let first = 0; first < events.length; first += BATCH_SIZE) {
    const rows = events.slice(first, first + BATCH_SIZE).map((event) => ({
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
  await appendEvents(
    tx,
    events.flatMap((event) => eventOf(actor, at, event)),
  );
}

/** Details that the feed shows: its readers are more than those of the audit log. */
const SHOWN_DETAILS = [
  'from',
  'to',
  'role',
  'pending',
  'number',
  'state',
  'priority',
  'category',
  'ticket',
] as const;

function eventOf(actor: Actor, at: Date, event: AuditEvent): NewEvent[] {
  const type = AUDIT_EVENT_TYPES.find((one) => one === event.action);
  if (type === undefined) return [];
  const { siteId, organizationId, userId, details = {} } = event;
  const shown = SHOWN_DETAILS.flatMap((name) => (name in details ? [[name, details[name]]] : []));
  const data = { actor_id: actor.userId, ...Object.fromEntries(shown) };
  return [{ type, at, siteId, organizationId, userId, data }];
}
