import { createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from 'node:crypto';
import { type BackupKey, backupKeyOf, fileKeys, headerTag, type ScryptCost } from './backup-key.ts';

/**
 * An encrypted file, all numbers big-endian:
 *
 *     0   8   "HGBACKUP"
 *     8   1   version of the format, 1
 *     9   3   costs of scrypt: log2 of N, r, p
 *     12  16  salt of scrypt
 *     28  16  nonce of the file, for HKDF
 *     44  32  HMAC-SHA-256 of bytes 0 to 43, with the first key of HKDF
 *     76      chunks of 64 KiB, AES-256-GCM with the second key, each followed by its tag of 16 bytes
 *
 * The nonce of a chunk is its number, 11 bytes, and 1 for the last chunk, else 0; so that a file that was cut, or whose
 * chunks were moved, is noticed. The last chunk may be shorter, and empty.
 */
const MAGIC = Buffer.from('HGBACKUP', 'latin1');
const VERSION = 1;
const SALT_AT = 12;
const NONCE_AT = 28;
const TAG_AT = 44;
const HEADER_BYTES = 76;
const NONCE_BYTES = NONCE_AT - SALT_AT;

const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;

/** The file cannot be restored; the message is a sentence for its owner. */
export class BadBackup extends Error {
  override readonly name = 'BadBackup';
}

/** The passphrase is not the one of this file, or its first bytes were changed: they cannot be distinguished. */
export class WrongPassphrase extends BadBackup {}

type Bytes = AsyncIterable<Uint8Array>;

/** The file, piece by piece. */
export async function* encrypt(content: Bytes, key: BackupKey): AsyncGenerator<Buffer> {
  const { logN, r, p } = key.cost;
  const nonce = randomBytes(NONCE_BYTES);
  const head = Buffer.concat([MAGIC, Buffer.from([VERSION, logN, r, p]), key.salt, nonce]);
  const keys = fileKeys(key, nonce);
  yield Buffer.concat([head, headerTag(keys.header, head)]);
  let number = 0;
  for await (const { bytes, isLast } of pieces(content, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', keys.chunks, chunkNonce(number, isLast));
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    number += 1;
  }
}

/** The content of a file, in pieces that are each authentic; only after the last one it is whole. @throws BadBackup */
export async function* decrypt(file: Bytes, passphrase: string): AsyncGenerator<Buffer> {
  const reader = new PieceReader(file);
  const header = await reader.take(HEADER_BYTES);
  const keys = await keysOf(header, passphrase);
  let number = 0;
  for await (const { bytes, isLast } of reader.pieces(CHUNK_BYTES + TAG_BYTES)) {
    const content = opened(bytes, keys.chunks, chunkNonce(number, isLast));
    if (content !== undefined) yield content;
    else if (isLast && opened(bytes, keys.chunks, chunkNonce(number, false)) !== undefined) throw cut();
    // A piece of a chunk cannot be distinguished from a changed one, but only the end of a file is ever short.
    else
      throw isLast && bytes.length < CHUNK_BYTES + TAG_BYTES ? cut() : new BadBackup('The backup is damaged');
    number += 1;
  }
}

function cut(): BadBackup {
  return new BadBackup('The backup is not whole: its end is missing or damaged');
}

/** @throws BadBackup */
async function keysOf(header: Buffer, passphrase: string) {
  if (!header.subarray(0, MAGIC.length).equals(MAGIC))
    throw new BadBackup('The file is no backup of a device');
  const [version = 0, logN = 0, r = 0, p = 0] = header.subarray(MAGIC.length, SALT_AT);
  if (version > VERSION) {
    throw new BadBackup('The backup was made by a newer version: update this device first');
  }
  if (header.length < HEADER_BYTES) throw cut();
  const cost: ScryptCost = { logN, r, p };
  const key = await backupKeyOf(passphrase, header.subarray(SALT_AT, NONCE_AT), cost).catch(
    (error: unknown) => {
      throw error instanceof RangeError ? new BadBackup('The backup is damaged') : error;
    },
  );
  const keys = fileKeys(key, header.subarray(NONCE_AT, TAG_AT));
  if (!timingSafeEqual(headerTag(keys.header, header.subarray(0, TAG_AT)), header.subarray(TAG_AT))) {
    throw new WrongPassphrase('The passphrase is wrong, or the beginning of the backup is damaged');
  }
  return keys;
}

function chunkNonce(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** @returns undefined for a chunk that is not authentic */
function opened(chunk: Buffer, key: Buffer, nonce: Buffer): Buffer | undefined {
  if (chunk.length < TAG_BYTES) return undefined;
  const end = chunk.length - TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(chunk.subarray(end));
  try {
    return Buffer.concat([decipher.update(chunk.subarray(0, end)), decipher.final()]);
  } catch {
    return undefined;
  }
}

interface Piece {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

function pieces(content: Bytes, size: number): AsyncGenerator<Piece> {
  return new PieceReader(content).pieces(size);
}

/** Cuts bytes that arrive in any portions into pieces of one size. */
export class PieceReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Buffer[] = [];
  #size = 0;

  constructor(source: Bytes) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** @returns fewer bytes where there are no more */
  async take(size: number): Promise<Buffer> {
    while (this.#size < size) {
      const { value, done } = await this.#source.next();
      if (done === true) break;
      this.#held.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      this.#size += value.byteLength;
    }
    const all = this.#held.length === 1 && this.#held[0] ? this.#held[0] : Buffer.concat(this.#held);
    const taken = all.subarray(0, size);
    const rest = all.subarray(size);
    this.#held = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
    return taken;
  }

  /** At least one, which may be empty. */
  async *pieces(size: number): AsyncGenerator<Piece> {
    let bytes = await this.take(size);
    for (;;) {
      const next = bytes.length < size ? Buffer.alloc(0) : await this.take(size);
      yield { bytes, isLast: next.length === 0 };
      if (next.length === 0) return;
      bytes = next;
    }
  }
}
