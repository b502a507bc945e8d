import { type Static, Type } from 'typebox';
import { PlainName } from '../text/plain-text.ts';

/** Types of attachments, found by their content. */
export const ATTACHMENT_TYPES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/heic',
  'image/heif',
  'image/avif',
  'video/mp4',
  'video/quicktime',
  'application/pdf',
  'text/plain',
  'text/csv',
  'application/json',
  'application/zip',
  'application/gzip',
] as const;
export type AttachmentType = (typeof ATTACHMENT_TYPES)[number];

/** Largest file, in bytes. */
export const MAX_ATTACHMENT_SIZE = 10 * 1024 * 1024;

/** Largest files of a message together, in bytes. */
export const MAX_ATTACHMENTS_SIZE = 25 * 1024 * 1024;

export const MAX_ATTACHMENTS = 10;

export const TicketAttachment = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  content_type: Type.Enum([...ATTACHMENT_TYPES], { description: 'Found by the content' }),
  size: Type.Integer({ description: 'In bytes' }),
  sha256: Type.String({ description: 'In hex' }),
});
export type TicketAttachment = Static<typeof TicketAttachment>;

export const UploadQuery = Type.Object({
  name: PlainName({ maxLength: 255, description: 'The name of the file' }),
});

export const Upload = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  content_type: Type.Enum([...ATTACHMENT_TYPES]),
  size: Type.Integer({ description: 'In bytes' }),
  expires_at: Type.String({ format: 'date-time', description: 'When it is gone, unless a message has it' }),
});
export type Upload = Static<typeof Upload>;
