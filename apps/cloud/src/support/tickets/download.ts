import type { AttachmentType } from '@heliograph/contracts';

/** A file as it is downloaded. */
export interface Download {
  readonly name: string;
  readonly contentType: AttachmentType;
  readonly bytes: Buffer;
}

/** Customers choose files: a browser stores them, and neither shows them nor guesses at their type. */
export function downloadHeaders({ name, contentType }: Download) {
  const isText = contentType.startsWith('text/');
  return {
    'content-type': isText ? `${contentType}; charset=utf-8` : contentType,
    'content-disposition': `attachment; filename="${asciiOf(name)}"; filename*=UTF-8''${encoded(name)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  } as const;
}

function asciiOf(name: string): string {
  return name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
}

/** https://www.rfc-editor.org/rfc/rfc8187#section-3.2 */
function encoded(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
