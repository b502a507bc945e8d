import type { ColumnType, Generated } from 'kysely';
import type { Id } from './column-types.ts';

export interface DeliveryTables {
  deliveries: DeliveryTable;
  mailbox_messages: MailboxMessageTable;
}

interface DeliveryTable {
  /** 64-bit as well. */
  id: ColumnType<string, never, never>;
  kind: 'mail' | 'push' | 'ntfy' | 'telegram' | 'webhook';
  tenant: number;
  lane: 0 | 1;
  payload: ColumnType<unknown, string | undefined, string>;
  message_id: ColumnType<string | null, string | undefined, string>;
  due_at: Date | null;
  lease_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  attempts: Generated<number>;
  failing_since: ColumnType<Date | null, Date | null | undefined, Date | null>;
  doubtful: Generated<boolean>;
  failure: ColumnType<string | null, string | null | undefined, string | null>;
  outcome: ColumnType<
    'sent' | 'skipped' | 'refused' | 'failed' | null,
    'sent' | 'skipped' | 'refused' | 'failed' | undefined,
    'sent' | 'skipped' | 'refused' | 'failed' | null
  >;
  created_at: Date;
  ended_at: ColumnType<Date | null, Date | undefined, Date | null>;
}

interface MailboxMessageTable {
  id: Id;
  sent_at: Date;
  recipient: string;
  subject: string;
  text: string;
  html: string;
}
