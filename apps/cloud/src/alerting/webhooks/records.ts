import type { Webhook, WebhookFailure, WebhookState, WebhookWithSecret } from '@heliograph/contracts';
import type { Selectable } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import type { EventPosition } from '../events/service.ts';

export type WebhookRow = Selectable<Schema['webhooks']>;

/** A message that was posted, and its answer. */
export interface Attempt {
  readonly at: Date;
  readonly eventId: string;
  readonly eventType: string;
  /** Of the answer; null without one. */
  readonly status: number | null;
  readonly failure: WebhookFailure | null;
  /** In words that may be shown to the owner of the webhook. */
  readonly error: string | null;
  readonly durationMs: number;
}

export function positionOfRow(row: WebhookRow): EventPosition {
  return { atMs: row.position_at.getTime(), transaction: row.transaction, id: row.event_id };
}

function stateOf({ enabled, ended, failing_since: failingSince }: WebhookRow): WebhookState {
  if (!enabled) return ended ?? 'off';
  return failingSince === null ? 'active' : 'failing';
}

export function presentWebhook(row: WebhookRow): Webhook {
  const { id, name, url, types, organization_id, limited_to_organization_id, last_delivered_at, created_at } =
    row;
  const state = stateOf(row);
  const retryAt = state === 'failing' ? row.next_at.toISOString() : null;
  return {
    id,
    name,
    url,
    types: [...types],
    organization_id,
    limited_to_organization_id,
    state,
    failing_since: row.failing_since?.toISOString() ?? null,
    retry_at: retryAt,
    last_delivered_at: last_delivered_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}

export function presentWithSecret(row: WebhookRow, secret: string): WebhookWithSecret {
  return { ...presentWebhook(row), secret };
}

/** The accounts that look after a webhook. */
export async function readersOf(tx: Database, row: WebhookRow): Promise<number[]> {
  if (row.user_id !== null) return [row.user_id];
  const managers = await tx
    .selectFrom('organization_members')
    .select('user_id')
    .where('organization_id', '=', row.organization_id)
    .where('role', 'in', ['owner', 'admin'])
    .orderBy('user_id')
    .execute();
  return managers.map(({ user_id }) => user_id);
}
