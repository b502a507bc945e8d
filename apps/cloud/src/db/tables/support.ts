import type {
  AttachmentType,
  RecoveryEndReason,
  RecoverySessionAccess,
  TicketCategory,
  TicketPriority,
  TicketSide,
  TicketSource,
  TicketState,
  TicketTurn,
} from '@heliograph/contracts';
import type { ColumnType, Generated } from 'kysely';
import type { SearchColumn } from './column-types.ts';

export interface SupportTables {
  tickets: TicketTable;
  ticket_messages: TicketMessageTable;
  ticket_attachments: TicketAttachmentTable;
  recovery_sessions: RecoverySessionTable;
  recovery_session_participants: RecoveryParticipantTable;
  recovery_session_events: RecoveryEventTable;
}

interface TicketTable {
  id: Generated<number>;
  subject: string;
  state: TicketState;
  priority: TicketPriority;
  category: TicketCategory;
  source: TicketSource;
  requester_id: number;
  assignee_id: number | null;
  site_id: number | null;
  order_id: number | null;
  organization_id: number | null;
  home_organization_id: number | null;
  follow_up_of: number | null;
  last_side: TicketTurn;
  awaiting: ColumnType<TicketTurn | null, never, never>;
  waiting_since: Date | null;
  message_count: number;
  created_at: Date;
  updated_at: Date;
  last_message_at: Date;
  resolved_at: Date | null;
  closed_at: Date | null;
  topic_words: Generated<string>;
  search: SearchColumn;
}

interface TicketMessageTable {
  id: Generated<number>;
  ticket_id: number;
  author_id: number | null;
  side: TicketSide;
  internal: boolean;
  body: string;
  created_at: Date;
}

interface TicketAttachmentTable {
  id: Generated<number>;
  message_id: number | null;
  owner_id: number;
  name: string;
  content_type: AttachmentType;
  size: number;
  sha256: string;
  bytes: Buffer;
  created_at: Date;
  expires_at: Date | null;
}

interface RecoverySessionTable {
  id: Generated<number>;
  site_id: number;
  organization_id: number | null;
  access: RecoverySessionAccess;
  reason: string;
  ticket_id: number | null;
  hours: number;
  requested_by: number | null;
  requested_at: Date;
  request_expires_at: Date | null;
  approved_by: number | null;
  extended_by: Generated<number[]>;
  opened_at: Date | null;
  expires_at: Date | null;
  declined_at: Date | null;
  ended_at: Date | null;
  ended_by: number | null;
  end_reason: RecoveryEndReason | null;
  is_concluded: Generated<boolean>;
}

interface RecoveryParticipantTable {
  session_id: number;
  user_id: number;
  first_at: Date;
  last_at: Date;
}

interface RecoveryEventTable {
  id: Generated<number>;
  session_id: number;
  at: Date;
  user_id: number | null;
  kind: string;
  subject: string | null;
  succeeded: boolean;
  report_id: string | null;
}
