import type { ServiceEvent } from '@heliograph/contracts';

/** The place of a reader in the feed. */
export interface EventPosition {
  /** Of the last event that was read. */
  readonly atMs: number;
  readonly transaction: string;
  readonly id: string;
}

export const FIRST_POSITION: EventPosition = { atMs: 0, transaction: '0', id: '0' };

/** A row of the feed. */
export interface FeedEvent {
  readonly transaction: string;
  readonly id: string;
  readonly at: Date;
  readonly type: string;
  readonly siteId: number | null;
  readonly organizationId: number | null;
  readonly userId: number | null;
  readonly data: Record<string, unknown>;
}

const ID = /^(\d{1,15})-(\d{1,19})-(\d{1,18})$/;

/** @returns undefined for a text that is not the id of an event */
export function positionOf(id: string): EventPosition | undefined {
  const match = ID.exec(id);
  if (match === null) return undefined;
  const [, atMs = '', transaction = '', row = ''] = match;
  return { atMs: Number(atMs), transaction, id: row };
}

export function presentEvent(event: FeedEvent): ServiceEvent {
  const { transaction, id, at, type, siteId, organizationId, userId, data } = event;
  return {
    id: `${at.getTime()}-${transaction}-${id}`,
    type,
    at: at.toISOString(),
    site_id: siteId,
    organization_id: organizationId,
    user_id: userId,
    data,
  };
}
