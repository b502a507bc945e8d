import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { KEY_COST } from '../../../test/admin/backup/key-cost.ts';
import { newBackupKey } from './backup-key.ts';
import { decrypt, encrypt, WrongPassphrase } from './encryption.ts';

const PASSPHRASE = 'a passphrase of mine';
const CHUNK = 64 * 1024;
const HEADER = 76;

async function* portions(content: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

const collect = (stream: AsyncIterable<Buffer>): Promise<Buffer> => buffer(stream);

async function encrypted(content: Buffer): Promise<Buffer> {
  return collect(encrypt(portions(content, 10_000), await newBackupKey(PASSPHRASE, KEY_COST)));
}

const decrypted = (file: Buffer, passphrase = PASSPHRASE) =>
  collect(decrypt(portions(file, 7_777), passphrase));

const bytes = (length: number) => Buffer.from(Array.from({ length }, (_, i) => (i * 31) % 251));

describe('an encrypted file', () => {
  it('each guess of a passphrase costs scrypt with 64 MiB and a parallelization of 2', async () => {
    const file = await collect(encrypt(portions(bytes(1), 1), await newBackupKey(PASSPHRASE)));
    const [logN = 0, r = 0, p] = file.subarray(9);
    expect([128 * r * 2 ** logN, p]).toEqual([64 * 1024 * 1024, 2]);
    expect(await decrypted(file)).toEqual(bytes(1));
  });

  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])(
    '%i bytes are the same after decryption',
    async (length) => {
      const content = bytes(length);
      const file = await encrypted(content);
      expect(await decrypted(file)).toEqual(content);
    },
  );

  it('the same content is encrypted differently each time, with a header that the documentation describes', async () => {
    const key = await newBackupKey(PASSPHRASE, KEY_COST);
    const [one, other] = await Promise.all(
      [1, 2].map(() => collect(encrypt(portions(bytes(500), 500), key))),
    );
    expect(one?.length).toBe(HEADER + 500 + 16);
    expect(one?.subarray(0, 12)).toEqual(Buffer.from('HGBACKUP\x01\x04\x08\x01', 'latin1'));
    expect(one?.subarray(HEADER)).not.toEqual(other?.subarray(HEADER));
    expect(one?.includes(bytes(64))).toBe(false);
  });

  it('a wrong passphrase is reported as one', async () => {
    await expect(decrypted(await encrypted(bytes(10)), 'another passphrase')).rejects.toThrow(
      WrongPassphrase,
    );
  });

  it('a passphrase counts the same in composed and decomposed letters', async () => {
    const key = await newBackupKey('Stra\u00dfe f\u00fcr Z\u00fcge', KEY_COST);
    const file = await collect(encrypt(portions(bytes(10), 10), key));
    expect(await decrypted(file, 'Stra\u00dfe fu\u0308r Zu\u0308ge')).toEqual(bytes(10));
  });

  it.each([
    ['within the header', 40],
    ['after the header', HEADER],
    ['within the first chunk', HEADER + 1000],
    ['after the first chunk', HEADER + CHUNK + 16],
    ['by its last byte', -1],
  ])('a file that was cut %s is not whole', async (_where, end) => {
    const file = await encrypted(bytes(2 * CHUNK + 5));
    await expect(decrypted(file.subarray(0, end))).rejects.toThrow(/is not whole/);
  });

  it.each([
    ['the cost of the passphrase', 9, /passphrase is wrong|damaged/],
    ['the nonce', 30, /passphrase is wrong/],
    ['the first chunk', HEADER + 5, /damaged/],
    ['the last chunk', HEADER + CHUNK + 16 + 3, /damaged/],
  ])('a changed byte of %s is noticed', async (_where, at, message) => {
    const file = await encrypted(bytes(CHUNK + 5));
    file[at] = (file[at] ?? 0) ^ 1;
    await expect(decrypted(file)).rejects.toThrow(message);
  });

  it('exchanged chunks, and bytes behind the end, are noticed', async () => {
    const file = await encrypted(bytes(3 * CHUNK));
    const [header, one, two, three] = [0, 1, 2, 3].map((n) => {
      const from = n === 0 ? 0 : HEADER + (n - 1) * (CHUNK + 16);
      return file.subarray(from, n === 0 ? HEADER : from + CHUNK + 16);
    });
    await expect(decrypted(Buffer.concat([header, two, one, three] as Buffer[]))).rejects.toThrow(/damaged/);
    await expect(decrypted(Buffer.concat([file, Buffer.from('x')]))).rejects.toThrow();
  });

  it('a file of a newer version, one of another program, and one with hostile costs are refused at once', async () => {
    const file = await encrypted(bytes(5));
    const newer = Buffer.from(file);
    newer[8] = 2;
    await expect(decrypted(newer)).rejects.toThrow(/newer version: update this device first/);
    await expect(decrypted(Buffer.from('PK\x03\x04 a ZIP file'))).rejects.toThrow(/no backup/);
    await expect(decrypted(Buffer.alloc(0))).rejects.toThrow(/no backup/);
    const hostile = Buffer.from(file);
    hostile[9] = 40;
    await expect(decrypted(hostile)).rejects.toThrow(/damaged/);
  });
});
