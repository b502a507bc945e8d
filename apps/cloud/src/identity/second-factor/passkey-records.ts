import { createHash } from 'node:crypto';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isUniqueViolation } from '../../db/failures.ts';
import type { Database } from '../../db/open.ts';
import type { ChallengePurpose } from '../../db/tables/identity.ts';

export interface PasskeyRecord {
  readonly id: number;
  readonly userId: number;
  readonly credentialId: Buffer;
  readonly rpId: string;
  readonly publicKey: Buffer;
  readonly transports: readonly string[];
  readonly backedUp: boolean;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export type NewPasskey = Omit<PasskeyRecord, 'id' | 'lastUsedAt'> & { readonly counter: number };

/** The credential exists already, in this account or another one. */
export class CredentialTaken extends Error {
  override readonly name = 'CredentialTaken';
}

/** A challenge for a passkey to sign. */
export interface Challenge {
  readonly purpose: ChallengePurpose;
  readonly userId: number | null;
  /** The origin of the requesting page. */
  readonly origin: string;
}

const COLUMNS = [
  'id',
  'user_id as userId',
  'credential_id as credentialId',
  'rp_id as rpId',
  'public_key as publicKey',
  'transports',
  'backed_up as backedUp',
  'name',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const;

/** The oldest first. */
export function selectPasskeys(db: Database, userId: number): Promise<PasskeyRecord[]> {
  return db.selectFrom('passkeys').select(COLUMNS).where('user_id', '=', userId).orderBy('id').execute();
}

export function findPasskey(db: Database, credentialId: Buffer): Promise<PasskeyRecord | undefined> {
  return db
    .selectFrom('passkeys')
    .select(COLUMNS)
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
}

/** @throws CredentialTaken */
export async function insertPasskey(tx: Database, passkey: NewPasskey): Promise<PasskeyRecord> {
  const insertion = tx.insertInto('passkeys').values({
    user_id: passkey.userId,
    credential_id: passkey.credentialId,
    rp_id: passkey.rpId,
    public_key: passkey.publicKey,
    counter: passkey.counter,
    transports: [...passkey.transports],
    backed_up: passkey.backedUp,
    name: passkey.name,
    created_at: passkey.createdAt,
  });
  try {
    return await insertion.returning(COLUMNS).executeTakeFirstOrThrow();
  } catch (error) {
    throw isUniqueViolation(error, 'passkeys_credential') ? new CredentialTaken('', { cause: error }) : error;
  }
}

/**
 * Stores the signature counter, which must have increased unless the passkey does not count (WebAuthn Level 3, 7.2,
 * step 22).
 *
 * @returns false, and changes nothing, when the counter did not increase: there is a copy of the passkey
 */
export async function markPasskeyUsed(
  db: Database,
  id: number,
  counter: number,
  backedUp: boolean,
  at: Date,
): Promise<boolean> {
  const counts =
    sql<SqlBool>`counter < ${counter} or (counter = 0 and ${counter}::bigint = 0)` as RawBuilder<SqlBool>;
  const marked = await db
    .updateTable('passkeys')
    .set({ counter, backed_up: backedUp, last_used_at: at })
    .where('id', '=', id)
    .where(counts)
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}

/** @returns its name; undefined when the account has no such passkey */
export async function deletePasskey(tx: Database, userId: number, id: number): Promise<string | undefined> {
  const removed = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('name')
    .executeTakeFirst();
  return removed?.name;
}

export async function deletePasskeys(tx: Database, userId: number): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
}

export async function addChallenge(
  db: Database,
  challenge: string,
  { purpose, userId, origin }: Challenge,
  expiresAt: Date,
): Promise<void> {
  await db
    .insertInto('passkey_challenges')
    .values({ hash: hashOf(challenge), purpose, user_id: userId, origin, expires_at: expiresAt })
    .execute();
}

/** Spends a challenge. @returns undefined when it is unknown, spent or expired */
export function takeChallenge(db: Database, challenge: string, now: Date): Promise<Challenge | undefined> {
  return db
    .deleteFrom('passkey_challenges')
    .where('hash', '=', hashOf(challenge))
    .where('expires_at', '>', now)
    .returning(['purpose', 'user_id as userId', 'origin'])
    .executeTakeFirst();
}

function hashOf(challenge: string): Buffer {
  return createHash('sha256').update(challenge).digest();
}
