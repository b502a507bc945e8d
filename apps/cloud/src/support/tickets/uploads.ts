import { isUtf8 } from 'node:buffer';
import { subtle } from 'node:crypto';
import { type AttachmentType, BLANK, type Upload } from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import type { Platform } from '../../platform.ts';
import { UPLOADED_KIB } from './limits.ts';

/** Bytes by which files of a type are known, from an offset on. */
const SIGNATURES: readonly (readonly [AttachmentType, number, string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/webp', 8, 'WEBP'],
  ['application/pdf', 0, '%PDF-'],
  ['application/zip', 0, 'PK\x03\x04'],
  ['application/zip', 0, 'PK\x05\x06'],
  ['application/gzip', 0, '\x1f\x8b\x08'],
];

/**
 * Brands of files of the ISO base media format (ISO/IEC 14496-12, 4.3), as phones take pictures and films. They are
 * downloaded alone, and nothing here decodes them.
 */
const BRANDS: readonly (readonly [AttachmentType, RegExp])[] = [
  ['image/heic', /^(hei[cxms]|hev[cxms])$/],
  ['image/heif', /^(mif[12]|msf1)$/],
  ['image/avif', /^avi[fs]$/],
  ['video/quicktime', /^qt {2}$/],
  ['video/mp4', /^(mp4[12]|iso[m2-9]|avc1|M4V |3gp\d)$/],
];

/**
 * The type of a file by its content, whatever its name and its sender call it; the name decides among kinds of text alone,
 * which are all handled as text.
 *
 * @returns undefined for a type that is not taken
 */
function typeOfFile(bytes: Buffer, name: string): AttachmentType | undefined {
  const start = bytes.toString('latin1', 0, 16);
  const signature = SIGNATURES.find(([, at, text]) => start.startsWith(text, at));
  if (signature !== undefined) return signature[0];
  if (start.startsWith('ftyp', 4)) return BRANDS.find(([, brand]) => brand.test(start.slice(8, 12)))?.[0];
  if (!isUtf8(bytes) || bytes.includes(0)) return undefined;
  if (/\.csv$/i.test(name)) return 'text/csv';
  return /\.json$/i.test(name) ? 'application/json' : 'text/plain';
}

/** How long an upload waits for its message, in milliseconds. */
const LIFETIME_MS = 60 * 60 * 1000;

/** @throws ValidationError for an empty file, and one of a type that is not taken; TooManyRequests */
export async function createUpload(
  { db, limits, clock }: Platform,
  { userId }: Caller,
  givenName: string,
  bytes: Buffer,
): Promise<Upload> {
  const name = baseName(givenName);
  if (name === '') throw new ValidationError({ name: [BLANK] });
  if (bytes.length === 0) throw new ValidationError({ file: [BLANK] });
  const contentType = typeOfFile(bytes, name);
  if (contentType === undefined)
    throw new ValidationError({
      file: [
        'must be a PNG, JPEG, WebP, HEIC, HEIF, AVIF, MP4, QuickTime, PDF, ZIP or gzip file, or text in UTF-8',
      ],
    });
  await limits.consume(UPLOADED_KIB, String(userId), Math.ceil(bytes.length / 1024));
  const at = new Date(clock.now());
  const expiresAt = new Date(at.getTime() + LIFETIME_MS);
  // On another thread: 10 MiB take some 20 ms.
  const digest = await subtle.digest('SHA-256', new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length));
  const { id } = await db
    .insertInto('ticket_attachments')
    .values({
      owner_id: userId,
      name,
      content_type: contentType,
      size: bytes.length,
      sha256: Buffer.from(digest).toString('hex'),
      bytes,
      created_at: at,
      expires_at: expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    id,
    name,
    content_type: contentType,
    size: bytes.length,
    expires_at: expiresAt.toISOString(),
  };
}

/** The name of a file without the folders that some programs send with it. */
function baseName(name: string): string {
  return (/[^/\\]*$/.exec(name)?.[0] ?? '').trim();
}
