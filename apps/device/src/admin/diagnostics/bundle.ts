import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Logger, messageOf } from '@heliograph/kit';
import { ZipFile } from 'yazl';
import type { Redactor } from './redactor.ts';

/** Largest bundle, in bytes; its files together have no more, so that a ZIP that compresses nothing fits, too. */
export const MAX_BUNDLE_BYTES = 10 * 1024 * 1024;

/** Space for the manifest, and for the names and sums that a ZIP adds, in bytes. */
const OVERHEAD_BYTES = 64 * 1024;

/** A file to be. */
export interface BundlePart {
  readonly name: string;
  /** A text as it is, or a value for JSON; both are redacted afterwards. */
  readonly make: () => unknown;
}

export interface BundleFile {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface LeftOut {
  readonly name: string;
  readonly reason: string;
}

export interface BundleContent {
  readonly files: readonly BundleFile[];
  readonly leftOut: readonly LeftOut[];
}

/** Makes and redacts each file. One that fails, or is too large, is left out alone. */
export async function makeFiles(
  parts: readonly BundlePart[],
  redactor: Redactor,
  logger: Logger,
  maxBytes = MAX_BUNDLE_BYTES,
): Promise<BundleContent> {
  const files: BundleFile[] = [];
  const leftOut: LeftOut[] = [];
  let left = maxBytes - OVERHEAD_BYTES;
  for (const { name, make } of parts) {
    const made = await fileOf(make, redactor).catch((error: unknown) => {
      logger.warn({ reason: messageOf(error), file: name }, 'a file of the diagnostic bundle failed');
      return 'it could not be made';
    });
    if (typeof made === 'string') leftOut.push({ name, reason: made });
    else if (made.length > left) leftOut.push({ name, reason: 'the bundle would be larger than 10 MiB' });
    else {
      files.push({ name, bytes: made });
      left -= made.length;
    }
  }
  return { files, leftOut };
}

/** @returns the file, or why it is left out */
async function fileOf(make: BundlePart['make'], redactor: Redactor): Promise<Buffer | string> {
  const content = redactor.value(await make());
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
  if (textsIn(content).some((each) => redactor.finds(each))) return 'its redaction failed';
  return Buffer.from(text);
}

function textsIn(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return typeof content === 'object' && content !== null ? Object.values(content).flatMap(textsIn) : [];
}

export interface Manifest {
  readonly version: string;
  /** ISO 8601. */
  readonly made_at: string;
  readonly files: readonly { readonly name: string; readonly size: number; readonly sha256: string }[];
  readonly left_out: readonly LeftOut[];
}

export function manifestOf(version: string, madeAt: Date, { files, leftOut }: BundleContent): Manifest {
  return {
    version,
    made_at: madeAt.toISOString(),
    files: files.map(({ name, bytes }) => ({
      name,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })),
    left_out: leftOut,
  };
}

/** The files as a ZIP, which is compressed as it is read. */
export function zipOf(files: readonly BundleFile[], mtime: Date): Readable {
  const zip = new ZipFile();
  for (const { name, bytes } of files) zip.addBuffer(bytes, name, { mtime });
  zip.end();
  return zip.outputStream as Readable;
}
