import { crc32 } from 'node:zlib';

export const IMAGE_TYPES = ['image/svg+xml', 'image/png'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

export function isImageType(text: string): text is ImageType {
  return IMAGE_TYPES.some((type) => type === text);
}

/** Checks the structure of an image without decoding its pixels. */
export function isImage(type: ImageType, bytes: Buffer): boolean {
  return type === 'image/png' ? isPng(bytes) : isSvg(bytes);
}

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Largest width and height, in pixels: a small file must not become a picture that fills a reader's memory. */
const MAX_PIXELS = 4096;

/**
 * Whether bytes are a whole PNG file: walks the chunks from the header to the end.
 *
 *     length of the data (4) | type (4) | data | CRC-32 of type and data (4)
 *
 * https://www.w3.org/TR/png-3/#5Chunk-layout
 */
function isPng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return false;
  let seen = '';
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end))
      return false;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (seen === '' && !(type === 'IHDR' && length === 13 && hasAllowedSize(bytes, at + 8))) return false;
    if (type === 'IEND') return seen.includes('IDAT') && end + 4 === bytes.length;
    seen += `${type} `;
    at = end + 4;
  }
  return false;
}

function hasAllowedSize(bytes: Buffer, at: number): boolean {
  const sides = [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
  return sides.every((side) => side >= 1 && side <= MAX_PIXELS);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

const NAMESPACE = /\sxmlns\s*=\s*(?:"http:\/\/www\.w3\.org\/2000\/svg"|'http:\/\/www\.w3\.org\/2000\/svg')/;

/**
 * Whether bytes are an XML document in UTF-8 with an SVG root. The content of the root is not checked: logos are served
 * with a policy under which no script runs and nothing is loaded.
 */
function isSvg(bytes: Buffer): boolean {
  try {
    return hasSvgRoot(utf8.decode(bytes));
  } catch {
    return false;
  }
}

/** Scans the text once: patterns with nested repetitions can take minutes for a crafted file. */
function hasSvgRoot(text: string): boolean {
  const start = afterMisc(text, afterDoctype(text, afterMisc(text, 0)));
  if (!/^<svg\s/.test(text.slice(start, start + 5))) return false;
  const end = endOfTag(text, start);
  const closing = text.lastIndexOf('</svg');
  if (closing < end || !NAMESPACE.test(text.slice(start, end))) return false;
  const closed = text.indexOf('>', closing);
  return text.slice(closing + 5, closed).trim() === '' && afterMisc(text, closed + 1) === text.length;
}

/** The position after the space, comments and processing instructions around the root. */
function afterMisc(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (/\s/.test(text.charAt(at))) at += 1;
    if (text.startsWith('<!--', at)) at = positionAfter(text, '-->', at + 4);
    else if (text.startsWith('<?', at)) at = positionAfter(text, '?>', at + 2);
    else return at;
  }
}

/** A document type with declarations of its own is not accepted: their entities can expand a small file. */
function afterDoctype(text: string, from: number): number {
  if (!text.startsWith('<!DOCTYPE', from)) return from;
  const end = positionAfter(text, '>', from);
  return text.slice(from, end).includes('[') ? from : end;
}

/** The position of the `>` that ends a tag; a `>` in quotes does not. */
function endOfTag(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at;
  }
  return text.length;
}

function positionAfter(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}
