import type { Locale, OwnTicket, Ticket, TicketAttachment, TicketMessage } from '@heliograph/contracts';
import { fullName } from '@heliograph/kit/person-name';
import type { AttachmentRecord } from './attachments.ts';
import type { MessageRecord } from './messages.ts';
import type { TicketRecord } from './rows.ts';

/** A ticket as its requester sees it. */
export function presentOwnTicket(record: TicketRecord): OwnTicket {
  const { site_id: siteId, order_id: orderId, organization_id: organizationId } = record;
  return {
    id: record.id,
    subject: record.subject,
    state: record.state,
    awaiting: record.awaiting,
    category: record.category,
    site: siteId === null ? null : { id: siteId, name: record.siteName },
    order: orderId === null ? null : { id: orderId, number: record.orderNumber ?? '' },
    organization:
      organizationId === null ? null : { id: organizationId, name: record.organizationName ?? '' },
    recovery_session: record.recoverySession,
    follow_up_of: record.follow_up_of,
    message_count: record.message_count,
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
    last_message_at: record.last_message_at.toISOString(),
    resolved_at: record.resolved_at?.toISOString() ?? null,
    closed_at: record.closed_at?.toISOString() ?? null,
  };
}

/** @param locale of the reader */
export function presentTicket(record: TicketRecord, locale: Locale): Ticket {
  const { requester_id: id, assignee_id: assigneeId } = record;
  return {
    ...presentOwnTicket(record),
    priority: record.priority,
    requester: {
      id,
      email: record.requesterEmail,
      first_name: record.requesterFirstName,
      last_name: record.requesterLastName,
    },
    assignee:
      assigneeId === null
        ? null
        : { id: assigneeId, name: nameOf(record.assigneeFirstName, record.assigneeLastName, locale) },
    source: record.source,
    waiting_since: record.waiting_since?.toISOString() ?? null,
  };
}

/** @param attachments also those of other messages. @param locale of the reader */
export function presentMessage(
  record: MessageRecord,
  attachments: readonly AttachmentRecord[],
  locale: Locale,
): TicketMessage {
  return {
    id: record.id,
    ticket_id: record.ticketId,
    body: record.body,
    author: {
      id: record.authorId,
      name: nameOf(record.authorFirstName, record.authorLastName, locale),
      side: record.side,
    },
    internal: record.internal,
    attachments: attachments.filter(({ messageId }) => messageId === record.id).map(presentAttachment),
    created_at: record.createdAt.toISOString(),
  };
}

function presentAttachment({ id, name, contentType, size, sha256 }: AttachmentRecord): TicketAttachment {
  return { id, name, content_type: contentType, size, sha256 };
}

function nameOf(firstName: string | null, lastName: string | null, locale: Locale): string {
  return fullName({ first_name: firstName ?? '', last_name: lastName ?? '' }, locale);
}
