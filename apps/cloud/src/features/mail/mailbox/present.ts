import type { MailboxMessage } from './repository.ts';

export interface PresentedMessage {
  readonly id: number;
  /** An ISO 8601 date-time. */
  readonly sent_at: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function presentMessage({
  id,
  sentAt,
  recipient,
  subject,
  text,
  html,
}: MailboxMessage): PresentedMessage {
  return { id, sent_at: sentAt.toISOString(), to: recipient, subject, text, html };
}
