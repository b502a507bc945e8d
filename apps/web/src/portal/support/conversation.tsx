import type { TicketAttachment, TicketMessage } from '@heliograph/contracts';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../shared/browser/save-file.ts';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { useFormat } from '../../shared/format/use-format.ts';
import classes from './conversation.module.css';

interface ConversationProps {
  /** The side of the reader. */
  readonly side: 'customer' | 'support';
  readonly messages: readonly TicketMessage[];
  readonly download: (attachmentId: number) => Promise<Blob>;
  /** Other events of the ticket, shown among the messages by their time. */
  readonly events?: readonly ConversationEvent[];
}

interface ConversationEvent {
  readonly key: string;
  /** ISO 8601. */
  readonly at: string;
  readonly content: ReactNode;
}

/** The messages of a ticket, those of the reader's own side at the other edge, and notes apart. */
export function Conversation({ side, messages, download, events = [] }: ConversationProps) {
  const { t } = useTranslation('tickets');
  const entries = messages.map((message) => ({
    key: `${message.id}`,
    at: message.created_at,
    content: <Message side={side} message={message} download={download} />,
  }));
  const byTime = [...entries, ...events].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return (
    <ul className={classes.messages} aria-label={t('messages')}>
      {byTime.map(({ key, content }) => (
        <li key={key}>{content}</li>
      ))}
    </ul>
  );
}

interface MessageProps extends Omit<ConversationProps, 'messages' | 'events'> {
  readonly message: TicketMessage;
}

function Message({ side, message, download }: MessageProps) {
  const { t } = useTranslation('tickets');
  const format = useFormat();
  const { author, body, attachments, internal, created_at: at } = message;
  const isOwn = author.side === side;
  const kind = internal ? classes.note : isOwn ? classes.own : classes.message;
  const name = author.name === '' ? t('support') : author.name;
  return (
    <article className={kind}>
      <p className={classes.author}>
        {internal && <strong>{`${t('note')} · `}</strong>}
        {isOwn && side === 'customer' ? t('you') : name}
        {' · '}
        <time dateTime={at}>{format.dateTime(at)}</time>
      </p>
      <p className={classes.body}>{body}</p>
      {attachments.map((attachment) => (
        <Attachment key={attachment.id} attachment={attachment} download={download} />
      ))}
    </article>
  );
}

interface AttachmentProps extends Pick<ConversationProps, 'download'> {
  readonly attachment: TicketAttachment;
}

function Attachment({ attachment: { id, name }, download }: AttachmentProps) {
  const { t } = useTranslation('tickets');
  const { submit, isPending, error } = useSubmit(async () => saveFile(name, await download(id)));
  return (
    <>
      <Button
        variant="default"
        className={classes.attachment}
        loading={isPending}
        aria-label={t('download', { name })}
        onClick={() => submit(undefined)}
      >
        {name}
      </Button>
      <FormError error={error} />
    </>
  );
}
