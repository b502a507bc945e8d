import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { BadBackup, PieceReader } from './encryption.ts';

/** The largest text that describes an archive, in bytes. */
const MAX_MANIFEST_BYTES = 256 * 1024;

/** The description of an archive; its files follow in this order. */
const ArchiveManifest = Type.Object({
  /** ISO 8601. */
  made_at: Type.String(),
  /** Of the software. */
  version: Type.String(),
  uid: Type.String(),
  site_name: Type.Union([Type.String(), Type.Null()]),
  files: Type.Array(
    Type.Object({
      name: Type.String({
        pattern: '^(device\\.sqlite|history\\.sqlite|device\\.yaml|profiles/[^/\\\\\\0]{1,200}\\.yaml)$',
      }),
      size: Type.Integer({ minimum: 0 }),
    }),
  ),
});
export type ArchiveManifest = Static<typeof ArchiveManifest>;

const MANIFEST = Compile(ArchiveManifest);

/** A file to put into an archive. */
export interface ArchiveFile {
  readonly name: string;
  /** In bytes, exactly. */
  readonly size: number;
  readonly content: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export type ArchiveFacts = Omit<ArchiveManifest, 'files'>;

/** A file of an archive, whose content must be read before the next one. */
export interface ArchivedFile {
  readonly name: string;
  readonly content: AsyncIterable<Buffer>;
}

/**
 * Packs files, compressed: four bytes with the length of the manifest, the manifest as JSON, and the files one after the
 * other.
 */
export function pack(facts: ArchiveFacts, files: readonly ArchiveFile[]): Readable {
  const manifest: ArchiveManifest = { ...facts, files: files.map(({ name, size }) => ({ name, size })) };
  // Most of a history is compressed already: more effort would cost a small computer minutes and gain little.
  const zip = createGzip({ level: 3 });
  pipeline(Readable.from(plain(manifest, files)), zip, () => undefined);
  return zip;
}

async function* plain(manifest: ArchiveManifest, files: readonly ArchiveFile[]): AsyncGenerator<Uint8Array> {
  const text = Buffer.from(JSON.stringify(manifest));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  yield Buffer.concat([length, text]);
  for (const { name, size, content } of files) {
    let sent = 0;
    for await (const bytes of content()) {
      sent += bytes.byteLength;
      yield bytes;
    }
    if (sent !== size) throw new Error(`${name} has ${sent} bytes in place of ${size}`);
  }
}

/** @throws BadBackup, also later, while files are read */
export async function unpack(
  packed: AsyncIterable<Uint8Array>,
): Promise<{ readonly manifest: ArchiveManifest; readonly files: AsyncGenerator<ArchivedFile> }> {
  const reader = new PieceReader(pipeline(Readable.from(packed), createGunzip(), () => undefined));
  const manifest = await readManifest(reader);
  return { manifest, files: filesIn(manifest, reader) };
}

async function readManifest(reader: PieceReader): Promise<ArchiveManifest> {
  const length = await reader.take(4);
  const size = length.length === 4 ? length.readUInt32BE() : 0;
  if (size === 0 || size > MAX_MANIFEST_BYTES) throw unknown();
  let manifest: unknown;
  try {
    manifest = JSON.parse((await reader.take(size)).toString('utf8'));
  } catch (error) {
    throw error instanceof SyntaxError ? unknown() : error;
  }
  if (!MANIFEST.Check(manifest)) throw unknown();
  return manifest;
}

function unknown(): BadBackup {
  return new BadBackup('The backup has content that this version does not know');
}

async function* filesIn({ files }: ArchiveManifest, reader: PieceReader): AsyncGenerator<ArchivedFile> {
  for (const { name, size } of files) yield { name, content: contentOf(size, reader) };
  // The end of the compressed stream, and with it of the encrypted one, is checked only where it is read.
  if ((await reader.take(1)).length > 0) throw unknown();
}

async function* contentOf(size: number, reader: PieceReader): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; ) {
    const bytes = await reader.take(Math.min(left, 64 * 1024));
    if (bytes.length === 0) throw unknown();
    left -= bytes.length;
    yield bytes;
  }
}
