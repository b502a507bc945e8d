import {
  type Locale,
  MAX_ATTACHMENTS_SIZE,
  type TicketMessage,
  type TicketSide,
} from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';
import { attachmentsOf, attachUploads, lockUploads } from './attachments.ts';
import { REPEAT_MS } from './limits.ts';
import { presentMessage } from './present.ts';

export type MessageRecord = Awaited<ReturnType<typeof listMessages>>[number];

/** The text and the files of a message. */
export interface Writing {
  readonly body: string;
  readonly uploadIds: readonly number[];
}

interface NewMessage {
  readonly ticketId: number;
  readonly authorId: number;
  readonly side: TicketSide;
  readonly internal: boolean;
  readonly body: string;
}

/** @param about the ticket, the side that speaks, and whether support alone reads it. @throws ValidationError for its uploads */
export async function addMessage(
  tx: Database,
  { userId, locale }: Caller,
  about: Pick<NewMessage, 'ticketId' | 'side' | 'internal'>,
  { body, uploadIds }: Writing,
  at: Date,
): Promise<TicketMessage> {
  const ids = [...new Set(uploadIds)];
  if (ids.length > 0) requireUploads(ids, await lockUploads(tx, userId, ids, at));
  const id = await insertMessage(tx, { ...about, authorId: userId, body: body.trim() }, at);
  if (ids.length > 0) await attachUploads(tx, ids, id);
  const added = await findMessage(tx, about.ticketId, id);
  return presentMessage(added, await attachmentsOf(tx, [id]), locale);
}

/** The newest message, where it is the same writing of the caller within a minute. */
export async function repeatedMessage(
  tx: Database,
  { userId, locale }: Caller,
  ticketId: number,
  { body, uploadIds }: Writing,
  at: Date,
  internal = false,
): Promise<TicketMessage | undefined> {
  const [last] = await newestMessages(tx, ticketId, internal, 1);
  if (last === undefined || last.authorId !== userId || last.internal !== internal) return undefined;
  if (last.body !== body.trim() || last.createdAt.getTime() <= at.getTime() - REPEAT_MS) return undefined;
  const [message] = await withAttachments(tx, [last], locale);
  const attached = message?.attachments.map(({ id }) => id) ?? [];
  const given = [...new Set(uploadIds)].toSorted((one, other) => one - other);
  return attached.join() === given.join() ? message : undefined;
}

export async function withAttachments(
  db: Database,
  records: readonly MessageRecord[],
  locale: Locale,
): Promise<TicketMessage[]> {
  const attachments = await attachmentsOf(
    db,
    records.map(({ id }) => id),
  );
  return records.map((record) => presentMessage(record, attachments, locale));
}

/** The oldest first. @param withNotes whether internal ones are among them */
export function listMessages(db: Database, ticketId: number, withNotes: boolean, page: Page) {
  return selectMessages(db, ticketId, withNotes)
    .orderBy('messages.id')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
}

/** The newest, the oldest of them first. */
export async function newestMessages(
  db: Database,
  ticketId: number,
  withNotes: boolean,
  limit: number,
): Promise<MessageRecord[]> {
  const found = await selectMessages(db, ticketId, withNotes)
    .orderBy('messages.id', 'desc')
    .limit(limit)
    .execute();
  return found.reverse();
}

async function insertMessage(tx: Database, message: NewMessage, at: Date): Promise<number> {
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

async function findMessage(db: Database, ticketId: number, id: number): Promise<MessageRecord> {
  return selectMessages(db, ticketId, true).where('messages.id', '=', id).executeTakeFirstOrThrow();
}

function selectMessages(db: Database, ticketId: number, withNotes: boolean) {
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

/** @throws ValidationError */
function requireUploads(ids: readonly number[], uploads: readonly { readonly size: number }[]): void {
  if (uploads.length < ids.length)
    throw new ValidationError({
      upload_ids: ['must be uploads of the last hour that are yours and in no message yet'],
    });
  if (uploads.reduce((sum, { size }) => sum + size, 0) > MAX_ATTACHMENTS_SIZE)
    throw new ValidationError({ upload_ids: ['must not be more than 25 MiB together'] });
}
