import type { Database } from '../../../db/open.ts';

export interface MailboxMessage {
  readonly id: number;
  readonly sentAt: Date;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const PAGE_SIZE = 200;

const COLUMNS = ['id', 'sent_at as sentAt', 'recipient', 'subject', 'text', 'html'] as const;

/** Mails of a development system, which are not sent. */
export class MailboxRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add({ sentAt, ...message }: Omit<MailboxMessage, 'id'>): Promise<void> {
    await this.#db
      .insertInto('mailbox_messages')
      .values({ ...message, sent_at: sentAt })
      .execute();
  }

  /** The newest first. */
  list(): Promise<MailboxMessage[]> {
    return this.#db
      .selectFrom('mailbox_messages')
      .select(COLUMNS)
      .orderBy('id', 'desc')
      .limit(PAGE_SIZE)
      .execute();
  }

  find(id: number): Promise<MailboxMessage | undefined> {
    return this.#db.selectFrom('mailbox_messages').select(COLUMNS).where('id', '=', id).executeTakeFirst();
  }
}
