import type { AttachmentType } from '@heliograph/contracts';
import { actorOf, type Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import type { View } from './policy.ts';
import { findTicket } from './rows.ts';

/** A file as it is downloaded. */
export interface Download {
  readonly name: string;
  readonly contentType: AttachmentType;
  readonly bytes: Buffer;
}

/** A file without its bytes. */
export interface AttachmentRecord {
  readonly id: number;
  readonly messageId: number | null;
  readonly name: string;
  readonly contentType: AttachmentType;
  readonly size: number;
  readonly sha256: string;
}

const COLUMNS = [
  'id',
  'message_id as messageId',
  'name',
  'content_type as contentType',
  'size',
  'sha256',
] as const;

export function getTicketAttachment(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'getTicketAttachment'>,
): Promise<Download> {
  return readAttachment(platform, caller, 'any', params);
}

export function getOwnTicketAttachment(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'getOwnTicketAttachment'>,
): Promise<Download> {
  return readAttachment(platform, caller, 'own', params);
}

/** A reading by another than who uploaded the file is recorded. @throws NotFound */
async function readAttachment(
  { db, clock }: Platform,
  caller: Caller,
  view: View,
  { id, attachment_id: attachmentId }: InputOf<'getTicketAttachment'>['params'],
): Promise<Download> {
  const at = new Date(clock.now());
  const ticket = orNotFound(await findTicket(db, caller, view, id, at));
  const found = orNotFound(await findAttachment(db, id, attachmentId, ticket.isHandler));
  if (found.ownerId !== caller.userId) {
    const organizationId = ticket.organization_id;
    const details = { ticket: id, name: found.name };
    const event = { action: 'ticket.attachment_read', organizationId, details } as const;
    await recordAudit(db, actorOf(caller), at, event);
  }
  return found;
}

/** Customers choose files: a browser stores them, and neither shows them nor guesses at their type. */
export function downloadHeaders({ name, contentType }: Download) {
  const isText = contentType.startsWith('text/');
  return {
    'content-type': isText ? `${contentType}; charset=utf-8` : contentType,
    'content-disposition': `attachment; filename="${asciiOf(name)}"; filename*=UTF-8''${encoded(name)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  } as const;
}

function asciiOf(name: string): string {
  return name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
}

/** https://www.rfc-editor.org/rfc/rfc8187#section-3.2 */
function encoded(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

/** @param withNotes whether one of an internal message is found, too */
function findAttachment(db: Database, ticketId: number, id: number, withNotes: boolean) {
  return db
    .selectFrom('ticket_attachments')
    .innerJoin('ticket_messages', 'ticket_messages.id', 'ticket_attachments.message_id')
    .select([
      'ticket_attachments.name',
      'ticket_attachments.content_type as contentType',
      'ticket_attachments.bytes',
      'ticket_attachments.owner_id as ownerId',
    ])
    .where('ticket_attachments.id', '=', id)
    .where('ticket_messages.ticket_id', '=', ticketId)
    .$if(!withNotes, (select) => select.where('ticket_messages.internal', '=', false))
    .executeTakeFirst();
}

/** Uploads of an account that no message has yet, locked until the transaction ends. */
export function lockUploads(
  tx: Database,
  ownerId: number,
  ids: readonly number[],
  at: Date,
): Promise<{ id: number; size: number }[]> {
  return tx
    .selectFrom('ticket_attachments')
    .select(['id', 'size'])
    .where('id', 'in', ids)
    .where('owner_id', '=', ownerId)
    .where('message_id', 'is', null)
    .where('expires_at', '>', at)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function attachUploads(tx: Database, ids: readonly number[], messageId: number): Promise<void> {
  await tx
    .updateTable('ticket_attachments')
    .set({ message_id: messageId, expires_at: null })
    .where('id', 'in', ids)
    .execute();
}

export async function attachmentsOf(
  db: Database,
  messageIds: readonly number[],
): Promise<AttachmentRecord[]> {
  if (messageIds.length === 0) return [];
  return db
    .selectFrom('ticket_attachments')
    .select(COLUMNS)
    .where('message_id', 'in', messageIds)
    .orderBy('id')
    .execute();
}

/** Ends the retention of the attachments of tickets. */
export async function expireAttachments(
  tx: Database,
  ticketIds: readonly number[],
  expiresAt: Date,
): Promise<void> {
  await tx
    .updateTable('ticket_attachments')
    .set({ expires_at: expiresAt })
    .where('message_id', 'in', (eb) =>
      eb.selectFrom('ticket_messages').select('id').where('ticket_id', 'in', ticketIds),
    )
    .execute();
}
