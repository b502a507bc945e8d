import type { AttachmentType } from '@heliograph/contracts';
import type { Database } from '../../db/open.ts';

/** A file without its bytes. */
export interface AttachmentRecord {
  readonly id: number;
  readonly messageId: number | null;
  readonly name: string;
  readonly contentType: AttachmentType;
  readonly size: number;
  readonly sha256: string;
}

export interface NewUpload {
  readonly ownerId: number;
  readonly name: string;
  readonly contentType: AttachmentType;
  readonly sha256: string;
  readonly bytes: Buffer;
}

const COLUMNS = [
  'id',
  'message_id as messageId',
  'name',
  'content_type as contentType',
  'size',
  'sha256',
] as const;

/** Files of messages, and uploads that are none yet. */
export class AttachmentRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(upload: NewUpload, at: Date, expiresAt: Date): Promise<number> {
    const { id } = await this.#db
      .insertInto('ticket_attachments')
      .values({
        owner_id: upload.ownerId,
        name: upload.name,
        content_type: upload.contentType,
        size: upload.bytes.length,
        sha256: upload.sha256,
        bytes: upload.bytes,
        created_at: at,
        expires_at: expiresAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** Uploads of an account that no message has yet, locked until the transaction ends. */
  lockUploads(
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

  async attach(tx: Database, ids: readonly number[], messageId: number): Promise<void> {
    await tx
      .updateTable('ticket_attachments')
      .set({ message_id: messageId, expires_at: null })
      .where('id', 'in', ids)
      .execute();
  }

  async ofMessages(messageIds: readonly number[], db: Database = this.#db): Promise<AttachmentRecord[]> {
    if (messageIds.length === 0) return [];
    return db
      .selectFrom('ticket_attachments')
      .select(COLUMNS)
      .where('message_id', 'in', messageIds)
      .orderBy('id')
      .execute();
  }

  /** @param withNotes whether one of an internal message is found, too */
  find(ticketId: number, id: number, withNotes: boolean) {
    return this.#db
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

  /** Ends the retention of the attachments of tickets. */
  async expire(tx: Database, ticketIds: readonly number[], expiresAt: Date): Promise<void> {
    await tx
      .updateTable('ticket_attachments')
      .set({ expires_at: expiresAt })
      .where('message_id', 'in', (eb) =>
        eb.selectFrom('ticket_messages').select('id').where('ticket_id', 'in', ticketIds),
      )
      .execute();
  }
}
