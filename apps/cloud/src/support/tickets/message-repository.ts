import type { TicketSide } from '@heliograph/contracts';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';

export type MessageRecord = Awaited<ReturnType<MessageRepository['list']>>[number];

export interface NewMessage {
  readonly ticketId: number;
  readonly authorId: number;
  readonly side: TicketSide;
  readonly internal: boolean;
  readonly body: string;
}

export class MessageRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The oldest first. @param withNotes whether internal ones are among them */
  list(ticketId: number, withNotes: boolean, page: Page, db: Database = this.#db) {
    return this.#records(db, ticketId, withNotes)
      .orderBy('messages.id')
      .offset(page.offset)
      .limit(page.limit)
      .execute();
  }

  /** The newest, the oldest of them first. */
  async newest(
    ticketId: number,
    withNotes: boolean,
    limit: number,
    db: Database = this.#db,
  ): Promise<MessageRecord[]> {
    const found = await this.#records(db, ticketId, withNotes)
      .orderBy('messages.id', 'desc')
      .limit(limit)
      .execute();
    return found.reverse();
  }

  async add(tx: Database, message: NewMessage, at: Date): Promise<number> {
    const { id } = await tx
      .insertInto('ticket_messages')
      .values({
        ticket_id: message.ticketId,
        author_id: message.authorId,
        side: message.side,
        internal: message.internal,
        body: message.body,
        created_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async find(db: Database, ticketId: number, id: number): Promise<MessageRecord> {
    return this.#records(db, ticketId, true).where('messages.id', '=', id).executeTakeFirstOrThrow();
  }

  #records(db: Database, ticketId: number, withNotes: boolean) {
    return db
      .selectFrom('ticket_messages as messages')
      .leftJoin('users as authors', 'authors.id', 'messages.author_id')
      .select([
        'messages.id',
        'messages.ticket_id as ticketId',
        'messages.side',
        'messages.internal',
        'messages.body',
        'messages.created_at as createdAt',
        'messages.author_id as authorId',
        'authors.first_name as authorFirstName',
        'authors.last_name as authorLastName',
      ])
      .where('messages.ticket_id', '=', ticketId)
      .$if(!withNotes, (select) => select.where('messages.internal', '=', false));
  }
}
