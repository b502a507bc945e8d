import { createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto';

/** Fewer characters would not withstand guessing, which an attacker with the file does at leisure. */
export const MIN_PASSPHRASE_LENGTH = 12;
export const MAX_PASSPHRASE_LENGTH = 256;

/** Costs of scrypt (RFC 7914). Deriving takes 128 * r * 2^logN bytes, here 64 MiB, on a small computer too. */
export interface ScryptCost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

const COST: ScryptCost = { logN: 16, r: 8, p: 2 };

/** A file may be hostile: none may ask for more than 512 MiB or minutes. */
const MAX_COST: ScryptCost = { logN: 19, r: 8, p: 4 };

const SALT_BYTES = 16;
const SECRET_BYTES = 32;

/** The key of an owner's backups: a passphrase, stretched once. */
export interface BackupKey {
  readonly cost: ScryptCost;
  readonly salt: Buffer;
  readonly secret: Buffer;
}

/** Why a passphrase cannot be taken, in words that go on after its name; undefined when it can. */
export function complaintAboutPassphrase(passphrase: string): string | undefined {
  const { length } = passphrase;
  if (length < MIN_PASSPHRASE_LENGTH) return `must have at least ${MIN_PASSPHRASE_LENGTH} characters`;
  if (length > MAX_PASSPHRASE_LENGTH) return `must have at most ${MAX_PASSPHRASE_LENGTH} characters`;
  return undefined;
}

/** The key for new backups with this passphrase. */
export async function newBackupKey(passphrase: string, cost = COST): Promise<BackupKey> {
  const salt = randomBytes(SALT_BYTES);
  return { cost, salt, secret: await stretch(passphrase, salt, cost) };
}

/** @throws RangeError for a cost that no backup of ours has */
export async function backupKeyOf(passphrase: string, salt: Buffer, cost: ScryptCost): Promise<BackupKey> {
  const isWithin = (['logN', 'r', 'p'] as const).every(
    (part) => cost[part] >= 1 && cost[part] <= MAX_COST[part],
  );
  if (!isWithin) throw new RangeError('the costs of the key are out of range');
  return { cost, salt, secret: await stretch(passphrase, salt, cost) };
}

/** The keys of one file, which no other file has. @param nonce of the file */
export function fileKeys(
  { secret }: BackupKey,
  nonce: Buffer,
): { readonly header: Buffer; readonly chunks: Buffer } {
  const bytes = Buffer.from(hkdfSync('sha256', secret, nonce, 'heliograph backup 1', 64));
  return { header: bytes.subarray(0, 32), chunks: bytes.subarray(32) };
}

export function headerTag(key: Buffer, header: Buffer): Buffer {
  return createHmac('sha256', key).update(header).digest();
}

/** The same passphrase may be typed with composed or decomposed letters. */
function stretch(passphrase: string, salt: Buffer, { logN, r, p }: ScryptCost): Promise<Buffer> {
  const N = 2 ** logN;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(
    passphrase.normalize('NFC'),
    salt,
    SECRET_BYTES,
    { N, r, p, maxmem: 128 * r * (N + p) + 1024 * 1024 },
    (error, secret) => (error === null ? resolve(secret) : reject(error)),
  );
  return promise;
}
