import { isUtf8 } from 'node:buffer';
import type { AttachmentType } from '@heliograph/contracts';

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
export function typeOfFile(bytes: Buffer, name: string): AttachmentType | undefined {
  const start = bytes.toString('latin1', 0, 16);
  const signature = SIGNATURES.find(([, at, text]) => start.startsWith(text, at));
  if (signature !== undefined) return signature[0];
  if (start.startsWith('ftyp', 4)) return BRANDS.find(([, brand]) => brand.test(start.slice(8, 12)))?.[0];
  if (!isUtf8(bytes) || bytes.includes(0)) return undefined;
  if (/\.csv$/i.test(name)) return 'text/csv';
  return /\.json$/i.test(name) ? 'application/json' : 'text/plain';
}
